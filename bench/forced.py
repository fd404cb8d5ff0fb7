"""Positions with forced wins that a game lists for its robots to find.

`forced.txt` in a game's folder has a line for each: in how many turns of the side to move, by which
first moves, with which options, and the moves that lead there. A line that begins with # is for
people:

    in 2 by c4 d5 with size=5: a1 b2 c3
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbm.engine import AnyGame, Chance, GameError, Position, advance, begin, read_move
from pbm.robots.levels import Level
from pbm.robots.player import Robot


@dataclass(frozen=True, slots=True)
class Forced:
    """A position, by the moves that lead there, with a win in so many turns of the side to move.

    `wins` are all first moves that force it in so many.
    """

    turns: int
    wins: tuple[str, ...]
    options: Mapping[str, str]
    moves: tuple[str, ...]

    def position(self, game: AnyGame) -> Position[Any]:
        """Return the position."""
        position = begin(game, game.info.setup(self.options))
        for move in self.moves:
            seat = game.to_move(position.state)[0]
            position, _ = advance(game, position, seat, move)
        return position

    def is_found(self, game: AnyGame, level: Level, chance: Chance) -> bool:
        """Return whether a robot of a level plays a move that forces the win, or has a proof."""
        position = self.position(game)
        decision = Robot(game, level, chance).decide(position)
        seat = game.to_move(position.state)[0]
        proven = decision.found is not None and decision.found.best.proven == 1
        return proven or str(read_move(game, position.state, seat, decision.text)) in self.wins


_FORCED = re.compile(r"in ([0-9]+) by (.+?)(?: with (.+?))?: (.+)")


def read_forced(title: str, text: str) -> Iterator[Forced]:
    """Yield the positions in the text of a game's `forced.txt`. Raises GameError."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            found = _FORCED.fullmatch(line)
            if found is None:
                raise GameError(f"forced.txt of {title} has a line that is none: {line!r}.")
            turns, wins, options, moves = found.groups(default="")
            named = dict(pair.split("=", 1) for pair in options.split())
            yield Forced(int(turns), tuple(wins.split()), named, tuple(moves.split()))
