"""Typing `pbm` commands without a process for each: the same `main`, with captured streams."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import pytest

from pbm.cli import main


@dataclass(frozen=True)
class Typed:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)


def pbm(*arguments: str, stdin: str = "") -> Typed:
    """Type a command in the working directory."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
    return Typed(int(ended.value.code or 0), out.getvalue(), err.getvalue())


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
