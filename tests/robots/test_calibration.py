"""Ratings of levels, from who won how much of the games against whom."""

from math import log10

import pytest

from pbm.robots.calibration import ANCHOR, ANCHOR_DEVIATION, Result, fitted, pairs

STRENGTHS = {1: 1200.0, 2: 1290.0, 3: 1475.0, 4: 1500.0, 5: 1810.0}


def expected(one: float, other: float) -> float:
    """Return the share that Elo's formula expects of the first."""
    return 1 / (1 + 10 ** ((other - one) / 400))


def results(games: int) -> dict[tuple[int, int], Result]:
    """Return what levels of these STRENGTHS get in so many games of each pair."""
    return {
        (a, b): Result(games * expected(STRENGTHS[a], STRENGTHS[b]), games)
        for a, b in pairs(list(STRENGTHS))
    }


def test_the_ratings_are_those_under_which_the_results_are_expected() -> None:
    found = fitted(results(100_000))
    assert {level: round(each.rating) for level, each in found.items()} == STRENGTHS


def test_levels_that_share_their_games_are_equal_and_the_lowest_is_the_anchor() -> None:
    found = fitted({(1, 2): Result(10, 20), (2, 3): Result(10, 20)})
    assert [each.rating for each in found.values()] == pytest.approx([ANCHOR] * 3, abs=0.01)
    assert found[1].deviation == ANCHOR_DEVIATION


def test_two_levels_differ_by_the_logarithm_of_their_score() -> None:
    (_, better) = fitted({(1, 2): Result(9.5, 39)}).values()  # with the drawn one 10 of 40
    assert better.rating - ANCHOR == pytest.approx(400 * log10(3), abs=0.01)


def test_one_that_won_everything_has_a_rating_of_which_little_is_known() -> None:
    sure, swept = fitted(results(100)), fitted({**results(100), (4, 5): Result(0, 100),
                                                (3, 5): Result(0, 100)})  # fmt: skip
    assert swept[5].rating > sure[5].rating
    assert swept[5].deviation > sure[5].deviation > ANCHOR_DEVIATION


def test_more_games_leave_no_more_doubt_than_that_about_the_anchor() -> None:
    few, many = fitted(results(20)), fitted(results(2_000_000))
    assert few[5].deviation > 1.5 * ANCHOR_DEVIATION
    assert many[5].deviation == pytest.approx(ANCHOR_DEVIATION, abs=0.1)


def test_neighbours_play_each_other_and_those_with_one_between_them() -> None:
    assert pairs([1, 2, 3, 4]) == ((1, 2), (1, 3), (2, 3), (2, 4), (3, 4))
