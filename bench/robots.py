"""How strong robots are: each level against the one below, against others, and in riddles.

Playouts and seeds are fixed, and each game follows from its number alone, so the same version finds
the same figures on any machine, in any number of processes.
"""

import random
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from statistics import median
from typing import Any

from bench.report import BenchError, Plan, Report
from bench.strengths import Forced, Rival, forced_wins, strength_of
from pbm.engine import AnyGame, read_move
from pbm.robots.duel import Side, board_name, contest_name, game_between, share_of
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the first side got of a game, from 0 to 1, and the seconds of CPU that it took."""

    won: float
    plies: int
    cpu: float


def contests_of(game: AnyGame, rows: tuple[str, ...], games: int | None) -> Iterator[Contest]:
    """Yield the contests of a game, or fewer by `rows` and `games`. Raises BenchError."""
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


def report(plan: Plan) -> Report:
    """Return the result of each contest of the plan's games. Raises BenchError."""
    unknown = set(plan.rows) - set(ROWS)
    if unknown:
        raise BenchError(f"The rows are {', '.join(ROWS)}.")
    contests = [
        contest for game in plan.games for contest in contests_of(game, plan.rows, plan.matches)
    ]
    tasks = [Task(contest, number) for contest in contests for number in range(contest.games)]
    # The long ones first, so that no process is left with one at the end.
    tasks.sort(key=lambda task: -task.contest.effort)
    outcomes = list(_outcomes(tasks, plan.workers))
    rows = [
        _row(
            contest,
            [found for task, found in zip(tasks, outcomes, strict=True) if task.contest is contest],
        )
        for contest in contests
    ]
    return Report("robots", "share of the games that the first won, a draw as a half", rows)


def _outcomes(tasks: list[Task], workers: int) -> Iterator[Outcome]:
    """Yield the outcome of each task, in their order; in this process if `workers` is 1."""
    if workers == 1:
        yield from map(play, tasks)
        return
    with get_context("spawn").Pool(workers, _ignore_interrupt) as pool:
        yield from pool.imap(play, tasks)


def _ignore_interrupt() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that began the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _row(contest: Contest, played: Sequence[Outcome]) -> dict[str, Any]:
    share = share_of(sum(each.won for each in played), len(played))
    return {
        "game": contest.game.info.key,
        "board": board_name(contest.options),
        "row": contest.row,
        "contest": contest.name,
        "games": share.games,
        "won": share.share,
        "low": share.low,
        "high": share.high,
        "aim": contest.aim,
        "met": "yes" if share.share >= contest.aim else "no",
        "plies": median(each.plies for each in played),
        "cpu": sum(each.cpu for each in played),
    }
