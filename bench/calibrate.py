"""How strong the levels of robots are in a game: `python -m bench.calibrate GAME`.

Levels that are neighbours and levels with one between them play each other. The ratings are fitted
to the results. The line of JSON goes into pbm/robots/calibration.json, from which new robots start.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context

import click

from bench.report import as_table
from pbm.engine import AnyGame
from pbm.plugins import installed_game
from pbm.robots.calibration import Fitted, Result, Results, fitted, pairs
from pbm.robots.duel import games_between, share_of
from pbm.robots.levels import LEVELS

GAMES_AT_ONCE = 2
"""Games that a process plays in a row: each of the two levels begins one of them."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some games of two levels: they follow from these values."""

    game: str
    options: tuple[tuple[str, str], ...]
    pair: tuple[int, int]
    number: int

    def play(self) -> Result:
        """Return how much the first level won."""
        game = installed_game(self.game)
        setup = game.info.setup(dict(self.options), 0)
        one, other = (LEVELS[level - 1] for level in self.pair)

        def dice(name: str) -> random.Random:
            words = f"0 {self.pair} {self.number} {name}"
            return random.Random(words)  # noqa: S311 - reproducible play, no secret

        played = tuple(games_between(game, setup, (one, other), GAMES_AT_ONCE, dice))
        return Result(sum(each.worths[0] for each in played), len(played))


@click.command()
@click.argument("game")
@click.option(
    "--games",
    default=40,
    type=click.IntRange(min=2),
    show_default=True,
    help="How many games each pair of levels plays.",
)
@click.option(
    "--levels",
    default=len(LEVELS),
    type=click.IntRange(2, len(LEVELS)),
    show_default=True,
    help="How many levels play, from the lowest.",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@click.option("--workers", default=2, type=click.IntRange(min=1), show_default=True,
              help="In how many processes they play.")  # fmt: skip
def calibrate(game: str, games: int, levels: int, options: tuple[str, ...], workers: int) -> None:
    """Let the levels of robots play GAME against each other, and print their ratings.

    Prints a line of pbm/robots/calibration.json to standard output, a table to standard error.
    """
    engine = installed_game(game)
    given = dict(text.partition("=")[::2] for text in options)
    engine.info.setup(given, 0)  # refuses an unknown option before anything is played
    results = _results(engine, tuple(sorted(given.items())), games, levels, workers)
    ratings = fitted(results)
    click.echo(as_table(list(_rows(results, ratings))), err=True)
    strengths = {str(n): [round(f.rating), round(f.deviation)] for n, f in ratings.items()}
    click.echo(json.dumps({engine.info.key: strengths}))


def _results(
    game: AnyGame, options: tuple[tuple[str, str], ...], games: int, levels: int, workers: int
) -> dict[tuple[int, int], Result]:
    """Return the results of all pairs of levels."""
    parts = [
        Part(game.info.key, options, pair, number)
        for number in range((games + 1) // GAMES_AT_ONCE)
        for pair in pairs(range(1, levels + 1))
    ]
    found = {part.pair: Result(0, 0) for part in parts}
    for part, result in zip(parts, _played(parts, workers), strict=True):
        sum_ = found[part.pair]
        found[part.pair] = Result(sum_.won + result.won, sum_.games + result.games)
    return found


def _played(parts: Sequence[Part], workers: int) -> Iterator[Result]:
    if workers == 1:
        yield from map(Part.play, parts)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(Part.play, parts)


def _rows(results: Results, ratings: Mapping[int, Fitted]) -> Iterator[dict[str, str]]:
    for level, own in ratings.items():
        yield {
            "level": str(level),
            "playouts": f"{LEVELS[level - 1].playouts:,}",
            "rating": f"{own.rating:.0f} +- {own.deviation:.0f}",
            "won of one below": _won(results.get((level - 1, level))),
            "of two below": _won(results.get((level - 2, level))),
        }


def _won(result: Result | None) -> str:
    """Return how much the higher level won, with its 95 % interval, or "" without games."""
    if result is None:
        return ""
    share = share_of(result.games - result.won, result.games)
    return f"{100 * share.share:.0f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"


if __name__ == "__main__":
    calibrate()
