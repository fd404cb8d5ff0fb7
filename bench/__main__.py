"""The command line of the benchmarks: `python -m bench [PART]...`, or `make bench` for all."""

import json
import os
import platform
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from bench import games, play, start, traffic
from bench.report import BenchError, Plan, Rows, as_table, rounded
from bench.servers import PROCESSES
from pbm.domain.errors import Refusal
from pbm.engine import GameError
from pbm.plugins import installed_games


class Part(NamedTuple):
    """What is measured, in which unit, and its usual sizes; if `long`, only when it is named."""

    measure: Callable[[Plan], Rows]
    unit: str
    sizes: Mapping[str, int] = {}
    long: bool = False


_CPU = "microseconds of CPU a move"

PARTS = {
    "engines": Part(games.engines, "plies a second of CPU"),
    "play": Part(play.play, _CPU),
    # Eight times as many moves as are on their way at once: the first and last weigh little.
    "way": Part(traffic.way, f"moves a second; {_CPU}", {"moves": 4000, "boards": 1500}),
    "intake": Part(
        traffic.intake, "mails a second; microseconds of CPU a mail", {"moves": 1500, "boards": 750}
    ),
    "latency": Part(
        traffic.latency, "milliseconds to both mails at the sink", {"moves": 30, "boards": 150}
    ),
    "nth-move": Part(play.nth_move, _CPU, {"boards": 64}),
    "many-boards": Part(play.many_boards, _CPU, {"boards": 50_000}),
    "disk": Part(play.disk, "octets a move", {"moves": 2000, "boards": 200}),
    "start": Part(start.start, "milliseconds"),
    "flood": Part(
        traffic.flood, "seconds; megabytes of a process", {"moves": 10_000, "boards": 1000}
    ),
    "robots": Part(games.robots, "share won", long=True),
}

_HELP = f"""Measure how fast pbm is, against yardsticks of the same run.

The parts are {", ".join(PARTS)}. Without a PART, all but robots run, which takes an hour; robots
take two. Options that are not given have sizes that suit the part. Prints JSON to
standard output and tables to standard error. The yardsticks: N is aiosmtpd that throws mails away,
D are SQLite transactions of one row each, and P is python-chess.
"""

_positive = click.IntRange(min=1)

_OPTIONS = (
    ("--on", "servers", str, "Where scratch databases are made: sqlite, or a PostgreSQL URL."),
    ("--processes", "processes", click.Choice(list(PROCESSES)), "Layouts of the server."),
    ("--form", "forms", click.Choice(["text", "html"]), "The form of the mails."),
    ("--game", "games", str, "The game to play; several, where a part measures each."),
    ("--option", "options", str, "An option of the game, as NAME=VALUE."),
    ("--rounds", "rounds", _positive, "Rounds in turn."),
    ("--moves", "moves", _positive, "Moves in a round."),
    ("--boards", "boards", _positive, "Boards that they are played on."),
    ("--connections", "connections", _positive, "SMTP connections that are kept open."),
    ("--seconds", "seconds", float, "engines: seconds of CPU for each in a round."),
    ("--row", "rows", click.Choice(games.ROWS), "robots: the contests that are played."),
    ("--games-played", "matches", _positive, "robots: games in each contest."),
    ("--workers", "workers", _positive, "robots: processes in which they play."),
)
"""Flags, fields of the plan, types and help."""

_SEVERAL = ("servers", "processes", "forms", "games", "options", "rows")
"""The fields that may be given again."""


def measure(
    parts: Sequence[str], games: Sequence[str], options: Sequence[str], *,
    as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Measure the parts, and print what was found."""
    catalogue = installed_games()
    chosen = tuple(map(catalogue.get, games)) or tuple(catalogue)
    pairs = dict(text.partition("=")[::2] for text in options)
    sizes = {name: value for name, value in given.items() if value not in (None, ())}
    found = []
    for name in parts or [name for name, part in PARTS.items() if not part.long]:
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
