"""The contests of robots: who plays whom, how often, and how much is to be won.

Each game follows from its number alone, so it is the same in whatever process it is played.
"""

import json
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise

from pbm.bench.strengths import Forced, Rival, forced_wins, strength_of
from pbm.engine import AnyGame, read_move
from pbm.robots.duel import Side, contest_name, game_between
from pbm.robots.levels import GLANCE, LEVELS, RANDOM, Level
from pbm.robots.lookahead import Lookahead
from pbm.robots.player import Robot

ROWS = ("level2", "level3", "level4", "level5", "glance", "random", "forced", "tenth", "lookahead")
"""What can be asked for: a level against the one below, level 5 against others, riddles."""

_STRONGEST = LEVELS[-1]
_LADDER = {"level2": 100, "level3": 100, "level4": 30, "level5": 30}
_ENOUGH = 0.65


@dataclass(frozen=True, slots=True)
class Contest:
    """So many games, the first side in which is to win a share of at least `aim`.

    In a riddle that is to find the forced win of each of the `positions`; there is no other side.
    """

    game: AnyGame
    options: Mapping[str, str]
    row: str
    sides: tuple[Side, ...]
    games: int
    aim: float
    positions: tuple[Forced, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in a table."""
        names = contest_name(self.sides)
        return f"forced wins: {names}" if self.positions else names

    @property
    def effort(self) -> int:
        """A rough measure of how long a game takes."""
        return sum(side.playouts if isinstance(side, Level) else 1000 for side in self.sides)


@dataclass(frozen=True, slots=True)
class Task:
    """One game of a contest."""

    contest: Contest
    number: int

    @property
    def key(self) -> str:
        """All that decides the game, as text."""
        contest = self.contest
        sides = [asdict(side) for side in contest.sides]
        riddle = str(contest.positions[self.number]) if contest.positions else ""
        told = [contest.game.info.key, dict(contest.options), sides, self.number, riddle]
        return json.dumps(told, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the first side got of a game, from 0 to 1, and the seconds of CPU that it took."""

    won: float
    plies: int
    cpu: float


def contests_of(game: AnyGame, rows: tuple[str, ...], games: int | None) -> Iterator[Contest]:
    """Yield the contests of a game; `rows` and `games` choose fewer. Raises BenchError."""
    for contest in _all_of(game):
        if not rows or contest.row in rows:
            most = len(contest.positions) or games or contest.games
            yield replace(contest, games=min(most, games or most))


def play(task: Task) -> Outcome:
    """Return how a game ends."""
    began = time.process_time()
    won, plies = _solved(task) if task.contest.positions else _played(task)
    return Outcome(won, plies, time.process_time() - began)


def _all_of(game: AnyGame) -> Iterator[Contest]:
    told = strength_of(game)
    duel = Contest(game, told.options, "", (), 30, _ENOUGH)
    for below, level in pairwise(LEVELS):
        sides, games = (level, below), _LADDER[level.name]
        yield replace(duel, row=level.name, sides=sides, games=games)
    yield replace(duel, row="glance", sides=(_STRONGEST, GLANCE), aim=0.95)
    yield replace(duel, row="random", sides=(_STRONGEST, RANDOM), aim=1.0, games=100)
    positions = forced_wins(game)
    for level in LEVELS[-2:] if positions else ():
        riddles = replace(duel, row="forced", sides=(level,), aim=1.0, options={})
        yield replace(riddles, positions=positions, games=len(positions))
    if told.tenth:
        tenth = replace(
            _STRONGEST, name=f"{_STRONGEST.name}/10", playouts=_STRONGEST.playouts // 10
        )
        yield _against(duel, "tenth", tenth, told.tenth)
    if told.lookahead:
        plies = told.lookahead.plies
        ahead = Lookahead(f"alpha-beta of {plies} plies", plies)
        yield _against(duel, "lookahead", ahead, told.lookahead)


def _against(duel: Contest, row: str, other: Side, rival: Rival) -> Contest:
    sides, options = (_STRONGEST, other), rival.options or duel.options
    return replace(duel, row=row, sides=sides, aim=rival.aim, options=options)


def _played(task: Task) -> tuple[float, int]:
    contest = task.contest
    one, other = contest.sides
    setup = contest.game.info.setup(contest.options)
    played = game_between(contest.game, setup, (one, other), task.number, _dice)
    return played.worths[0], played.plies


def _solved(task: Task) -> tuple[float, int]:
    """Return whether the move is one of those that force the win, or is proven to win."""
    game, riddle = task.contest.game, task.contest.positions[task.number]
    position = riddle.position(game)
    (level,) = task.contest.sides
    assert isinstance(level, Level)  # noqa: S101 - riddles are for robots
    decision = Robot(game, level, _dice(str(task.number))).decide(position)
    seat = game.to_move(position.state)[0]
    move = str(read_move(game, position.state, seat, decision.text))
    proven = decision.found is not None and decision.found.best.proven == 1
    return float(proven or move in riddle.wins), position.ply


def _dice(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 - reproducible play, no secret
