"""What a benchmark is to do: how often, how much, with what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbm.engine import AnyGame

Tick = Callable[[], None]
"""Called after each step of a benchmark."""


@dataclass(frozen=True, slots=True)
class Target:
    """A running server: where it listens, its address, and where its relay leads, to us."""

    host: str
    port: int
    address: str
    listen: tuple[str, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The `servers` of scratch databases, the layouts of `processes`, the `forms` of the mails.

    In each of the `rounds` as many `moves` are played on `boards` of a game, over so many
    `connections`, or nothing is done for so many `seconds`, or
    so many mails are `waiting`. Robots play the contests in `rows`, all if there are none, and
    in each so many `matches`, in so many `workers`; games that are `kept` in a file are not played
    again. A benchmark looks at what it needs.
    """

    games: tuple[AnyGame, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    servers: tuple[str, ...] = ("sqlite",)
    processes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ("text", "html")
    rounds: int = 5
    moves: int = 640
    boards: int = 640
    connections: int = 20
    seconds: float = 10.0
    waiting: int = 45_000
    rows: tuple[str, ...] = ()
    matches: int | None = None
    workers: int = 2
    kept: Path | None = None
    target: Target | None = None

    @property
    def game(self) -> AnyGame:
        """The game that is played where there is only one."""
        return self.games[0]

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of it."""
        return {
            "game": self.game.info.key,
            "options": dict(self.options),
            "rounds": self.rounds,
            "moves": self.moves,
            "boards": self.boards,
            "connections": self.connections,
        }
