"""Duels: who won, what the first seat is worth, and that all follows from the seed."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from pbm.engine import AnyGame
from pbm.robots.duel import Played, games_between, score_of, share_of
from pbm.robots.levels import LEVELS, RANDOM, Level, LevelError, level_of
from tests.engine.noughts.three import game as three
from tests.robots.brute import GAMES

NOUGHTS = GAMES["noughts"]
HEX = GAMES["hex"]


def dice(seed: int) -> Callable[[str], random.Random]:
    return lambda name: random.Random(f"{seed} {name}")


def played(game: AnyGame, one: Level, other: Level, games: int, seed: int = 1) -> list[Played]:
    options = {"size": "5"} if game is HEX else {}
    setup = game.info.setup(options)
    return list(games_between(game, setup, (one, other), games, dice(seed)))


def test_level_3_beats_random_play_in_18_of_20_with_a_tenth_of_its_playouts() -> None:
    level = level_of("3")
    games = played(NOUGHTS, replace(level, playouts=level.playouts // 10), RANDOM, 20)
    assert sum(game.worths == (1, 0) for game in games) >= 18


def test_a_level_that_thinks_more_beats_one_that_thinks_less() -> None:
    little, more = Level("little", 3, sees_threats=0.0), Level("more", 40)
    games = played(HEX, little, more, 4)
    assert sum(game.worths[1] for game in games) >= 3


def test_the_same_seed_gives_the_same_games_and_another_does_not() -> None:
    thinking = Level("thinking", 10)
    games = played(HEX, thinking, RANDOM, 3)
    assert games == played(HEX, thinking, RANDOM, 3)
    assert games != played(HEX, thinking, RANDOM, 3, seed=2)


def test_each_robot_has_the_first_seat_in_every_second_game() -> None:
    games = played(GAMES["notwos"], RANDOM, RANDOM, 6)
    assert {game.first_seat for game in games} == {0, 1}
    for number, game in enumerate(games):
        assert game.first_seat == game.worths[number % 2]


def test_who_swaps_gets_what_the_seat_wins() -> None:
    games = played(HEX, RANDOM, RANDOM, 12)
    assert {game.swapped for game in games} == {True, False}
    for number, game in enumerate(games):
        assert game.first_seat == game.worths[(number + game.swapped) % 2]


def test_a_score_counts_draws_as_halves_and_tells_lengths_and_ends() -> None:
    score = score_of(
        [
            Played((1, 0), 1, 5, swapped=False, reason="row"),
            Played((0.5, 0.5), 0.5, 9, swapped=False, reason="full"),
            Played((1, 0), 0, 6, swapped=True, reason="row"),
        ]
    )
    assert (score.robot.won, score.first_seat.won, score.draws, score.swaps) == (2.5, 1.5, 1, 1)
    assert (score.median_plies, score.longest_plies) == (6, 9)
    assert score.reasons == {"row": 2, "full": 1}


def test_a_draw_of_three_is_a_draw_though_one_robot_had_two_of_the_seats() -> None:
    games = played(three, RANDOM, RANDOM, 12)
    drawn = sum(game.reason == "full" for game in games)
    assert 0 < drawn < 12
    assert score_of(games).draws == drawn


def test_the_interval_is_that_of_wilson() -> None:
    # 8 of 10, by hand: the middle is 0.99208 / 1.38416, the reach 0.31362 / 1.38416.
    share = share_of(8, 10)
    assert (share.low, share.high) == pytest.approx((0.4902, 0.9433), abs=5e-4)
    assert share_of(0, 5).low == 0
    assert share_of(5, 5).high == pytest.approx(1)


def test_levels_go_by_their_number_too_and_an_unknown_one_is_refused() -> None:
    assert [level_of(str(n)) for n in range(1, 6)] == list(LEVELS)
    assert level_of("Level4") is LEVELS[3]
    assert level_of("random") is RANDOM
    with pytest.raises(LevelError, match="level1 to level5"):
        level_of("6")


def test_each_level_tries_more_than_the_one_below() -> None:
    tried = [level.playouts for level in (RANDOM, *LEVELS)]
    assert tried == sorted(set(tried))
    assert tried[-1] == 10_000
