"""`pbm bench`: benchmarks, as JSON on standard output and a table on standard error."""

import json
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pbm.bench.contests import ROWS
from pbm.bench.parts import ENGINES, LOAD, ONLY_IF_ASKED, PARTS, WHOLE, Part
from pbm.bench.plan import Plan, Target
from pbm.bench.report import Report, as_text
from pbm.cli.options import echo, echo_json, setting
from pbm.cli.progress import progress

_OPTIONS: Mapping[str, Callable[[Any], Any]] = {
    "servers": setting(
        "--on", "servers", multiple=True, default=("sqlite",), metavar="sqlite|URL",
        help="Where scratch databases are made: sqlite, or a PostgreSQL server; may be repeated.",
    ),
    "processes": setting(
        "--processes", multiple=True, type=click.Choice(["one", "two", "three", "four"]),
        help="Of the server: one or two that do all, three by role, four of which two play; may "
        "be repeated.  [default: what suits the database]",
    ),
    "forms": setting(
        "--form", "forms", multiple=True, type=click.Choice(["text", "html", "drawn"]),
        default=("text", "html"),
        help="The players' mails: text, html with pictures kept, or with each drawn; may be "
        "repeated.",
    ),
    "games": setting(
        "--game", "games", multiple=True,
        help="The game that is played; may be repeated where several are.  [default: the first "
        "by name, or all]",
    ),
    "options": setting(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."
    ),
    "rows": setting(
        "--row", "rows", multiple=True, type=click.Choice(ROWS),
        help="Only these: a level against the one below, level 5 against others, or forced wins; "
        "may be repeated.  [default: all]",
    ),
    "matches": setting(
        "--games-played", "matches", type=click.IntRange(min=1), default=None, show_default=False,
        help="Games in each row.  [default: 100, or 30 where they are long]",
    ),
    "workers": setting(
        "--processes", "workers", type=click.IntRange(min=1), default=2,
        help="In how many processes they play.",
    ),
    "kept": setting(
        "--kept", default=None, show_default=False,
        type=click.Path(dir_okay=False, path_type=Path),
        help="A file for the games that are played; those that are in it are not played again.",
    ),
}  # fmt: skip

_SIZES = {
    "rounds": "How often each is measured, in turn.",
    "moves": "Moves in a round.",
    "boards": "Boards they are played on.",
    "connections": "Connections that are kept open.",
    "waiting": "Mails that wait.",
    "seconds": "How long nothing is done.",
}

_json = setting("--json", "as_json", is_flag=True, show_default=False, help="JSON, no table.")


@click.group(invoke_without_command=True)
@_OPTIONS["servers"]
@setting("--rounds", default=5, type=click.IntRange(min=1), help=_SIZES["rounds"])
@setting("--part", "names", multiple=True, type=click.Choice(list(WHOLE)),
         help="Only this part; may be repeated.")  # fmt: skip
@setting("--page", default=None, type=click.Path(exists=True, dir_okay=False, path_type=Path),
         help="Write the tables into this page, between its marks.")  # fmt: skip
@_json
@click.pass_context
def bench(
    ctx: click.Context,
    servers: tuple[str, ...],
    rounds: int,
    names: tuple[str, ...],
    page: Path | None,
    as_json: bool,
) -> None:
    """Measure how fast pbm is, against yardsticks in the same run.

    Without a command all parts are measured, one after the other, which takes an hour; only robots,
    which take two, must be asked for. The yardsticks: N is aiosmtpd that throws mails away, D are
    SQLite transactions of one row each, and P is python-chess.
    """
    if ctx.invoked_subcommand is not None:
        return
    from pbm.bench.page import machine, write  # noqa: PLC0415

    reports = []
    for name in names or [each for each in WHOLE if each not in ONLY_IF_ASKED]:
        part = WHOLE[name]
        plan = replace(plan_of(), servers=servers, **{**part.sizes, "rounds": rounds})
        reports.append(_run(name, part, plan))
        if not as_json:
            echo(f"{name}, {reports[-1].unit}:\n{as_text(reports[-1].rows)}\n", err=True)
    figures = [report.figures() for report in reports]
    about = machine()
    if page is not None:
        write(page, figures, about)
    echo_json({"benchmark": "all", "machine": about, "parts": figures})


@bench.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@setting("--rounds", default=5, type=click.IntRange(min=1), help=_SIZES["rounds"])
@setting("--seconds", default=1.0, type=click.FloatRange(min=0, min_open=True),
         help="CPU seconds for each in a round.")  # fmt: skip
@_json
def engines(games: tuple[str, ...], rounds: int, seconds: float, as_json: bool) -> None:
    """Play random moves of each GAME, of all by default.

    Prints plies per second of CPU, and their ratio to those of python-chess in the same run.
    """
    plan = plan_of(games, rounds=rounds, seconds=seconds)
    _tell(_run("engines", ENGINES, plan), as_json)


