"""`pbm robot calibrate`: how strong the levels are in a game, found by play among themselves."""

import json
import multiprocessing
import random
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from pbm.bootstrap import House
from pbm.cli.completing import complete_game
from pbm.cli.options import echo, echo_json, json_option, setting, signed, with_house
from pbm.cli.progress import progress
from pbm.cli.rules import read_pairs
from pbm.cores import usable
from pbm.domain.robots import Strength
from pbm.engine import AnyGame
from pbm.plugins import installed_game
from pbm.robots.calibration import Fitted, Result, Results, fitted, pairs
from pbm.robots.duel import board_name, contest_name, games_between, share_of
from pbm.robots.levels import LEVELS
from pbm.service.administration import Administration
from pbm.service.audit import Signature
from pbm.service.robot_accounts import store_strengths

GAMES_AT_ONCE = 2
"""Games that a process plays in a row: each of the two levels begins one of them."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Some games of two levels, for a process: they follow from these values."""

    game: str
    options: tuple[tuple[str, str], ...]
    pair: tuple[int, int]
    number: int
    seed: int

    def play(self) -> Result:
        """Return how much the first level won."""
        game = installed_game(self.game)
        setup = game.info.setup(dict(self.options), self.seed)
        one, other = (LEVELS[level - 1] for level in self.pair)

        def dice(name: str) -> random.Random:
            words = f"{self.seed} {self.pair} {self.number} {name}"
            return random.Random(words)  # noqa: S311 - reproducible play, no secret

        played = tuple(games_between(game, setup, (one, other), GAMES_AT_ONCE, dice))
        return Result(sum(each.worths[0] for each in played), len(played))


@click.command()
@click.argument("game", shell_complete=complete_game)
@setting("--games", default=40, type=click.IntRange(min=2),
         help="How many each pair of levels plays, an even number.")  # fmt: skip
@setting("--levels", default=len(LEVELS), type=click.IntRange(2, len(LEVELS)),
         help="How many levels play, from the lowest.")  # fmt: skip
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@setting("--seed", default=0, type=int, help="The same seed gives the same games.")
@setting("--processes", default=None, type=click.IntRange(min=1), show_default="one a core",
         help="How many play at the same time.")  # fmt: skip
@setting("--known", default=None, type=click.Path(exists=True, dir_okay=False, path_type=Path),
         help="What pbm bench robots --json told: pairs in it do not play again.")  # fmt: skip
@setting("--store", is_flag=True, show_default=False,
         help="Give the robots of this server these ratings.")  # fmt: skip
@json_option
@with_house
@signed
def calibrate(
    house: House,
    game: str,
    games: int,
    levels: int,
    options: tuple[str, ...],
    seed: int,
    processes: int | None,
    known: Path | None,
    store: bool,
    as_json: bool,
    by: Signature,
) -> None:
    """Let the levels play GAME among themselves, and print their ratings.

    Neighbours and those with one level between them play. Prints a table in Markdown, or by --json
    a line of pbm/robots/calibration.json, from which new robots have their ratings.
    """
    engine = house.catalogue.get(game)
    given = read_pairs(options)
    engine.info.setup(given, seed)  # refuses an unknown option before anything is played
    playing = pairs(range(1, levels + 1))
    results = {} if known is None else _known(known, engine, given, playing)
    parts = [
        _Part(engine.info.key, tuple(sorted(given.items())), pair, number, seed)
        for number in range((games + 1) // GAMES_AT_ONCE)
        for pair in playing
        if pair not in results
    ]
    results |= _results(engine, parts, processes or len(usable()))
    ratings = fitted(results)
    strengths = {n: Strength(round(f.rating), round(f.deviation)) for n, f in ratings.items()}
    if as_json:
        plain = {str(n): [each.rating, each.deviation] for n, each in strengths.items()}
        echo_json({engine.info.key: plain})
    else:
        for line in _table(engine, results, ratings):
            echo(line)
    if store:
        _store(house, engine.info.key, strengths, by)


def _known(
    file: Path, game: AnyGame, options: Mapping[str, str], playing: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Result]:
    """Return the results of pairs that have played this game on the same board, from the file.

    It is what `pbm bench robots --json` prints, or such a part of docs/performance.json. Raises
    click.BadParameter if it is neither.
    """
    try:
        told: dict[str, Any] = json.loads(file.read_text("utf-8"))
        reports = told.get("parts", [told])
        rows = [row for report in reports for row in report["rows"] if "contest" in row]
        played = {(row["game"], row["board"], row["contest"]): row for row in rows}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise click.BadParameter(f"{file} is not what pbm bench robots --json prints.") from None
    board = board_name(options)
    found = {}
    for lower, higher in playing:
        contest = contest_name((LEVELS[higher - 1], LEVELS[lower - 1]))
        row = played.get((game.info.key, board, contest))
        if row is not None:
            found[lower, higher] = Result((1 - row["won"]) * row["games"], row["games"])
    return found


def _results(
    game: AnyGame, parts: Sequence[_Part], processes: int
) -> dict[tuple[int, int], Result]:
    """Return the results of all parts, played in so many processes."""
    found: dict[tuple[int, int], Result] = {part.pair: Result(0, 0) for part in parts}
    with progress(len(parts) * GAMES_AT_ONCE, f"Calibrating {game.info.title}") as tick:
        for part, result in _played(parts, processes):
            sum_ = found[part.pair]
            found[part.pair] = Result(sum_.won + result.won, sum_.games + result.games)
            tick(result.games)
    return found


def _played(parts: Sequence[_Part], processes: int) -> Iterator[tuple[_Part, Result]]:
    """Yield the parts with their results, in the order in which they come to an end."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawned, initializer=_end_quietly) as pool:
        try:
            coming = {pool.submit(part.play): part for part in parts}
            for done in as_completed(coming):
                yield coming[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _end_quietly() -> None:
    """Let Ctrl-C end this process without a word: the command says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _table(game: AnyGame, results: Results, ratings: Mapping[int, Fitted]) -> Iterator[str]:
    """Yield the ratings as a table in Markdown, which reads well as text too."""
    games = sorted({result.games for result in results.values()})
    told = f"{games[0]}" if len(games) == 1 else f"{games[0]} to {games[-1]}"
    yield f"{game.info.title}: {told} games a pair"
    yield ""
    yield "| level | playouts | rating | won of one below | of two below |"
    yield "|---|---|---|---|---|"
    for level, own in ratings.items():
        below = [_won(results.get((level - apart, level))) for apart in (1, 2)]
        playouts = f"{LEVELS[level - 1].playouts:,}"
        rating = f"{own.rating:.0f} +- {own.deviation:.0f}"
        yield f"| {level} | {playouts} | {rating} | {' | '.join(below)} |"


def _won(result: Result | None) -> str:
    """Return how much the higher level won, with its 95 % interval; "" if they did not play."""
    if result is None:
        return ""
    share = share_of(result.games - result.won, result.games)
    return f"{100 * share.share:.0f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"


def _store(house: House, game: str, strengths: Mapping[int, Strength], by: Signature) -> None:
    with house.open_unit() as work:
        operator = Administration(house.services, work, house.clock(), by)
        names = store_strengths(operator, game, strengths)
        work.commit()
    echo(f"stored for {', '.join(names)}" if names else "no robot here plays it", err=True)
