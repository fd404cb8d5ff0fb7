"""Games without a server: how fast the rules are, and how strong the robots play.

Playouts and seeds of robots are fixed, and each of their games follows from its number alone, so
the same version finds the same figures on any machine, in any number of processes.
"""

import gc
import random
import signal
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.pool import Pool

from bench.boards import seeded
from bench.forced import Forced, read_forced
from bench.report import BenchError, Cost, Plan, Rows, board_name, in_turn, medians, part, ratio
from pbm.engine import AnyGame, by_weight
from pbm.engine.chance import after_chance
from pbm.engine.laws import folder_of
from pbm.robots.duel import game_between, share_of
from pbm.robots.levels import LEVELS, Level

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
    setup, draw = game.info.setup(), by_weight(chance)

    def play_out() -> int:
        state, _ = after_chance(game, game.start(setup), draw)
        plies = 0
        while (seats := game.to_move(state)) and plies < _LONGEST:
            moves = list(game.legal_moves(state, seats[0]))
            state = game.play(state, seats[0], chance.choice(moves))
            if game.info.chance:
                state, _ = after_chance(game, state, draw)
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


def forced_wins(game: AnyGame) -> list[Forced]:
    """Return the positions of the game's folder. Raises GameError."""
    return list(read_forced(game.info.title, _text(game, "forced.txt")))


def board_of(game: AnyGame) -> dict[str, str]:
    """Return the options in the game's `strength.toml`: of the board that levels play on."""
    options: dict[str, str] = tomllib.loads(_text(game, "strength.toml")).get("options", {})
    return options


def _text(game: AnyGame, name: str) -> str:
    """Return a file beside the game's help page, or nothing if there is none."""
    file = folder_of(game) / name
    return file.read_text("utf-8") if file.is_file() else ""


LADDER = {"level2": 100, "level3": 100, "level4": 30, "level5": 30}
"""Games of a level against the one below."""

FORCED = "forced"
"""The row of the two strongest levels, which must find forced wins."""

ROWS = (*LADDER, FORCED)
"""The contests of robots."""

Contest = tuple[str, Level, Level | None, int]
"""A row, the level that is measured, the other one if there is one, and the number of games."""


def contests_of(game: AnyGame) -> Iterator[Contest]:
    """Yield the contests of a game. Raises GameError."""
    for below, level in pairwise(LEVELS):
        yield level.name, level, below, LADDER[level.name]
    if number := len(forced_wins(game)):
        yield from ((FORCED, level, None, number) for level in LEVELS[-2:])


def won(game: AnyGame, level: Level, other: Level | None, number: int) -> float:
    """Play a game of a contest; return what the level got of it, from 0 to 1."""
    if other is None:
        return float(forced_wins(game)[number].is_found(game, level, _dice(str(number))))
    setup = game.info.setup(board_of(game))
    return game_between(game, setup, (level, other), number, _dice).worths[0]


def _dice(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 - reproducible play, no secret


def _ignore_interrupt() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that began the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def workers(plan: Plan) -> Pool:
    """Return the processes in which robots play."""
    return get_context("spawn").Pool(plan.workers, _ignore_interrupt)


@part("robots", "share won")
def robots(plan: Plan) -> Rows:
    """Return how each contest of the plan's games ends. Raises GameError."""
    rows: Rows = []
    with workers(plan) as pool:
        contests = ((game, *contest) for game in plan.games for contest in contests_of(game))
        for game, row, level, other, most in contests:
            if plan.rows and row not in plan.rows:
                continue
            many = min(most, plan.matches or most) if other is None else plan.matches or most
            games = [(game, level, other, number) for number in range(many)]
            share = share_of(sum(pool.starmap(won, games, chunksize=1)), many)
            rows.append({
                "game": game.info.key,
                "board": board_name(board_of(game)) if other else "",
                "row": row, "level": level.name, "other": other.name if other else "forced wins",
                **asdict(share), "aim": 0.65 if other else 1.0,
            })  # fmt: skip
    return rows
