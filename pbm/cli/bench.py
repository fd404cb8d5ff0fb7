"""`pbm bench`: benchmarks, as JSON on standard output and a table on standard error."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbm.cli.options import echo, echo_json, setting

if TYPE_CHECKING:
    from pbm.bench.report import Report

_ON = setting(
    "--on", multiple=True, default=("sqlite",), metavar="sqlite|URL",
    help="Where scratch databases are made: sqlite, or a PostgreSQL server; may be repeated.",
)  # fmt: skip
_FORM = setting(
    "--form", multiple=True, type=click.Choice(["text", "html", "drawn"]),
    default=("text", "html"),
    help="The players' mails: text, html with pictures kept, or with each drawn; may be repeated.",
)  # fmt: skip
_GAME = setting("--game", default="", show_default=False,
                help="The game that is played.  [default: the first by name]")  # fmt: skip
_OPTION = setting("--option", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
_ROUNDS = setting("--rounds", default=5, type=click.IntRange(min=1),
                  help="How often each is measured, in turn.")  # fmt: skip
_CONNECTIONS = setting("--connections", default=20, type=click.IntRange(min=1),
                       help="Connections that are kept open.")  # fmt: skip
_PROCESSES = setting(
    "--processes", multiple=True, type=click.Choice(["one", "two", "three", "four"]),
    help="Of the server: one or two that do all, three by role, four of which two play; may be "
    "repeated.  [default: what suits the database]",
)  # fmt: skip
_JSON = setting("--json", "as_json", is_flag=True, show_default=False, help="JSON, no table.")


def _size(name: str, default: int, what: str) -> Callable[[Any], Any]:
    """Return an option for a number of things."""
    return setting(name, default=default, type=click.IntRange(min=1), help=what)


@click.group()
def bench() -> None:
    """Measure how fast pbm is, against yardsticks in the same run."""


@bench.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@_ROUNDS
@setting("--seconds", default=1.0, type=click.FloatRange(min=0, min_open=True),
         help="CPU seconds for each in a round.")  # fmt: skip
@_JSON
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


@bench.command()
@_ON
@_FORM
@_GAME
@_OPTION
@_ROUNDS
@_size("--moves", 640, "Moves in a round.")
@_size("--boards", 640, "Boards they are played on.")
@setting("--profile", default=None, type=click.Path(dir_okay=False, path_type=Path),
         help="Measure nothing; write there where the time of the first --on and --form goes.",
         )  # fmt: skip
@_JSON
def play(
    on: tuple[str, ...], form: tuple[str, ...], game: str, option: tuple[str, ...], rounds: int,
    moves: int, boards: int, profile: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Play moves in this process, without sockets.

    Prints microseconds of CPU and statements a move: in the play stage, batches of 64.
    """
    from pbm.bench.play import profile_play, report_play  # noqa: PLC0415

    chosen, options = _chosen(game), _options(option)
    if profile is not None:
        table = profile_play(on[0], form[0], chosen, options, moves=moves, boards=boards)
        profile.write_text(table)
        return
    with _progress("play", rounds * len(on) * len(form)) as tick:
        report = report_play(
            on, form, chosen, options, moves=moves, boards=boards, rounds=rounds, tick=tick
        )
    _tell(report, as_json)


@bench.command()
@_ON
@_PROCESSES
@_FORM
@_GAME
@_OPTION
@_ROUNDS
@_size("--moves", 1500, "Moves in a round.")
@_size("--boards", 1500, "Boards they are played on.")
@_CONNECTIONS
@_JSON
def way(
    on: tuple[str, ...], processes: tuple[str, ...], form: tuple[str, ...], game: str,
    option: tuple[str, ...], rounds: int, moves: int, boards: int, connections: int, as_json: bool,
) -> None:  # fmt: skip
    """Play moves the whole way: by SMTP to a server, and to an SMTP sink.

    Prints moves a second, their ratio to the mails that N throws away, and the CPU of each stage.
    """
    from pbm.bench.way import layouts, report_way  # noqa: PLC0415

    chosen = layouts(on, processes, form)
    with _progress("way", rounds * (1 + len(chosen))) as tick:
        report = asyncio.run(
            report_way(
                chosen, _chosen(game), _options(option), moves=moves, boards=boards,
                connections=connections, rounds=rounds, tick=tick,
            )
        )  # fmt: skip
    _tell(report, as_json)


def _chosen(name: str) -> Any:
    """Return the game of that name, or the first one."""
    from pbm.plugins import installed_games  # noqa: PLC0415

    catalogue = installed_games()
    return catalogue.get(name) if name else next(iter(catalogue))


def _options(given: Sequence[str]) -> Mapping[str, str]:
    pairs = (text.partition("=") for text in given)
    return {name: value for name, _, value in pairs}


@contextmanager
def _progress(label: str, steps: int) -> Iterator[Callable[[], None]]:
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
