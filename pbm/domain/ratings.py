"""Ratings by Glicko-2, one for each player and game.

Source: Mark E. Glickman, "Example of the Glicko-2 system", revised 22 March 2022; the steps
below are numbered as there. Each finished match is a rating period of its own for its
players; the deviation that time adds (step 6) is counted in periods of 30 days.
"""

import math
from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbm.engine import Seat, frozen

_SCALE = 173.7178

_TAU = 0.5

_PRECISION = 1e-6

_PERIOD = timedelta(days=30)

_MOST_DEVIATION = 350.0

PROVISIONAL = 110.0
"""Above this deviation a rating is provisional."""


@frozen
class Rating:
    """The strength of a player at one game, and their results in it.

    `updated_at` is when the last rated match ended; None before the first.
    """

    rating: float = 1500.0
    deviation: float = _MOST_DEVIATION
    volatility: float = 0.06
    won: int = 0
    lost: int = 0
    drawn: int = 0
    updated_at: datetime | None = None

    @property
    def matches(self) -> int:
        """The number of rated matches."""
        return self.won + self.lost + self.drawn

    @property
    def provisional(self) -> bool:
        """True while the deviation is too large for the rating to be trusted."""
        return self.deviation > PROVISIONAL


@frozen
class RatingChange:
    """The change of a player's rating at the end of a match.

    `before` is the rating at that moment, less certain after a time without play. Both leave
    `updated_at` out: it is the time when the match ended.
    """

    before: Rating
    after: Rating

    @property
    def moves(self) -> bool:
        """Whether the match counts for this player."""
        return self.before != self.after


def rating_changes(
    ratings: Sequence[Rating],
    places: Sequence[int],
    now: datetime,
    unmoved: Container[Seat] = (),
) -> tuple[RatingChange, ...]:
    """Return the changes by a match that ends now, by seat, for the places by seat.

    Each pair of players counts as a match of two. The rating of an `unmoved` seat stays, and the
    match is not counted there.
    """
    seats = range(len(ratings))
    return tuple(
        RatingChange(
            before=replace(aged(ratings[seat], now), updated_at=None),
            after=replace(
                aged(ratings[seat], now)
                if seat in unmoved
                else after_match(
                    ratings[seat],
                    [(ratings[o], _score(places[seat], places[o])) for o in seats if o != seat],
                    now,
                ),
                updated_at=None,
            ),
        )
        for seat in seats
    )


def _score(own: int, other: int) -> float:
    return 0.5 if own == other else float(own < other)


def after_match(own: Rating, results: Sequence[tuple[Rating, float]], now: datetime) -> Rating:
    """Return the rating after a match that ended now, with its results against each opponent.

    A result has the opponent's rating from before the match, and 1 for a win, 0.5 for a draw, and
    0 for a loss. Who lost to nobody has won.
    """
    scores = {score for _, score in results}
    changed = glicko2(aged(own, now), tuple((aged(other, now), score) for other, score in results))
    return replace(
        changed,
        won=own.won + (0 not in scores and 1 in scores),
        lost=own.lost + (0 in scores),
        drawn=own.drawn + (scores == {0.5}),
        updated_at=now,
    )


def aged(own: Rating, now: datetime) -> Rating:
    """Return the rating with the deviation that grows while nothing is played (step 6)."""
    if own.updated_at is None:
        return own
    periods = max(0.0, (now - own.updated_at) / _PERIOD)
    phi = math.hypot(own.deviation / _SCALE, own.volatility * math.sqrt(periods))
    return replace(own, deviation=min(phi * _SCALE, _MOST_DEVIATION))


def glicko2(own: Rating, results: tuple[tuple[Rating, float], ...]) -> Rating:
    """Return the rating after one period with `results`: opponents and scores (steps 2 to 8)."""
    mu, phi = (own.rating - 1500) / _SCALE, own.deviation / _SCALE
    sums, information = 0.0, 0.0
    for other, score in results:
        g = 1 / math.sqrt(1 + 3 * (other.deviation / _SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * (mu - (other.rating - 1500) / _SCALE)))
        information += g * g * expected * (1 - expected)
        sums += g * (score - expected)
    variance = 1 / information
    volatility = _volatility(own.volatility, phi, variance, variance * sums)
    phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + 1 / variance)
    return replace(
        own,
        rating=1500 + _SCALE * (mu + phi * phi * sums),
        deviation=_SCALE * phi,
        volatility=volatility,
    )


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility by the Illinois algorithm (step 5)."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        ex, spread = math.exp(x), phi * phi + variance
        return ex * (delta * delta - spread - ex) / (2 * (spread + ex) ** 2) - (x - start) / _TAU**2

    low = start
    high = math.log(max(delta * delta - phi * phi - variance, 0) or math.exp(start - _TAU))
    while delta * delta <= phi * phi + variance and f(high) < 0:
        high -= _TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
