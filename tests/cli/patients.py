"""Reading what `pbm doctor` says."""

from tests.cli.terminal import Typed, pbm

STORED = {"tokens", "signs", "outages", "clocks", "inbox", "outbox", "thoughts", "boards"}
"""The checks of the contents of the database."""


def findings(typed: Typed) -> dict[str, tuple[str, str]]:
    """Return the level and the text of each line, by the name of its check."""
    lines = [(line[:4].rstrip(), *line[5:].split(": ", 1)) for line in typed.out.splitlines()]
    return {name: (level, text) for level, name, text in lines}


def found(name: str, *arguments: str) -> tuple[str, str]:
    """Return what the doctor says about `name`, and check its exit status."""
    typed = pbm("doctor", name, *arguments)
    told = findings(typed)
    assert typed.status == int("FAIL" in {level for level, _ in told.values()})
    assert typed.err == ""
    return told[name]
