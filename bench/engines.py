"""How fast the rule engines play: random playouts, with python-chess as the yardstick P.

A playout goes from the start to the end through the public contract: to_move, all of
legal_moves, play, result. The unit is a ply. Machines differ, so what counts is the ratio between
contestants of one run, not a rate alone.
"""

import gc
import random
import time
from collections.abc import Callable, Mapping
from statistics import median

from bench.report import BenchError, Plan, Report
from pbm.engine import AnyGame

Work = Callable[[], int]
"""Does one piece of work from start to end; returns the units in it."""

YARDSTICK = "python-chess"

YARDSTICK_PLIES = 100
"""Plies after which a game of chess is stopped."""

LONGEST = 2000
"""Plies after which any game is stopped: random moves may never end one."""


def report(plan: Plan) -> Report:
    """Return the plies a second of the yardstick and each game, and their ratio to the yardstick.

    The ratio is the median of the ratios of each round: a slow moment hardly changes it.
    """
    chance = seeded()
    contestants = {YARDSTICK: chess_playouts(chance)}
    contestants |= {game.info.key: engine_playouts(game, chance) for game in plan.games}
    rates = rates_in_turn(contestants, plan.rounds, plan.seconds)
    rows = [
        {
            "game": name,
            "plies_per_second": median(own),
            "ratio": median(a / b for a, b in zip(own, rates[YARDSTICK], strict=True)),
        }
        for name, own in rates.items()
    ]
    settings = {"rounds": plan.rounds, "seconds": plan.seconds}
    return Report("engines", "plies per second of CPU", rows, settings)


def rates_in_turn(
    contestants: Mapping[str, Work], rounds: int, seconds: float
) -> dict[str, tuple[float, ...]]:
    """Return each contestant's rates, one per round, in units per second of CPU.

    Each works for `seconds` of CPU or a little more, one after the other, A B A B ..., so that
    the n-th rates of two contestants belong to the same moment. Each does one piece of work
    unmeasured before that, which fills caches and tables.
    """
    for work in contestants.values():
        work()
    measured = [[cpu_rate(work, seconds) for work in contestants.values()] for _ in range(rounds)]
    return dict(zip(contestants, zip(*measured, strict=True), strict=True))


def cpu_rate(work: Work, seconds: float) -> float:
    """Return units per second of this process's CPU, over whole pieces for `seconds` or more."""
    gc.collect()
    units = 0
    start = time.process_time()
    while True:
        units += work()
        spent = time.process_time() - start
        if spent >= seconds:
            return units / spent


def seeded() -> random.Random:
    """Return chance that is the same in every run."""
    return random.Random(0)  # noqa: S311 - reproducible play, no secret


def engine_playouts(game: AnyGame, chance: random.Random) -> Work:
    """Return work that plays one random game from the start to the end."""
    setup = game.info.setup()

    def play_out() -> int:
        state = game.start(setup)
        plies = 0
        while (seats := game.to_move(state)) and plies < LONGEST:
            moves = list(game.legal_moves(state, seats[0]))
            state = game.play(state, seats[0], chance.choice(moves))
            game.result(state)
            plies += 1
        return plies

    return play_out


def chess_playouts(chance: random.Random) -> Work:
    """Return work that plays one random game of chess; raise BenchError if chess is missing."""
    try:
        import chess  # noqa: PLC0415 - an extra, needed only here
    except ImportError as error:
        raise BenchError("The yardstick is python-chess; get it: pip install chess.") from error

    def play_out() -> int:
        board = chess.Board()
        plies = 0
        while plies < YARDSTICK_PLIES and (moves := list(board.legal_moves)):
            board.push(chance.choice(moves))
            plies += 1
        return plies

    return play_out
