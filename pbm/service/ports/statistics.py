"""The store's part for counting: what an operator wants to know at a glance."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerState


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """Boards of a game: open and over now, and those `started` and `ended` of late."""

    open: int
    over: int
    started: int
    ended: int


@dataclass(frozen=True, slots=True)
class MailCounts:
    """Mails in the shunt and given up, and those `taken` in and `sent` of late."""

    shunted: int
    taken: int
    waiting: int
    dead: int
    sent: int


@dataclass(frozen=True, slots=True)
class LookCounts:
    """How many boards are to be looked at by now, and when the `next` is, or was, to be."""

    due: int
    next: datetime | None


class Statistics(Protocol):
    """Numbers, each found with one statement, however much is stored."""

    def boards(self, since: datetime) -> Mapping[str, BoardCounts]:
        """Return the boards by game; `since` is what of late means."""

    def players(self) -> Mapping[PlayerState, int]:
        """Return how many players there are in each state that anybody is in."""

    def playing(self) -> int:
        """Return how many players have an open board."""

    def away(self, now: datetime) -> Mapping[PauseKind, int]:
        """Return for how many active players their own clocks stand at `now`, and why."""

    def wanted(self) -> tuple[int, int]:
        """Return how many invitations wait for an answer, and how many seeks of active players."""

    def mails(self, since: datetime) -> MailCounts:
        """Return the mails of inbox and outbox; one of late that is pruned is not counted."""

    def looks(self, now: datetime) -> LookCounts:
        """Return how the clocks are looked after."""
