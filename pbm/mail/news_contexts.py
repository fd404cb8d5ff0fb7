"""What the templates of news about the server are given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class OutageMail:
    """The server was silent; `lines` tell of the boards that wait for the reader's move.

    `example` shows the most urgent of them, "" if none waits.
    """

    template: ClassVar[str] = "news/outage.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class StoppedMail:
    """The operator has stopped all clocks."""

    template: ClassVar[str] = "news/stopped.txt.j2"
    reader: str
    began: str


@dataclass(frozen=True, slots=True)
class ResumedMail:
    """All clocks run again; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "news/resumed.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class CorrectedMail:
    """Deadlines that were told may have been wrong; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "news/corrected.txt.j2"
    reader: str
    lines: tuple[str, ...]
    example: str


TEMPLATES = (OutageMail, StoppedMail, ResumedMail, CorrectedMail)
"""Every context of this subject."""
