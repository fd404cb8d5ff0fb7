"""The verdict of a check."""

import stat
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pbm.engine import frozen


class Severity(StrEnum):
    """The level of a verdict: the operator must fix a FAIL, and should look at a warning."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"


class Verdict(NamedTuple):
    """The result of a check: `text` has no secrets, and says what to do if something is wrong."""

    level: Severity
    text: str


@frozen
class Finding:
    """The verdict of the check called `name`."""

    name: str
    level: Severity
    text: str


def ok(text: str) -> Verdict:
    """Return the verdict that all is in order."""
    return Verdict(Severity.OK, text)


def warn(text: str) -> Verdict:
    """Return the verdict that the operator should look."""
    return Verdict(Severity.WARN, text)


def fail(text: str) -> Verdict:
    """Return the verdict that the operator must fix something."""
    return Verdict(Severity.FAIL, text)


def mode_of(path: Path) -> int:
    """Return the permission bits of a file, such as 0o600."""
    return stat.S_IMODE(path.stat().st_mode)
