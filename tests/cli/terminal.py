"""Typing `pbm` commands without a process for each: the same `main`, with captured streams.

And what else tests do in a working directory: hand in mails, ask the doctor, change the database.
"""

import io
import json
import shlex
import sqlite3
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pbm.cli import main

PASSWORD = "correct-horse"
"""The password of everybody."""

STORED = {
    "tokens",
    "signs",
    "outages",
    "clocks",
    "inbox",
    "outbox",
    "returned",
    "thoughts",
    "boards",
}
"""The doctor's checks of the contents of the database."""


@dataclass(frozen=True)
class Typed:
    """The output of a command, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)


def pbm(*arguments: str, stdin: str = "") -> Typed:
    """Type a command in the working directory."""
    out, err = io.BytesIO(), io.StringIO()
    shown = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(shown), redirect_stderr(err):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
    return Typed(int(ended.value.code or 0), out.getvalue().decode(), err.getvalue())


def pbm_line(line: str, stdin: str = "") -> Typed:
    """Type a line as in a shell: commands joined by ` | `, and ` > FILE` for what they print."""
    commands, _, file = line.partition(" > ")
    for command in commands.split(" | "):
        typed = pbm(*shlex.split(command)[1:], stdin=stdin)
        stdin = typed.out
    if file:
        Path(file).write_text(typed.out, "utf-8")
    return replace(typed, out="") if file else typed


def done(*arguments: str, stdin: str = "") -> str:
    """Type a command that must succeed without complaint; return what it prints."""
    typed = pbm(*arguments, stdin=stdin)
    assert (typed.status, typed.err) == (0, ""), typed
    return typed.out


def refused(*arguments: str, stdin: str = "") -> str:
    """Type a command that must be refused; return its one line on standard error."""
    typed = pbm(*arguments, stdin=stdin)
    assert (typed.status, typed.out) == (1, ""), typed
    assert typed.err.startswith("pbm: ")
    assert typed.err.count("\n") == 1, typed.err
    return typed.err.removeprefix("pbm: ").rstrip()


def hand_in(subject: str, sender: str = "alice@example.com", headers: str = "") -> None:
    """Put a mail into the inbox; `{password}` is everybody's."""
    head = f"From: {sender}\nTo: pbm@localhost\nSubject: {subject}\n{headers}"
    done("inject", "-", stdin=f"{head.format(password=PASSWORD)}\nHello.\n")


def sql(statement: str, *values: object, file: str = "var/pbm.db") -> None:
    """Change the database by hand: a statement with values, or several statements."""
    with closing(sqlite3.connect(file)) as database, database:
        if values:
            database.execute(statement, values)
        else:
            database.executescript(statement)


def findings(typed: Typed) -> dict[str, tuple[str, str]]:
    """Return the level and the text of each check of the doctor, by its name."""
    lines = [(line[:4].rstrip(), *line[5:].split(": ", 1)) for line in typed.out.splitlines()]
    return {name: (level, text) for level, name, text in lines}


def found(name: str, *arguments: str) -> tuple[str, str]:
    """Return what the doctor says about `name`, and check its exit status."""
    typed = pbm("doctor", name, *arguments)
    told = findings(typed)
    assert typed.status == int("FAIL" in {level for level, _ in told.values()})
    assert typed.err == ""
    return told[name]
