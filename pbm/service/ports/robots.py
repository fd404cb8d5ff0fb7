"""The store's part for robots: who thinks for them, and what there is to think about."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbm.domain.player import PlayerId
from pbm.domain.robots import Brain, Thought, ThoughtKind


@dataclass(frozen=True, slots=True)
class ThoughtCounts:
    """Thoughts that are due and wait, those being thought, and since when the oldest waits."""

    waiting: int
    held: int
    oldest: datetime | None


class Robots(Protocol):
    """The brains of the players who are robots."""

    def all(self) -> Mapping[PlayerId, Brain]:
        """Return them all; a server has few."""

    def get(self, player: PlayerId) -> Brain | None: ...

    def boards_with(self, player: PlayerId) -> int:
        """Return on how many boards that are not over `player` sits with a robot."""

    def save(self, player: PlayerId, brain: Brain) -> None:
        """Add the brain of a new robot, or replace one."""


def tally_of(payer: PlayerId) -> str:
    """Return the key of the tally of milliseconds that were thought for `payer`, by day."""
    return f"{TALLY}{payer}"


TALLY = "thinking:"
"""How the keys of these tallies begin."""


class Thoughts(Protocol):
    """What there is to think about. The same waits once, however often it is asked."""

    def add(
        self,
        kind: ThoughtKind,
        number: int,
        player: PlayerId,
        now: datetime,
        payer: PlayerId | None = None,
    ) -> None:
        """Ask. It is thought in the share of `payer`, who is `player` if nobody is named.

        What is asked already is thought about anew if it is being thought about now, because what
        was found may be out of date.
        """

    def claim(self, owner: str, now: datetime, day: datetime) -> Thought | None:
        """Return what comes next of what is due, which is `owner`'s from the commit on.

        First come those for whom least was thought since `day`, and of these what has waited
        longest.
        """

    def done(self, thought: Thought) -> bool:
        """Forget a claimed thought that is carried out; return False if it was taken away.

        If it was asked again since it was claimed, it waits again, and is due now.
        """

    def put_off(self, thought: Thought, due_at: datetime, tries: int = 0) -> bool:
        """Give a claimed thought back, to be looked at again from `due_at` on, after `tries`.

        Return False if it was taken away.
        """

    def owners(self) -> tuple[str, ...]:
        """Return who thinks about anything now."""

    def release(self, owner: str) -> None:
        """Give back all that `owner` thinks about."""

    def counts(self, now: datetime) -> ThoughtCounts: ...
