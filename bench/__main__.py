"""The command line of the benchmarks: `python -m bench [PART]...`, or `make bench` for all."""

import json
import os
import platform
import signal
import sys
from collections.abc import Sequence
from typing import Any

import click

from bench import games, play, ratings, shortest, start, traffic  # noqa: F401 - they bring the parts
from bench.games import ROWS
from bench.report import PARTS, BenchError, Plan, as_table, rounded
from bench.servers import PROCESSES
from pbm.domain.errors import Refusal
from pbm.engine import GameError
from pbm.plugins import installed_games

_LONG = ("robots", "ratings", "shortest")
"""The parts that run only if they are named."""

_HELP = f"""Measure how fast pbm is, against yardsticks of the same run.

The parts are {", ".join(PARTS)}. Without a PART, all but {", ".join(_LONG)} run, which takes
an hour; robots take two. Options that are not given have sizes that suit the part. Prints JSON to
standard output and tables to standard error. The yardsticks: N is aiosmtpd that throws mails away,
D are SQLite transactions of one row each, and P is python-chess.
"""

_positive = click.IntRange(min=1)

_OPTIONS = (
    ("--on", "servers", str, "Where scratch databases are made: sqlite, or a PostgreSQL URL."),
    ("--processes", "processes", click.Choice(list(PROCESSES)), "Layouts of the server."),
    ("--form", "forms", click.Choice(["text", "html"]), "The form of the mails."),
    ("--game", "keys", str, "The game to play; several, where a part measures each."),
    ("--option", "options", str, "An option of the game, as NAME=VALUE."),
    ("--rounds", "rounds", _positive, "Rounds in turn."),
    ("--moves", "moves", _positive, "Moves in a round."),
    ("--boards", "boards", _positive, "Boards that they are played on."),
    ("--connections", "connections", _positive, "SMTP connections that are kept open."),
    ("--seconds", "seconds", float, "engines: seconds of CPU for each in a round."),
    ("--row", "rows", click.Choice(ROWS), "robots: the contests that are played."),
    ("--games-played", "matches", _positive, "robots: games in each contest."),
    ("--workers", "workers", _positive, "robots: processes in which they play."),
)
"""Flags, fields of the plan (`keys` of games), types and help."""

_SEVERAL = ("servers", "processes", "forms", "keys", "options", "rows")
"""The fields that may be given again."""


def measure(
    parts: Sequence[str], keys: Sequence[str], options: Sequence[str], *,
    as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Measure the parts, and print what was found."""
    catalogue = installed_games()
    chosen = tuple(map(catalogue.get, keys)) or tuple(catalogue)
    pairs = dict(text.partition("=")[::2] for text in options)
    sizes = {name: value for name, value in given.items() if value not in (None, ())}
    found = []
    for name in parts or [name for name in PARTS if name not in _LONG]:
        part = PARTS[name]
        plan = Plan(chosen, pairs, **{**part.sizes, **sizes})
        rows = part.measure(plan)
        if not as_json:
            click.echo(f"{name}, {part.unit}:\n{as_table(rows)}\n", err=True)
        found.append({"benchmark": name, "unit": part.unit, **plan.settings, "rows": rows})
    machine = {"cores": os.cpu_count(), "python": platform.python_version(),
               "system": platform.platform(), "load": os.getloadavg()[0]}  # fmt: skip
    click.echo(json.dumps(rounded({"machine": machine, "parts": found})))


bench = click.Command(
    "bench",
    callback=measure,
    help=_HELP,
    params=[
        click.Argument(["parts"], nargs=-1, type=click.Choice(list(PARTS)), metavar="[PART]..."),
        *(click.Option([flag, name], type=kind, help=text, multiple=name in _SEVERAL)
          for flag, name, kind, text in _OPTIONS),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the JSON alone, no tables."),
    ],
)  # fmt: skip


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
