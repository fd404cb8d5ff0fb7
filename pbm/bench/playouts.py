"""How fast robots can try games: random playouts, by the contract alone and with a game's help.

Both play the same game from the same start by turns, so their ratio tells what the help is worth,
or that a game needs some.
"""

import dataclasses
import random
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from pbm.bench.engines import Work, rates_in_turn
from pbm.bench.plan import Plan, Tick
from pbm.bench.report import Report
from pbm.engine import AnyGame, RandomGames, RandomTurns, Setup, unhelped
from pbm.robots.playouts import PlayOut, playouts_of, turn_by_turn


@dataclass(frozen=True, slots=True)
class PlayoutRate:
    """Playouts per second of CPU, the medians of the rounds; None if a game gives no help."""

    game: str
    contract: float
    helped: float | None


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return plan.rounds * len(plan.games)


def report(plan: Plan, tick: Tick) -> Report:
    """Return the rates of each game of the plan; with its options if that is only one."""
    rows = [dataclasses.asdict(rate) for rate in _rates(plan, tick)]
    settings = {"options": dict(plan.options), "rounds": plan.rounds, "seconds": plan.seconds}
    return Report("playouts", "random playouts per second of CPU", rows, settings)


def _rates(plan: Plan, tick: Tick) -> Iterator[PlayoutRate]:
    for game in plan.games:
        setup = game.info.setup(plan.options if len(plan.games) == 1 else {})
        ways = {"contract": turn_by_turn(game, unhelped(game))}
        if isinstance(game, RandomTurns | RandomGames):
            ways["helped"] = playouts_of(game)
        contestants = {name: _playouts(game, setup, way) for name, way in ways.items()}
        rates = rates_in_turn(contestants, plan.rounds, plan.seconds, tick)
        helped = median(rates["helped"]) if "helped" in rates else None
        yield PlayoutRate(game.info.key, median(rates["contract"]), helped)


def _playouts(game: AnyGame, setup: Setup, play_out: PlayOut) -> Work:
    """Return work that plays one random game from the start to the end."""
    chance = random.Random(0)  # noqa: S311 - reproducible play, no secret

    def work() -> int:
        play_out(game.start(setup), chance)
        return 1

    return work
