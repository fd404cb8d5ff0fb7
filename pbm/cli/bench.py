"""`pbm bench`: benchmarks, as JSON on standard output and a table on standard error."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbm.cli.options import echo, echo_json, setting

if TYPE_CHECKING:
    from pbm.bench.plan import Plan, Tick
    from pbm.bench.report import Report

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
    "game": setting(
        "--game", default="", show_default=False,
        help="The game that is played.  [default: the first by name]",
    ),
    "options": setting(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."
    ),
}  # fmt: skip

_SIZES = {
    "rounds": "How often each is measured, in turn.",
    "moves": "Moves in a round.",
    "boards": "Boards they are played on.",
    "connections": "Connections that are kept open.",
}

_json = setting("--json", "as_json", is_flag=True, show_default=False, help="JSON, no table.")


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark: the module that does it, what can be chosen, and how much it does by default.

    The module has `report(plan, tick)`, and `steps(plan)`, which is how often that ticks.
    """

    module: str
    help: str
    options: tuple[str, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)

    def run(self, name: str, plan: "Plan") -> "Report":
        """Return what it finds; on a terminal a bar shows how far it is."""
        module = importlib.import_module(self.module)
        with _progress(name, module.steps(plan)) as tick:
            report: Report = module.report(plan, tick)
        return report


_GAME = ("game", "options")

PARTS: Mapping[str, Part] = {
    "play": Part(
        "pbm.bench.play",
        """Play moves in this process, without sockets.

        Prints microseconds of CPU and statements a move: in the play stage, batches of 64.
        """,
        ("servers", "forms", *_GAME),
        {"rounds": 5, "moves": 640, "boards": 640},
    ),
    "way": Part(
        "pbm.bench.way",
        """Play moves the whole way: by SMTP to a server, and to an SMTP sink.

        Prints moves a second, their ratio to the mails that N throws away, and the CPU of each
        stage.
        """,
        ("servers", "processes", "forms", *_GAME),
        {"rounds": 5, "moves": 1500, "boards": 1500, "connections": 20},
    ),
}
"""Every part that is told by a plan, in the order in which they are run."""


@click.group()
def bench() -> None:
    """Measure how fast pbm is, against yardsticks in the same run."""


@bench.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@setting("--rounds", default=5, type=click.IntRange(min=1),
         help=_SIZES["rounds"])  # fmt: skip
@setting("--seconds", default=1.0, type=click.FloatRange(min=0, min_open=True),
         help="CPU seconds for each in a round.")  # fmt: skip
@_json
def engines(games: tuple[str, ...], rounds: int, seconds: float, as_json: bool) -> None:
    """Play random moves of each GAME, of all by default.

    Prints plies per second of CPU, and their ratio to those of python-chess in the same run.
    """
    from pbm.bench.engines import report_engines  # noqa: PLC0415
    from pbm.plugins import installed_games  # noqa: PLC0415

    catalogue = installed_games()
    chosen = [catalogue.get(name) for name in games] or list(catalogue)
    with _progress("engines", rounds) as tick:
        report = report_engines(chosen, rounds, seconds, tick)
    _tell(report, as_json)


def _command(name: str, part: Part) -> click.Command:
    """Return the command that runs a part alone."""

    def run(*, as_json: bool, **given: Any) -> None:
        _tell(part.run(name, plan_of(**given)), as_json)

    command = run
    for option in reversed([*map(_OPTIONS.__getitem__, part.options), *_sizes(part.sizes), _json]):
        command = option(command)
    return click.command(name, help=part.help)(command)


def _sizes(defaults: Mapping[str, int]) -> Iterator[Callable[[Any], Any]]:
    for name, default in defaults.items():
        positive = click.IntRange(min=1)
        yield setting(f"--{name}", default=default, type=positive, help=_SIZES[name])


def plan_of(game: str = "", options: Sequence[str] = (), **given: Any) -> "Plan":
    """Return the plan that options ask for; without a game it is the first one."""
    from pbm.bench.plan import Plan  # noqa: PLC0415
    from pbm.plugins import installed_games  # noqa: PLC0415

    catalogue = installed_games()
    chosen = catalogue.get(game) if game else next(iter(catalogue))
    pairs = (text.partition("=") for text in options)
    return Plan(chosen, {name: value for name, _, value in pairs}, **given)


@contextmanager
def _progress(label: str, steps: int) -> Iterator["Tick"]:
    """Yield what is to be called after each step; on a terminal it moves a bar on."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=steps, label=label, file=sys.stderr) as bar:
        bar.render_progress()
        yield lambda: bar.update(1)


def _tell(report: "Report", as_json: bool) -> None:
    from pbm.bench.report import as_text  # noqa: PLC0415

    if not as_json:
        echo(as_text(report.rows), err=True)
    echo_json(report.figures())


for _name, _part in PARTS.items():
    bench.add_command(_command(_name, _part))


@bench.command()
@_OPTIONS["servers"]
@_OPTIONS["forms"]
@_OPTIONS["game"]
@_OPTIONS["options"]
@setting("--moves", default=640, type=click.IntRange(min=1), help=_SIZES["moves"])
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def profile(file: Path, moves: int, **given: Any) -> None:
    """Write to FILE where the play stage spends its time: of the first database and form."""
    from pbm.bench.play import profile as profiled  # noqa: PLC0415

    file.write_text(profiled(plan_of(moves=moves, **given)))
