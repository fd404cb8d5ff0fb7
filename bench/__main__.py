"""The command line of the benchmarks: `python -m bench [PART]...`, or `make bench` for all."""

import importlib
import json
import os
import platform
import signal
import sys
from collections.abc import Mapping
from typing import Any

import click

from bench.report import BenchError, Plan, as_table
from pbm.domain.errors import Refusal
from pbm.engine import GameError
from pbm.plugins import installed_games

PARTS: Mapping[str, Mapping[str, Any]] = {
    "engines": {},
    "play": {},
    # Eight times as many moves as are on their way at once: the first and last weigh little.
    "way": {"moves": 4000, "boards": 1500},
    "intake": {"moves": 1500, "boards": 750},
    "latency": {"moves": 30, "boards": 150},
    "nth-move": {"boards": 64},
    "many-boards": {"boards": 50_000},
    "disk": {"moves": 2000, "boards": 200},
    "start": {},
    "flood": {"moves": 10_000, "boards": 1000},
    "robots": {},
}
"""The parts, each a module of this package with `report(plan)`, and their usual sizes."""

_HOURS = frozenset({"robots"})
"""Parts that take hours, so they run only when they are named."""

_positive = click.IntRange(min=1)


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)), metavar="[PART]...")
@click.option(
    "--on",
    "servers",
    multiple=True,
    default=("sqlite",),
    metavar="sqlite|URL",
    help="Where scratch databases are made: sqlite, or the URL of a PostgreSQL server.",
)
@click.option(
    "--processes",
    multiple=True,
    type=click.Choice(["one", "two", "three", "four"]),
    help="Layouts of the server: one or two that do all, three by role, four of which two play.",
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    type=click.Choice(["text", "html", "drawn"]),
    default=("text", "html"),
    help="Mails as text, as HTML with cached pictures, or with each picture drawn.",
)
@click.option(
    "--game", "games", multiple=True, help="The game to play; several, where a part measures each."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@click.option("--rounds", type=_positive, help="Rounds in turn.")
@click.option("--moves", type=_positive, help="Moves in a round.")
@click.option("--boards", type=_positive, help="Boards that they are played on.")
@click.option("--connections", type=_positive, help="SMTP connections that are kept open.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="engines: seconds of CPU for each in a round.",
)
@click.option(
    "--row",
    "rows",
    multiple=True,
    metavar="ROW",
    help="robots: level2 to level5, glance, random, forced, tenth or lookahead.",
)
@click.option("--games-played", "matches", type=_positive, help="robots: games in each row.")
@click.option("--workers", type=_positive, help="robots: processes in which they play.")
@click.option("--json", "as_json", is_flag=True, help="Print the JSON alone, no tables.")
def bench(
    parts: tuple[str, ...],
    games: tuple[str, ...],
    options: tuple[str, ...],
    *,
    as_json: bool,
    **given: Any,
) -> None:
    """Measure how fast pbm is, against yardsticks of the same run.

    The parts are engines, play, way, intake, latency, nth-move, many-boards, disk, start, flood
    and robots. Without a PART, all but robots run, which takes an hour; robots take two. Options
    that are not given have sizes that suit the part. Prints JSON to standard output and tables to
    standard error. The yardsticks: N is aiosmtpd that throws mails away, D are SQLite transactions
    of one row each, and P is python-chess.
    """
    catalogue = installed_games()
    chosen = tuple(map(catalogue.get, games)) or tuple(catalogue)
    pairs = dict(text.partition("=")[::2] for text in options)
    sizes = {name: value for name, value in given.items() if value not in (None, ())}
    found = []
    for part in parts or [each for each in PARTS if each not in _HOURS]:
        plan = Plan(chosen, pairs, **{**PARTS[part], **sizes})
        report = importlib.import_module(f"bench.{part.replace('-', '_')}").report(plan)
        if not as_json:
            click.echo(f"{part}, {report.unit}:\n{as_table(report.rows)}\n", err=True)
        found.append(report.figures())
    click.echo(json.dumps({"machine": _machine(), "parts": found}))


def _machine() -> dict[str, Any]:
    """Return facts about this machine that the figures depend on."""
    return {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; an error that the user can mend ends in one line and status 1."""
    # Exit on SIGTERM as on Ctrl-C, so that no server and no scratch database is left behind.
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        bench.main(arguments, prog_name="python -m bench")
    except (BenchError, GameError, Refusal, OSError) as error:
        click.echo(f"bench: {error}", err=True)
        sys.exit(1)
    finally:
        signal.signal(signal.SIGTERM, before)


if __name__ == "__main__":
    main()
