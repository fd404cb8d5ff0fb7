"""What a check says."""

import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class Level(StrEnum):
    """How bad it is: a FAIL is to be mended, at a warning one should look."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"


class Verdict(NamedTuple):
    """What a check says: `text` has no secrets in it, and tells what to do if it is bad."""

    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict of the check called `name`."""

    name: str
    level: Level
    text: str


def ok(text: str) -> Verdict:
    """Return the verdict that all is well."""
    return Verdict(Level.OK, text)


def warn(text: str) -> Verdict:
    """Return the verdict that one should look."""
    return Verdict(Level.WARN, text)


def fail(text: str) -> Verdict:
    """Return the verdict that something is to be mended."""
    return Verdict(Level.FAIL, text)


def mode_of(path: Path) -> int:
    """Return the permission bits of a file, such as 0o600."""
    return stat.S_IMODE(path.stat().st_mode)
