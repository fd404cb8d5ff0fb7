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


class Thoughts(Protocol):
    """What there is to think about. The same is asked once, until the answer is there."""

    def add(self, kind: ThoughtKind, number: int, player: PlayerId, now: datetime) -> None:
        """Ask, unless the same is asked already."""

    def claim(self, owner: str, now: datetime) -> Thought | None:
        """Return what has waited longest of what is due, which is `owner`'s from the commit on."""

    def held(self, thought: int, owner: str) -> bool:
        """Return whether the thought is still there and `owner`'s; locks it until the end."""

    def put_off(self, thought: int, due_at: datetime) -> None:
        """Give a thought back, to be looked at again from `due_at` on."""

    def done(self, thought: int) -> None: ...

    def owners(self) -> tuple[str, ...]:
        """Return who thinks about anything now."""

    def release(self, owner: str) -> None:
        """Give back all that `owner` thinks about."""

    def counts(self, now: datetime) -> ThoughtCounts: ...
