"""`pbm bench`: benchmarks, as JSON on standard output and a table on standard error."""

import dataclasses
import platform

import click

from pbm.bench.engines import EngineRate, measure_engines
from pbm.cli.options import echo, echo_json, setting
from pbm.plugins import installed_games


@click.group()
def bench() -> None:
    """Measure how fast pbm is, against a yardstick in the same run."""


@bench.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@setting("--rounds", default=5, type=click.IntRange(min=1),
              help="How often each is measured, in turn.")  # fmt: skip
@setting("--seconds", default=1.0, type=click.FloatRange(min=0, min_open=True),
         help="CPU seconds for each in a round.")  # fmt: skip
def engines(games: tuple[str, ...], rounds: int, seconds: float) -> None:
    """Play random moves of each GAME, of all by default.

    Prints plies per second of CPU, and their ratio to those of python-chess in the same run.
    """
    catalogue = installed_games()
    chosen = [catalogue.get(name) for name in games] or list(catalogue)
    rates = measure_engines(chosen, rounds, seconds)
    echo(_table(rates), err=True)
    echo_json(
        {
            "benchmark": "engines",
            "unit": "plies per second of CPU",
            "python": platform.python_version(),
            "rounds": rounds,
            "seconds": seconds,
            "yardstick": dataclasses.asdict(rates[0]),
            "games": [dataclasses.asdict(rate) for rate in rates[1:]],
        }
    )


def _table(rates: tuple[EngineRate, ...]) -> str:
    lines = [f"{'':<14}{'plies/s':>10}{'ratio':>8}"]
    lines += [f"{r.game:<14}{r.plies_per_second:>10,.0f}{r.ratio:>8.2f}" for r in rates]
    return "\n".join(lines)
