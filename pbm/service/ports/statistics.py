"""The store's part for counting: what an operator wants to know at a glance."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerState


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """Boards of a game: open and over now, and those `started` and `ended` recently."""

    open: int
    over: int
    started: int
    ended: int


@dataclass(frozen=True, slots=True)
class MailCounts:
    """Mails in the shunt and given up, and those `taken` in and `sent` recently.

    `put_off` are those that wait after many tries.
    """

    shunted: int
    taken: int
    waiting: int
    dead: int
    sent: int
    put_off: int


@dataclass(frozen=True, slots=True)
class LookCounts:
    """How many boards are due for a look by now, and when the `next` one is, or was, due."""

    due: int
    next: datetime | None


class Statistics(Protocol):
    """Numbers, each found with one statement, however much is stored."""

    def boards(self, since: datetime) -> Mapping[str, BoardCounts]:
        """Return the boards by game; recently means after `since`."""

    def players(self) -> Mapping[PlayerState, int]:
        """Return how many people are in each state; states with none are left out."""

    def playing(self) -> int:
        """Return how many people have an open board."""

    def away(self, now: datetime) -> Mapping[PauseKind, int]:
        """Return how many active players' own clocks stand at `now`, by the reason."""

    def wanted(self) -> tuple[int, int]:
        """Return how many invitations wait for an answer, and how many seeks of active players."""

    def mails(self, since: datetime, tries: int) -> MailCounts:
        """Return the mails of inbox and outbox; recent ones already pruned are not counted.

        So many `tries` and more are many.
        """

    def looks(self, now: datetime) -> LookCounts:
        """Return how many clocks are due for a look, and when the next one is."""
