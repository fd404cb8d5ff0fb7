"""The strength of the levels, found by games between them: ratings on the scale of Elo.

The model is that of Bradley and Terry ("Rank Analysis of Incomplete Block Designs", Biometrika 39,
1952): one of strength a beats one of strength b in a / (a + b) of their games. A draw counts as
half a win of each, as in Elo's ratings.

pbm/robots/calibration.json has what was found, from which new robots start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, log, sqrt

from bench.games import board_of, won, workers
from bench.report import Plan, Rows, board_name, part
from pbm.engine import AnyGame
from pbm.robots.levels import LEVELS

ANCHOR = 1200.0
"""The rating of the lowest level, by definition: a beginner, below an unknown player's 1500."""

ANCHOR_DEVIATION = 80.0
"""The doubt about the ratings of levels among people, however sure those among levels are."""

ESTIMATE = 300.0
"""The doubt at least about ratings from another board than the usual one: they are provisional."""

SCALE = 400 / log(10)
"""Points of a rating for a natural logarithm of a ratio of strengths: Elo's, and Glicko's."""

_ROUNDS = 100_000

_PRECISION = 1e-9


@dataclass(frozen=True, slots=True)
class Result:
    """The games that the first of two levels won, of all that they played; a draw counts half."""

    won: float
    games: int


Results = Mapping[tuple[int, int], Result]
"""The results of pairs of levels, the stronger one or the weaker one first."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The rating of a level and its standard deviation."""

    rating: float
    deviation: float


def pairs(levels: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return which levels play each other: neighbours, and those with one between them.

    Games between others tell little, because the stronger one wins them all.
    """
    return tuple((one, other) for one in levels for other in levels if 1 <= other - one <= 2)


def fitted(results: Results) -> dict[int, Fitted]:
    """Return the ratings under which the results are most likely; the lowest level has ANCHOR.

    Each pair is taken to have drawn one game more than it played, so that a level that won all its
    games has a rating too. The levels must be joined by games.
    """
    more = {pair: Result(each.won + 0.5, each.games + 1) for pair, each in results.items()}
    strengths = _strengths(more)
    lowest = min(strengths)
    errors = _errors(more, strengths, lowest)
    return {
        level: Fitted(
            ANCHOR + SCALE * log(strength / strengths[lowest]),
            hypot(SCALE * errors.get(level, 0.0), ANCHOR_DEVIATION),
        )
        for level, strength in sorted(strengths.items())
    }


@part("ratings", "points", matches=40)
def ratings(plan: Plan) -> Rows:
    """Return the ratings of the levels in the plan's games, which each pair plays `matches` of."""
    rows: Rows = []
    with workers(plan) as pool:
        for game in plan.games:
            many = plan.matches or 0
            results = {}
            for one, other in pairs(range(1, len(LEVELS) + 1)):
                sides = (LEVELS[one - 1], LEVELS[other - 1])
                games = [(game, *sides, number) for number in range(many)]
                results[one, other] = Result(sum(pool.starmap(won, games, chunksize=1)), many)
            rows += _rows(game, fitted(results))
    return rows


def _rows(game: AnyGame, found: Mapping[int, Fitted]) -> Rows:
    board = board_of(game)
    least = ESTIMATE if board else 0.0
    return [
        {
            "game": game.info.key, "board": board_name(board), "level": level,
            "rating": round(own.rating), "deviation": round(max(own.deviation, least)),
        }
        for level, own in found.items()
    ]  # fmt: skip


def _strengths(results: Results) -> dict[int, float]:
    """Return the strengths of the greatest likelihood, by minorization and maximization.

    Source: D. R. Hunter, "MM Algorithms for Generalized Bradley-Terry Models", Annals of
    Statistics 32 (2004), equation 3.
    """
    levels = sorted({level for pair in results for level in pair})
    won = dict.fromkeys(levels, 0.0)
    for (one, other), result in results.items():
        won[one] += result.won
        won[other] += result.games - result.won
    found = dict.fromkeys(levels, 1.0)
    for _ in range(_ROUNDS):
        met = dict.fromkeys(levels, 0.0)
        for (one, other), result in results.items():
            share = result.games / (found[one] + found[other])
            met[one] += share
            met[other] += share
        better = {level: won[level] / met[level] for level in levels}
        better = {level: value / better[levels[0]] for level, value in better.items()}
        if all(abs(log(better[level] / found[level])) < _PRECISION for level in levels):
            return better
        found = better
    return found


def _errors(results: Results, strengths: Mapping[int, float], lowest: int) -> dict[int, float]:
    """Return the standard errors of the logarithms against `lowest`, by Fisher's information."""
    levels = [level for level in sorted(strengths) if level != lowest]
    place = {level: n for n, level in enumerate(levels)}
    information = [[0.0] * len(levels) for _ in levels]
    for (one, other), result in results.items():
        share = strengths[one] / (strengths[one] + strengths[other])
        weight = result.games * share * (1 - share)
        for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1)):
            if row in place and column in place:
                information[place[row]][place[column]] += sign * weight
                if row != column:
                    information[place[column]][place[row]] += sign * weight
    inverse = _inverse(information)
    return {level: sqrt(inverse[n][n]) for level, n in place.items()}


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a small positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        pivot = rows[n][n]
        rows[n] = [value / pivot for value in rows[n]]
        for m in (m for m in range(size) if m != n):
            factor = rows[m][n]
            rows[m] = [a - factor * b for a, b in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
