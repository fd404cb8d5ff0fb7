"""The store's part for work that a mail has begun and that goes on in parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from pbm.domain.player import PlayerId


class SequelKind(StrEnum):
    """What goes on after the mail that began it."""

    BOARD = "board"
    BROADCAST = "broadcast"
    LEAVING = "leaving"
    SEEK = "seek"


@dataclass(frozen=True, slots=True)
class Sequel:
    """Work on its way: whatever it is about, all up to `done_up_to` is done.

    `player` is who began it, None for the operator and for time; `number` is the board that it is
    about, if any. `facts` are plain values, whose names each kind knows.
    """

    id: int
    kind: SequelKind
    player: PlayerId | None
    number: int | None
    facts: Mapping[str, Any]
    done_up_to: int = 0


class Sequels(Protocol):
    """Sequels, the oldest first."""

    def add(
        self,
        kind: SequelKind,
        player: PlayerId | None,
        now: datetime,
        *,
        number: int | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None: ...

    def not_begun(self, kind: SequelKind, number: int) -> Sequel | None:
        """Return the newest one of this kind and board if nothing of it is done, and none does it.

        It is ours until the transaction ends.
        """

    def change(self, sequel: int, facts: Mapping[str, Any]) -> None: ...

    def wait(self) -> bool:
        """Return whether there is one, without claiming it."""

    def claim(self) -> Sequel | None:
        """Return the oldest one that no other worker has; it is ours until the transaction ends."""

    def progress(self, sequel: int, done_up_to: int) -> None: ...

    def done(self, sequel: int) -> None: ...
