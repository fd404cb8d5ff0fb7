"""Glicko-2: Glickman's published example, and what must hold for any ratings."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.match import Ending, Outcome
from pbm.domain.ratings import (
    PROVISIONAL,
    Rating,
    RatingChange,
    after_match,
    aged,
    glicko2,
    rating_changes,
)
from tests.domain.matches import NOW

DAY = timedelta(days=1)
NEW = Rating()

RATINGS = st.builds(
    Rating,
    rating=st.floats(400, 3000),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.03, 0.1),
    won=st.integers(0, 99),
    lost=st.integers(0, 99),
    drawn=st.integers(0, 99),
    updated_at=st.none() | st.integers(0, 3000).map(lambda days: NOW - days * DAY),
)
SCORES = st.sampled_from([0, 0.5, 1])


def test_glickmans_example_comes_out_as_published() -> None:
    opponents = ((1400.0, 30.0, 1), (1550.0, 100.0, 0), (1700.0, 300.0, 0))
    after = glicko2(
        Rating(1500, 200, 0.06),
        tuple((Rating(rating, deviation), score) for rating, deviation, score in opponents),
    )
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_of_two_newcomers_the_winner_gains_what_the_other_loses() -> None:
    winner, loser = (change.after for change in rating_changes((NEW, NEW), (1, 2), NOW))
    assert winner.rating - 1500 == pytest.approx(1500 - loser.rating)
    assert winner.rating == pytest.approx(1662.3, abs=0.1)
    assert (winner.won, winner.lost, loser.won, loser.lost) == (1, 0, 0, 1)
    assert winner.deviation == loser.deviation < 350


@pytest.mark.parametrize("winners", [(), (0, 1)], ids=["nobody", "both"])
def test_without_one_winner_it_is_a_draw(winners: tuple[int, ...]) -> None:
    places = Outcome(Ending.ADJUDICATED, winners).order(2)
    one, other = (change.after for change in rating_changes((NEW, NEW), places, NOW))
    assert one == other
    assert (one.rating, one.drawn) == (1500, 1)


def test_among_three_the_one_between_has_won_once_and_lost_once() -> None:
    last, first, between = (c.after for c in rating_changes((NEW,) * 3, (3, 1, 2), NOW))
    assert between.rating == pytest.approx(1500)
    assert first.rating - 1500 == pytest.approx(1500 - last.rating)
    assert [(each.won, each.lost) for each in (first, between, last)] == [(1, 0), (0, 1), (0, 1)]
    one, _, other = (c.after for c in rating_changes((NEW,) * 3, (1, 3, 1), NOW))
    assert (one, one.won, one.drawn) == (other, 1, 0)


def test_the_seat_does_not_matter() -> None:
    strong = Rating(1800, 60, updated_at=NOW - 9 * DAY)
    ahead = rating_changes((strong, NEW), (1, 2), NOW)
    assert rating_changes((NEW, strong), (2, 1), NOW) == ahead[::-1]


def test_a_change_tells_the_uncertain_rating_before_and_the_one_after() -> None:
    old = Rating(1600, 80, won=3, updated_at=NOW - 300 * DAY)
    change, _ = rating_changes((old, NEW), (1, 2), NOW)
    assert change == RatingChange(
        replace(aged(old, NOW), updated_at=None),
        replace(after_match(old, [(NEW, 1)], NOW), updated_at=None),
    )
    assert change.before.deviation > 80


def test_a_rating_is_provisional_until_some_matches_are_played() -> None:
    own, matches = NEW, 0
    while own.provisional:
        own = after_match(own, [(Rating(1500, 60, updated_at=NOW), matches % 2)], NOW)
        matches += 1
    assert own.deviation <= PROVISIONAL
    assert 6 <= matches <= 12


def test_uncertainty_grows_with_time_up_to_that_of_a_newcomer() -> None:
    own = Rating(1600, 60, updated_at=NOW)
    deviations = [aged(own, NOW + days * DAY).deviation for days in (0, 1, 30, 365, 3650)]
    assert deviations == sorted(set(deviations))
    assert aged(own, NOW + 2_000_000 * DAY).deviation == 350


def test_a_newcomers_rating_does_not_age() -> None:
    assert aged(NEW, NOW) is NEW


def test_a_clock_that_was_set_back_makes_no_rating_more_certain() -> None:
    own = Rating(1600, 60, updated_at=NOW)
    assert aged(own, NOW - 90 * DAY).deviation == pytest.approx(60)


@given(RATINGS, st.integers(0, 1000), st.integers(0, 1000))
def test_ageing_twice_is_ageing_once_for_the_whole_time(own: Rating, one: int, two: int) -> None:
    """Therefore a restored rating may carry the time of the match that was undone."""
    own = replace(own, updated_at=NOW)
    middle, end = NOW + one * DAY, NOW + (one + two) * DAY
    twice = aged(replace(aged(own, middle), updated_at=middle), end)
    assert twice.deviation == pytest.approx(aged(own, end).deviation)


@given(RATINGS, RATINGS, SCORES)
def test_any_match_leaves_a_rating_that_can_be_used(
    own: Rating, other: Rating, score: float
) -> None:
    after = after_match(own, [(other, score)], NOW)
    assert -500 < after.rating < 4500
    assert 0 < after.deviation <= 350.5
    assert 0 < after.volatility < 0.2
    assert after.won + after.lost + after.drawn == own.won + own.lost + own.drawn + 1
    assert after.updated_at == NOW


@given(RATINGS, RATINGS)
def test_winning_never_lowers_a_rating_and_losing_never_raises_it(
    own: Rating, other: Rating
) -> None:
    lost, drawn, won = (after_match(own, [(other, score)], NOW).rating for score in (0, 0.5, 1))
    assert lost <= own.rating <= won
    assert lost < drawn < won
