"""How fast the rule engines play: random playouts, with python-chess as the yardstick.

A playout goes from the start to the end through the public contract: to_move, all of
legal_moves, play, result. The unit is a ply. Machines differ, so what counts is the ratio between
contestants of one run, not a rate alone.
"""

import dataclasses
import gc
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from pbm.bench.errors import YardstickError
from pbm.bench.plan import Plan, Tick
from pbm.bench.report import Report
from pbm.engine import AnyGame

Work = Callable[[], int]
"""Does one piece of work from start to end; returns the units in it."""


def nobody() -> None:
    """Tell nobody that a step is done."""


def rates_in_turn(
    contestants: Mapping[str, Work],
    rounds: int,
    seconds: float,
    tick: Tick = nobody,
) -> dict[str, tuple[float, ...]]:
    """Return each contestant's rates, one per round, in units per second of CPU.

    Each works for `seconds` of CPU or a little more, one after the other, A B A B ..., so that
    the n-th rates of two contestants belong to the same moment. Each does one piece of work
    unmeasured before that, which fills caches and tables.
    """
    for work in contestants.values():
        work()
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            rates[name].append(cpu_rate(work, seconds))
        tick()
    return {name: tuple(measured) for name, measured in rates.items()}


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


YARDSTICK = "python-chess"

YARDSTICK_PLIES = 100
"""Plies after which a game of chess is stopped."""

LONGEST = 2000
"""Plies after which any game is stopped: random moves may never end one."""


@dataclass(frozen=True, slots=True)
class EngineRate:
    """Plies per second of CPU, the median of the rounds, and their ratio to the yardstick's.

    `ratio` is the median of the ratios of each round, which a slow moment on a shared machine
    hardly changes.
    """

    game: str
    plies_per_second: float
    ratio: float


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return plan.rounds


def report(plan: Plan, tick: Tick) -> Report:
    """Return the rates of all games that are installed, or of those that are `plan.games`."""
    rates = measure_engines(plan.games, plan.rounds, plan.seconds, tick)
    rows = [dataclasses.asdict(rate) for rate in rates]
    settings = {"rounds": plan.rounds, "seconds": plan.seconds}
    return Report("engines", "plies per second of CPU", rows, settings)


def measure_engines(
    games: Iterable[AnyGame],
    rounds: int,
    seconds: float,
    tick: Tick = nobody,
    seed: int = 0,
) -> tuple[EngineRate, ...]:
    """Return the rates of the yardstick, which comes first, and of `games` at their defaults.

    Each gets `seconds` of CPU in each round; `tick` is called after it. Raises YardstickError.
    """
    chance = random.Random(seed)  # noqa: S311 - reproducible play, no secret
    contestants: dict[str, Work] = {YARDSTICK: chess_playouts(chance)}
    contestants |= {game.info.key: engine_playouts(game, chance) for game in games}
    rates = rates_in_turn(contestants, rounds, seconds, tick)
    return tuple(
        EngineRate(name, median(own), _ratio(own, rates[YARDSTICK])) for name, own in rates.items()
    )


def _ratio(own: tuple[float, ...], yardstick: tuple[float, ...]) -> float:
    return median(a / b for a, b in zip(own, yardstick, strict=True))


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
    """Return work that plays one random game of chess; raise YardstickError."""
    try:
        import chess  # noqa: PLC0415 - an extra, needed only here
    except ImportError as error:
        raise YardstickError(
            "The yardstick is python-chess; get it with: pip install 'pbm-server[bench]'."
        ) from error

    def play_out() -> int:
        board = chess.Board()
        plies = 0
        while plies < YARDSTICK_PLIES and (moves := list(board.legal_moves)):
            board.push(chance.choice(moves))
            plies += 1
        return plies

    return play_out
