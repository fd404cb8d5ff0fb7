"""The strength of levels: duels, ratings that follow from them, and the table of the bench."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from math import log10
from pathlib import Path

import pytest

from bench import games
from bench.__main__ import main
from bench.forced import Forced, read_forced
from bench.games import FORCED, LADDER, board_of, contests_of, forced_wins, won
from bench.ratings import ANCHOR, ANCHOR_DEVIATION, Result, fitted, pairs, ratings
from bench.report import Plan
from pbm.engine import AnyGame, GameError
from pbm.plugins import installed_games
from pbm.robots.duel import DuelGame, games_between, score_of, share_of
from pbm.robots.levels import LEVELS, RANDOM, Level, LevelError, level_of
from tests.engine.noughts.three import game as three
from tests.robots.brute import GAMES, forces, moves

pytestmark = pytest.mark.slow

NOUGHTS = GAMES["noughts"]
HEX = GAMES["hex"]


def dice(seed: int) -> Callable[[str], random.Random]:
    return lambda name: random.Random(f"{seed} {name}")


def duels(game: AnyGame, one: Level, other: Level, number: int, seed: int = 1) -> list[DuelGame]:
    options = {"size": "5"} if game is HEX else {}
    setup = game.info.setup(options)
    return list(games_between(game, setup, (one, other), number, dice(seed)))


def test_level_3_beats_random_play_in_18_of_20_with_a_tenth_of_its_playouts() -> None:
    level = level_of("3")
    found = duels(NOUGHTS, replace(level, playouts=level.playouts // 10), RANDOM, 20)
    assert sum(game.worths == (1, 0) for game in found) >= 18


def test_a_level_that_thinks_more_beats_one_that_thinks_less() -> None:
    little, more = Level("little", 3, sees_threats=0.0), Level("more", 40)
    found = duels(HEX, little, more, 4)
    assert sum(game.worths[1] for game in found) >= 3


def test_the_same_seed_gives_the_same_games_and_another_does_not() -> None:
    thinking = Level("thinking", 10)
    found = duels(HEX, thinking, RANDOM, 3)
    assert found == duels(HEX, thinking, RANDOM, 3)
    assert found != duels(HEX, thinking, RANDOM, 3, seed=2)


def test_each_robot_has_the_first_seat_in_every_second_game() -> None:
    found = duels(GAMES["notwos"], RANDOM, RANDOM, 6)
    assert {game.first_seat for game in found} == {0, 1}
    for number, game in enumerate(found):
        assert game.first_seat == game.worths[number % 2]


def test_who_swaps_gets_what_the_seat_wins() -> None:
    found = duels(HEX, RANDOM, RANDOM, 12)
    assert {game.swapped for game in found} == {True, False}
    for number, game in enumerate(found):
        assert game.first_seat == game.worths[(number + game.swapped) % 2]


def test_a_score_counts_draws_as_halves_and_tells_lengths_and_ends() -> None:
    score = score_of(
        [
            DuelGame((1, 0), 1, 5, swapped=False, reason="row"),
            DuelGame((0.5, 0.5), 0.5, 9, swapped=False, reason="full"),
            DuelGame((1, 0), 0, 6, swapped=True, reason="row"),
        ]
    )
    assert (score.robot.won, score.first_seat.won, score.draws, score.swaps) == (2.5, 1.5, 1, 1)
    assert (score.median_plies, score.longest_plies) == (6, 9)
    assert score.reasons == {"row": 2, "full": 1}


def test_a_draw_of_three_is_a_draw_though_one_robot_had_two_of_the_seats() -> None:
    found = duels(three, RANDOM, RANDOM, 12)
    drawn = sum(game.reason == "full" for game in found)
    assert 0 < drawn < 12
    assert score_of(found).draws == drawn


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


ROOT = Path(__file__).parents[2] / "games"

INSTALLED = [game for game in installed_games() if (ROOT / game.info.key / "forced.txt").is_file()]

every_installed_game = pytest.mark.parametrize("game", INSTALLED, ids=lambda game: game.info.key)


@every_installed_game
def test_each_game_has_ten_forced_wins_that_few_first_moves_bring(game: AnyGame) -> None:
    forced = list(forced_wins(game))
    assert len(forced) == 10
    assert {riddle.turns for riddle in forced} <= {2, 3}
    for riddle in forced:
        state = riddle.position(game).state
        legal = [str(move) for move in moves(game, state)]
        assert set(riddle.wins) < set(legal)
        assert len(riddle.wins) <= len(legal) / 5


@every_installed_game
def test_a_win_is_forced_as_soon_as_told_and_by_those_moves_alone(game: AnyGame) -> None:
    riddle = min(forced_wins(game), key=lambda each: len(moves(game, each.position(game).state)))
    state = riddle.position(game).state
    legal = moves(game, state)
    assert not any(forces(game, state, move, riddle.turns - 1) for move in legal)
    winning = {str(move) for move in legal if forces(game, state, move, riddle.turns)}
    assert winning == set(riddle.wins)


@every_installed_game
def test_a_search_with_a_fifth_of_the_playouts_of_level_4_finds_a_forced_win(game: AnyGame) -> None:
    weaker = replace(LEVELS[3], playouts=400)
    assert [won(game, weaker, None, number) for number in range(2)] == [1, 1]


def test_a_riddle_is_read_as_it_is_written() -> None:
    riddle = Forced(2, ("b2", "c3"), {"size": "5"}, ("a1", "a2"))
    text = "# a comment\nin 2 by b2 c3 with size=5: a1 a2\n"
    assert list(read_forced("Noughts", text)) == [riddle]


def test_each_game_has_the_whole_ladder_and_riddles_for_two_levels() -> None:
    rows = {game.info.key: [row for row, *_ in contests_of(game)] for game in INSTALLED}
    assert all(names == [*LADDER, FORCED, FORCED] for names in rows.values())


def test_a_game_without_a_word_on_strength_is_played_on_its_usual_board_without_riddles() -> None:
    assert board_of(NOUGHTS) == {}
    assert [row for row, *_ in contests_of(NOUGHTS)] == list(LADDER)


def test_the_table_is_the_same_in_one_process_and_in_two() -> None:
    plan = Plan((GAMES["noughts"],), rows=("level2",), matches=4, workers=1)
    rows = games.robots(plan)
    assert [(row["level"], row["other"]) for row in rows] == [("level2", "level1")]
    assert all(row["games"] == 4 and row["low"] <= row["share"] <= row["high"] for row in rows)
    assert games.robots(replace(plan, workers=2)) == rows


def test_each_level_gets_a_rating_from_games_and_the_lowest_is_the_anchor() -> None:
    found = ratings(Plan((NOUGHTS,), matches=1, workers=1))
    assert [(row["game"], row["level"]) for row in found] == [("noughts", n) for n in range(1, 6)]
    assert (found[0]["rating"], found[0]["deviation"]) == (1200, 80)


def test_the_command_prints_the_table_with_aims(capsys: pytest.CaptureFixture[str]) -> None:
    row = ("--game", "gonnect", "--row", "level2", "--games-played", "1", "--workers", "1")
    with pytest.raises(SystemExit) as ended:
        main(["robots", *row, "--json"])
    assert not ended.value.code
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    (found,) = part["rows"]
    assert (found["game"], found["level"], found["games"]) == ("gonnect", "level2", 1)
    assert found["aim"] == 0.65


def test_a_line_that_is_no_riddle_is_named_with_its_game() -> None:
    with pytest.raises(GameError, match=r"forced.txt of Gonnect has a line that is none"):
        list(read_forced("Gonnect", "in two by luck\n"))
