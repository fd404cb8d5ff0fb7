"""`pbm bench`: benchmarks, as JSON on standard output and a table on standard error."""

import dataclasses
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbm.cli.options import echo, echo_json, setting

if TYPE_CHECKING:
    from pbm.bench.play import PlayRate

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
_JSON = setting("--json", "as_json", is_flag=True, show_default=False, help="JSON, no table.")


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
    from pbm.bench.engines import measure_engines  # noqa: PLC0415
    from pbm.plugins import installed_games  # noqa: PLC0415

    catalogue = installed_games()
    chosen = [catalogue.get(name) for name in games] or list(catalogue)
    rates = measure_engines(chosen, rounds, seconds)
    if not as_json:
        rows = [(r.game, f"{r.plies_per_second:,.0f}", f"{r.ratio:.2f}") for r in rates]
        _print_table(("", "plies/s", "ratio"), rows)
    _print_report(
        "engines",
        "plies per second of CPU",
        rounds=rounds,
        seconds=seconds,
        yardstick=dataclasses.asdict(rates[0]),
        games=[dataclasses.asdict(rate) for rate in rates[1:]],
    )


@bench.command()
@_ON
@_FORM
@_GAME
@_OPTION
@_ROUNDS
@setting("--moves", default=640, type=click.IntRange(min=1), help="Moves in a round.")
@setting("--boards", default=640, type=click.IntRange(min=1), help="Boards they are played on.")
@setting("--profile", default=None, type=click.Path(dir_okay=False, path_type=Path),
         help="Measure nothing; write there where the time of the first --on and --form goes.",
         )  # fmt: skip
@_JSON
def play(
    on: tuple[str, ...],
    form: tuple[str, ...],
    game: str,
    option: tuple[str, ...],
    rounds: int,
    moves: int,
    boards: int,
    profile: Path | None,
    as_json: bool,
) -> None:
    """Play moves in this process, without sockets.

    Prints microseconds of CPU and statements a move: in the play stage, batches of 64.
    """
    from pbm.bench.play import measure_play, profile_play  # noqa: PLC0415

    chosen, options = _chosen(game), _options(option)
    if profile is not None:
        table = profile_play(on[0], form[0], chosen, options, moves=moves, boards=boards)
        profile.write_text(table)
        return
    with _progress("play", rounds * len(on) * len(form)) as tick:
        rates = measure_play(
            on, form, chosen, options, moves=moves, boards=boards, rounds=rounds, tick=tick
        )
    if not as_json:
        _print_table(_PLAY, [_play_row(rate) for rate in rates])
    _print_report(
        "play",
        "microseconds of CPU a move",
        game=chosen.info.key,
        options=options,
        rounds=rounds,
        moves=moves,
        boards=boards,
        rates=[dataclasses.asdict(rate) for rate in rates],
    )


_PLAY = ("", "", "play", "chess plies", "database", "statements", "letterbox", "outbox")
"""The columns of `pbm bench play`: CPU in microseconds a move, and what else is counted."""


def _play_row(rate: "PlayRate") -> tuple[str, ...]:
    cost = rate.median
    figures = (cost.play, rate.ratio, cost.database, cost.statements, cost.intake, cost.delivery)
    return (rate.database, rate.form, *(f"{figure:,.4g}" for figure in figures))


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


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table on standard error; all but the leading words are figures."""
    widths = [max(len(row[n]) for row in (header, *rows)) for n in range(len(header))]
    for row in (header, *rows):
        cells = (
            f"{cell:>{width}}" if title else f"{cell:<{width}}"
            for cell, width, title in zip(row, widths, header, strict=True)
        )
        echo("  ".join(cells).rstrip(), err=True)


def _print_report(benchmark: str, unit: str, **figures: Any) -> None:
    told = {"benchmark": benchmark, "unit": unit, "python": platform.python_version(), **figures}
    echo_json(_rounded(told))


def _rounded(figures: Any) -> Any:
    """Return the figures without digits that mean nothing."""
    if isinstance(figures, float):
        return float(f"{figures:.4g}")
    if isinstance(figures, Mapping):
        return {name: _rounded(value) for name, value in figures.items()}
    if isinstance(figures, list | tuple):
        return [_rounded(value) for value in figures]
    return figures
