"""What the templates of mails about silence are given.

A line to be typed stands alone, so that it is never broken.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class StayMail:
    """The reader is asked whether he stays; `until` is how long the server waits for a word."""

    template: ClassVar[str] = "absence/stay.txt.j2"
    reader: str
    until: str


@dataclass(frozen=True, slots=True)
class InvitationClosedMail:
    """`missing` are those who have not agreed, `absent` is who has been silent for long, or "".

    `line` invites anew; the reader replies with it, if `by_reply`, or else writes it anew.
    """

    template: ClassVar[str] = "absence/invitation.txt.j2"
    reader: str
    title: str
    number: int
    players: str
    missing: str
    absent: str
    line: str
    by_reply: bool


@dataclass(frozen=True, slots=True)
class SeekClosedMail:
    """`matches` is how many the reader still wanted; `line` seeks them anew."""

    template: ClassVar[str] = "absence/seek.txt.j2"
    reader: str
    title: str
    matches: str
    days: int
    line: str


TEMPLATES = (StayMail, InvitationClosedMail, SeekClosedMail)
"""Every context of this subject."""