def _command(name: str, part: Part) -> click.Command:
    """Return the command that runs a part alone."""

    def run(*, as_json: bool, **given: Any) -> None:
        _tell(_run(name, part, plan_of(**given)), as_json)

    command = run
    for option in reversed([*map(_OPTIONS.__getitem__, part.options), *_sizes(part.sizes), _json]):
        command = option(command)
    return click.command(name, help=part.help)(command)


def _sizes(defaults: Mapping[str, int]) -> Iterator[Callable[[Any], Any]]:
    for name, default in defaults.items():
        positive = click.IntRange(min=1)
        yield setting(f"--{name}", default=default, type=positive, help=_SIZES[name])


def plan_of(games: Sequence[str] = (), options: Sequence[str] = (), **given: Any) -> Plan:
    """Return the plan that options ask for; all games if none is named."""
    from pbm.plugins import installed_games  # noqa: PLC0415

    catalogue = installed_games()
    chosen = tuple(catalogue.get(name) for name in games) or tuple(catalogue)
    pairs = (text.partition("=") for text in options)
    return Plan(chosen, {name: value for name, _, value in pairs}, **given)


def _run(name: str, part: Part, plan: Plan) -> Report:
    """Return what a part finds; on a terminal a bar shows how far it is."""
    with _tidy_end(), progress(part.steps(plan), name) as tick:
        return part.run(plan, tick)


@contextmanager
def _tidy_end() -> Iterator[None]:
    """See that SIGTERM, too, leaves no server and no scratch database behind."""

    def end(_number: int, _frame: object) -> None:
        sys.exit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(report: Report, as_json: bool) -> None:
    if not as_json:
        echo(as_text(report.rows), err=True)
    echo_json(report.figures())


@bench.command()
@setting("--server", default="", show_default=False, metavar="HOST:PORT",
         help="A running server.  [default: one of our own]")  # fmt: skip
@setting("--address", default="pbm@localhost", help="The address that players write to there.")
@setting("--listen", default="127.0.0.1:2525", metavar="HOST:PORT",
         help="Where that server's relay leads: the people read their mails here.")  # fmt: skip
@_OPTIONS["servers"]
@_OPTIONS["processes"]
@_OPTIONS["games"]
@_OPTIONS["options"]
@setting("--pairs", "connections", default=10, type=click.IntRange(1, 50),
         help="Pairs of people, and connections; strangers are few an hour.")  # fmt: skip
@setting("--matches", "boards", default=20, type=click.IntRange(min=1), help="Matches in all.")
@_json
def load(server: str, address: str, listen: str, as_json: bool, **given: Any) -> None:
    """Let simulated people play whole matches over SMTP.

    Prints moves a second, how many milliseconds it takes until both mails have come, and how many
    matches are on record as they were played; status 1 if one is not. A running server must have
    its relay here: pbm serve --relay smtp://127.0.0.1:2525.
    """
    target = None
    if server:
        target = Target(*_host_and_port(server), address, _host_and_port(listen))
    _tell(_run("load", LOAD, plan_of(target=target, **given)), as_json)


def _figures_in(file: Path) -> dict[str, Any]:
    """Return what a benchmark has printed into a file."""
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except ValueError:
        raise click.BadParameter(f"{file} holds no figures of a benchmark.") from None
    return found


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise click.BadParameter(f"{text} is not HOST:PORT.")
    return host, int(port)


for _name, _part in PARTS.items():
    bench.add_command(_command(_name, _part))


@bench.command()
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("figures", nargs=-1, required=True,
                type=click.Path(exists=True, dir_okay=False, path_type=Path))  # fmt: skip
def page(page: Path, figures: tuple[Path, ...]) -> None:
    """Write the tables of FIGURES, what benchmarks have printed, into PAGE, between its marks."""
    from pbm.bench.page import machine, write  # noqa: PLC0415

    told = [_figures_in(file) for file in figures]
    parts = [part for report in told for part in report.get("parts", [report])]
    about = next((report["machine"] for report in told if "machine" in report), machine())
    write(page, parts, about)


@bench.command()
@_OPTIONS["servers"]
@_OPTIONS["forms"]
@_OPTIONS["games"]
@_OPTIONS["options"]
@setting("--moves", default=640, type=click.IntRange(min=1), help=_SIZES["moves"])
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def profile(file: Path, moves: int, **given: Any) -> None:
    """Write to FILE where the play stage spends its time: of the first database and form."""
    from pbm.bench.play import profile as profiled  # noqa: PLC0415

    # No more boards than moves: the others would only be begun.
    file.write_text(profiled(plan_of(moves=moves, boards=min(moves, 640), **given)))
