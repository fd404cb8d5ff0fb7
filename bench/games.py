"""Games without a server: how fast the rules are, and how strong the robots play.

Playouts and seeds of robots are fixed, and each of their games follows from its number alone, so
the same version finds the same figures on any machine, in any number of processes.

A game's folder may have two files. `strength.toml` has the options of the board on which levels
play each other:

    options = {size = "7"}

`forced.txt` has positions in which the side to move can force a win, a line each: in how many of
its turns, by which first moves, with which options, and the moves that lead there. A line that
begins with # is for people:

    in 2 by c4 d5 with size=5: a1 b2 c3
"""

import gc
import random
import re
import signal
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

from bench.boards import seeded
from bench.report import BenchError, Cost, Plan, Rows, in_turn, medians, part, ratio
from pbm.engine import AnyGame, Position, advance, begin, read_move
from pbm.robots.duel import board_name, game_between, share_of
from pbm.robots.levels import LEVELS, Level
from pbm.robots.player import Robot

Playout = Callable[[], int]
"""Plays one game from the start to the end; returns its plies."""

YARDSTICK = "python-chess"

_YARDSTICK_PLIES = 100
"""Plies after which a game of chess is stopped."""

_LONGEST = 2000
"""Plies after which any game is stopped: random moves may never end one."""


@part("engines", "plies a second of CPU")
def engines(plan: Plan) -> Rows:
    """Return the plies of random playouts a second, of the yardstick P and of each game.

    A playout goes through the public contract: to_move, all of legal_moves, play, result.
    """
    chance = seeded()
    playouts = {YARDSTICK: chess_playouts(chance)}
    playouts |= {game.info.key: engine_playouts(game, chance) for game in plan.games}

    works = {name: partial(cpu_rate, each, plan.seconds) for name, each in playouts.items()}
    rates = in_turn(works, plan.rounds)
    null = rates[YARDSTICK]
    return [
        {"game": name, **medians(own), "ratio": ratio(own, null, "plies_per_second")}
        for name, own in rates.items()
    ]


def cpu_rate(playout: Playout, seconds: float) -> Cost:
    """Return plies per second of this process's CPU, over whole games for `seconds` or more."""
    gc.collect()
    plies, spent, start = 0, 0.0, time.process_time()
    while spent < seconds:
        plies += playout()
        spent = time.process_time() - start
    return {"plies_per_second": plies / spent}


def engine_playouts(game: AnyGame, chance: random.Random) -> Playout:
    """Return a random playout of a game."""
    setup = game.info.setup()

    def play_out() -> int:
        state = game.start(setup)
        plies = 0
        while (seats := game.to_move(state)) and plies < _LONGEST:
            moves = list(game.legal_moves(state, seats[0]))
            state = game.play(state, seats[0], chance.choice(moves))
            game.result(state)
            plies += 1
        return plies

    return play_out


def chess_playouts(chance: random.Random) -> Playout:
    """Return a random playout of chess, the yardstick P; raise BenchError if chess is missing."""
    try:
        import chess  # noqa: PLC0415 - an extra, needed only here
    except ImportError as error:
        raise BenchError("The yardstick is python-chess; get it: pip install chess.") from error

    def play_out() -> int:
        board = chess.Board()
        plies = 0
        while plies < _YARDSTICK_PLIES and (moves := list(board.legal_moves)):
            board.push(chance.choice(moves))
            plies += 1
        return plies

    return play_out


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


_FORCED = re.compile(r"in ([0-9]+) by (.+?)(?: with (.+?))?: (.+)")


def forced_wins(game: AnyGame) -> Iterator[Forced]:
    """Yield the positions of the game's folder. Raises BenchError."""
    for line in _text(game, "forced.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            found = _FORCED.fullmatch(line)
            if found is None:
                title = game.info.title
                raise BenchError(f"forced.txt of {title} has a line that is none: {line!r}.")
            turns, wins, options, moves = found.groups(default="")
            named = dict(pair.split("=", 1) for pair in options.split())
            yield Forced(int(turns), tuple(wins.split()), named, tuple(moves.split()))


def board_of(game: AnyGame) -> dict[str, str]:
    """Return the options of the board on which the game's folder lets levels play."""
    options: dict[str, str] = tomllib.loads(_text(game, "strength.toml")).get("options", {})
    return options


def _text(game: AnyGame, name: str) -> str:
    """Return a file beside the game's module, or nothing if there is none."""
    package = type(game).__module__.rpartition(".")[0]
    file = files(package).joinpath(name) if package else None
    return file.read_text("utf-8") if file is not None and file.is_file() else ""


_LADDER = {"level2": 100, "level3": 100, "level4": 30, "level5": 30}
"""Games of a level against the one below."""

ROWS = (*_LADDER, "forced")
"""The contests of robots: a level against the one below, and forced wins to be found."""


@dataclass(frozen=True, slots=True)
class Contest:
    """So many games of a level against another; without another, forced wins that it must find."""

    game: AnyGame
    options: Mapping[str, str]
    level: Level
    other: Level | None
    games: int

    @property
    def row(self) -> str:
        """Its name among the ROWS."""
        return self.level.name if self.other else "forced"


def contests_of(game: AnyGame, rows: Sequence[str], games: int | None) -> Iterator[Contest]:
    """Yield the contests of a game, or fewer by `rows` and `games`. Raises BenchError."""
    forced = len(list(forced_wins(game)))
    contests = [
        Contest(game, board_of(game), level, below, games or _LADDER[level.name])
        for below, level in pairwise(LEVELS)
    ]
    if forced:
        riddles = min(forced, games or forced)
        contests += [Contest(game, {}, level, None, riddles) for level in LEVELS[-2:]]
    yield from (contest for contest in contests if not rows or contest.row in rows)


def won(contest: Contest, number: int) -> float:
    """Play a game of a contest; return what the level got of it, from 0 to 1."""
    if contest.other is None:
        return float(_finds_win(contest, number))
    setup = contest.game.info.setup(contest.options)
    sides = (contest.level, contest.other)
    return game_between(contest.game, setup, sides, number, _dice).worths[0]


def _finds_win(contest: Contest, number: int) -> bool:
    """Return whether the move is one of those that force the win, or is proven to win."""
    game, riddle = contest.game, list(forced_wins(contest.game))[number]
    position = riddle.position(game)
    decision = Robot(game, contest.level, _dice(str(number))).decide(position)
    seat = game.to_move(position.state)[0]
    move = str(read_move(game, position.state, seat, decision.text))
    proven = decision.found is not None and decision.found.best.proven == 1
    return proven or move in riddle.wins


def _dice(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 - reproducible play, no secret


def _ignore_interrupt() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that began the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@part("robots", "share won")
def robots(plan: Plan) -> Rows:
    """Return how each contest of the plan's games ends. Raises BenchError."""
    rows: Rows = []
    with get_context("spawn").Pool(plan.workers, _ignore_interrupt) as pool:
        for game in plan.games:
            for contest in contests_of(game, plan.rows, plan.matches):
                games = [(contest, number) for number in range(contest.games)]
                share = share_of(sum(pool.starmap(won, games, chunksize=1)), contest.games)
                facts = {"game": game.info.key, "board": board_name(contest.options)}
                other = contest.other.name if contest.other else "forced wins"
                sides = {"row": contest.row, "level": contest.level.name, "other": other}
                aim = {"aim": 0.65 if contest.other else 1.0}
                rows.append({**facts, **sides, **asdict(share), **aim})
    return rows
