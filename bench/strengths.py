"""What a game's folder says of the tests of its robots' strength: boards, rivals, forced wins.

Both files are optional. `strength.toml`:

    options = {size = "7"}                    the board on which levels play each other
    tenth = {aim = 0.8, options = {...}}      level 5 against a tenth of its playouts
    lookahead = {aim = 0.75, plies = 4}       level 5 against alpha-beta, over the game's estimate

`forced.txt` has positions in which the side to move can force a win, a line each: in how many of
its turns, by which first moves, with which options, and the moves that lead there. A line that
begins with # is for people:

    in 2 by c4 d5 with size=5: a1 b2 c3
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from bench.report import BenchError
from pbm.engine import AnyGame, Position, advance, begin

_LINE = re.compile(
    r"in (?P<turns>[0-9]+) by (?P<wins>.+?)(?: with (?P<options>.+?))?: (?P<moves>.+)"
)


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

    def __str__(self) -> str:
        """Return it as a line of `forced.txt`."""
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        told = f" with {options}" if options else ""
        return f"in {self.turns} by {' '.join(self.wins)}{told}: {' '.join(self.moves)}"


@dataclass(frozen=True, slots=True)
class Rival:
    """Whom level 5 is to beat, in how much of the games, and on which board."""

    aim: float
    options: Mapping[str, str] = field(default_factory=dict)
    plies: int = 0


@dataclass(frozen=True, slots=True)
class Strength:
    """What `strength.toml` says."""

    options: Mapping[str, str] = field(default_factory=dict)
    tenth: Rival | None = None
    lookahead: Rival | None = None


def strength_of(game: AnyGame) -> Strength:
    """Return what the game's folder says. Raises BenchError."""
    try:
        told = tomllib.loads(_text(game, "strength.toml"))
        told |= {name: Rival(**told[name]) for name in ("tenth", "lookahead") if name in told}
        return Strength(**told)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise BenchError(f"strength.toml of {game.info.title}: {error}.") from error


def forced_wins(game: AnyGame) -> tuple[Forced, ...]:
    """Return the positions of the game's folder. Raises BenchError."""
    lines = _text(game, "forced.txt").splitlines()
    return tuple(_read(game, line) for line in lines if line.strip() and not line.startswith("#"))


def _read(game: AnyGame, line: str) -> Forced:
    found = _LINE.fullmatch(line)
    if found is None:
        raise BenchError(f"forced.txt of {game.info.title} has a line that is none: {line!r}.")
    pairs = (text.partition("=") for text in (found["options"] or "").split())
    return Forced(
        int(found["turns"]),
        tuple(found["wins"].split()),
        {name: value for name, _, value in pairs},
        tuple(found["moves"].split()),
    )


def _text(game: AnyGame, name: str) -> str:
    """Return a file beside the game's module, or nothing if there is none."""
    package = type(game).__module__.rpartition(".")[0]
    file = files(package).joinpath(name) if package else None
    return file.read_text("utf-8") if file is not None and file.is_file() else ""
