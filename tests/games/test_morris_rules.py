"""The rules of Nine Men's Morris, sentence by sentence.

Each test names the sentence of the rule text, or the ruling on it, that it is about.
"""

from dataclasses import replace

import pytest

from games.morris import game
from games.morris.board import names
from games.morris.state import State
from pbm.engine import MoveError, Result, encode
from tests.games.morris_boards import BLACK, WHITE, after, at, legal
from tests.tables import each

START = game.start(game.info.setup())
PLACED = "d6 d2 b4 f4 a1 g1 a7 g7 c5 e5 c3 e3 d1 d7 f6 b2 f2 b6"
"""Eighteen turns that place all stones without a mill."""


def test_white_begins_on_an_empty_board_with_nine_stones_each() -> None:
    # "The board begins empty, and the two players each use nine stones of their own color."
    # Ruling: White begins.
    assert START.stones == (0, 0)
    assert START.hand == (9, 9)
    assert game.to_move(START) == (WHITE,)
    assert len(legal(START)) == 24


def test_players_take_turns_placing_one_stone_at_a_time() -> None:
    # "They take turns placing one stone at a time on the intersections of the board."
    state = after(START, "d1 g7")
    assert [names(stones) for stones in state.stones] == [["d1"], ["g7"]]
    assert state.hand == (8, 8)
    assert game.to_move(state) == (WHITE,)
    assert len(legal(state)) == 22


@each("diagonal", ["a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5"])
def test_the_diagonal_spots_at_the_corners_are_no_row(diagonal: str) -> None:
    # "The three diagonal spots at the corners do not count as a row"
    *two, third = diagonal.split()
    assert third in legal(at(" ".join(two), "d6 d2", hand=(7, 7)))


@each("row", ["c4 d3 e4", "b4 c4 e4", "d2 d3 d5", "a4 c4 d5"])
def test_no_row_leads_across_the_middle_or_round_a_corner(row: str) -> None:
    # "any three adjoining spots, vertically or horizontally"
    *two, third = row.split()
    assert third in legal(at(" ".join(two), "d6 a1", hand=(7, 7)))


def test_a_mill_removes_one_stone_of_the_opponent() -> None:
    # "Whenever a player forms a row of three, ... that player removes one ... stone"
    before = at("a1 d1", "a7 d6", hand=(7, 7))
    assert [turn for turn in legal(before) if turn.startswith("g1")] == ["g1xa7", "g1xd6"]
    state = after(before, "g1xa7")
    assert names(state.stones[BLACK]) == ["d6"]
    assert state.hand == (6, 7)


def test_a_stone_may_not_be_taken_from_a_mill() -> None:
    # "provided that a stone may not be taken from a Mill"
    before = at("a1 d1", "a7 d7 g7 b6", hand=(7, 5))
    assert [turn for turn in legal(before) if turn.startswith("g1")] == ["g1xb6"]


def test_strict_takes_none_if_all_stones_of_the_opponent_stand_in_mills() -> None:
    # Ruling: the text gives no stone to take, and none is taken.
    before = at("a1 d1", "a7 d7 g7", hand=(7, 6))
    assert [turn for turn in legal(before) if turn.startswith("g1")] == ["g1"]
    state = after(before, "g1")
    assert names(state.stones[BLACK]) == ["a7", "d7", "g7"]
    assert state.hand == (6, 6)


def test_strict_keeps_a_last_mill_safe_from_a_moved_stone_too() -> None:
    # The same ruling, after placing: the closing move stands without a capture.
    before = at("a1 d1 g4 b2", "a7 d7 g7")
    assert after(before, "g4-g1").reason == ""
    assert names(after(before, "g4-g1").stones[BLACK]) == ["a7", "d7", "g7"]


def test_any_takes_any_stone_if_all_of_them_stand_in_mills() -> None:
    # Ruling, option take=any: then any stone may be taken.
    before = at("a1 d1", "a7 d7 g7", hand=(7, 6), take="any")
    assert [t for t in legal(before) if t.startswith("g1")] == ["g1xa7", "g1xd7", "g1xg7"]


def test_any_still_spares_a_mill_while_another_stone_is_outside() -> None:
    # Ruling, option take=any: only if all stones are in mills.
    before = at("a1 d1", "a7 d7 g7 b6", hand=(7, 5), take="any")
    assert [turn for turn in legal(before) if turn.startswith("g1")] == ["g1xb6"]


def test_the_option_take_decides_which_rule_holds() -> None:
    # Ruling: default take=strict.
    assert not game.start(game.info.setup()).take_any
    assert game.start(game.info.setup({"take": "any"})).take_any


def test_two_mills_closed_at_once_take_one_stone() -> None:
    # Ruling: two mills closed at once take one stone.
    state = after(at("d1 g1 a4 a7", "b2 b4 f2 f6", hand=(4, 4)), "a1xb2")
    assert names(state.stones[BLACK]) == ["b4", "f2", "f6"]
    assert game.to_move(state) == (BLACK,)


def test_stones_move_only_once_all_are_placed() -> None:
    # "Once all the stones have been placed, the players take turns moving"
    assert all("-" not in turn for turn in legal(at("a1 b2", "g7 f6 e5 d2", hand=(1, 0))))
    state = after(START, PLACED)
    assert state.hand == (0, 0)
    assert all("-" in turn for turn in legal(state))


def test_a_stone_moves_along_a_line_to_an_adjacent_open_spot() -> None:
    # "moving one of their stones along the lines to an adjacent open spot"
    state = at("a1 b2 c3 d5", "g7 f6 e5 d2")
    assert legal(state) == ["a1-a4", "a1-d1", "b2-b4", "c3-c4", "c3-d3", "d5-c5", "d5-d6"]


def test_a_mill_is_closed_by_moving_as_well() -> None:
    # "Anytime a player manages to close a Mill ..., the player removes an opponent stone."
    state = after(at("a1 d1 g4 b2", "a7 d7 c3 e5"), "g4-g1xe5")
    assert names(state.stones[WHITE]) == ["a1", "b2", "d1", "g1"]
    assert names(state.stones[BLACK]) == ["a7", "c3", "d7"]


def test_a_mill_opened_and_closed_again_takes_again() -> None:
    # "A Mill which is opened and then closed again on a later turn is considered a new row."
    state = after(at("a1 d1 g1 b6", "a7 d7 c3 e5 f2 f6"), "g1-g4 e5-e4 g4-g1xa7 e4-e5 g1-g4 e5-e4")
    assert "g4-g1xd7" in legal(state)


def test_a_stone_that_moves_within_its_own_row_needs_the_other_two() -> None:
    # A mill is three stones: the one that leaves does not count where it was.
    assert "d1-g1" in legal(at("a1 d1 b6 f6", "a7 d7 c3 e5"))


def test_a_mill_that_stands_already_takes_nothing_when_another_stone_moves() -> None:
    # Only forming a row takes: "Whenever a player forms a row of three"
    assert "b6-d6" in legal(at("a1 d1 g1 b6", "a7 d7 c3 e5"))


@each("text", ["pass", "-", "0-0"])
def test_a_turn_may_not_be_passed(text: str) -> None:
    # "Players may not pass a turn; a stone must be moved"
    with pytest.raises(MoveError):
        after(at("a1 d1 g1 b6", "a7 d7 c3 e5"), text)


def test_a_player_with_three_stones_may_jump_to_any_open_spot() -> None:
    # "When one player has only 3 stones left ..., that player may jump to any open spot"
    state = at("a1 b2 c3", "g7 f6 e5 d2")
    assert len(legal(state)) == 3 * 17
    assert names(after(state, "a1-g1").stones[WHITE]) == ["b2", "c3", "g1"]


def test_a_player_with_four_stones_may_not_jump() -> None:
    # The same sentence: only with three.
    assert "a1-g1" not in legal(at("a1 b2 c3 a7", "g7 f6 e5 d3"))


def test_only_the_player_who_has_three_may_jump() -> None:
    # "that player may jump"
    assert "g7-a7" not in legal(at("a1 b2 c3", "g7 f6 e5 d3", mover=BLACK))


def test_a_jump_can_close_a_mill() -> None:
    # "Anytime a player manages to close a Mill", jumping included.
    state = after(at("a1 d1 c5", "a7 d7 c3 e5"), "c5-g1xa7")
    assert state.stones[BLACK].bit_count() == 3


def test_three_stones_do_not_jump_while_more_are_in_hand() -> None:
    # Ruling: with three stones left (after placing) one may jump.
    assert all("-" not in turn for turn in legal(at("a1 b2 c3", "g7 f6 e5 d2", hand=(1, 1))))


def test_a_player_reduced_to_two_stones_loses() -> None:
    # "The player who first is reduced to only two stones remaining ... loses the game."
    state = after(at("a1 d1 g4 b6", "a7 d7 c3"), "g4-g1xa7")
    assert game.result(state) == Result((WHITE,), "two_left")
    assert game.to_move(state) == ()
    assert legal(state) == []


def test_two_stones_on_the_board_do_not_lose_while_others_are_in_hand() -> None:
    # Ruling: with two, after placing, one loses.
    state = after(at("a1 d1", "a7 d7 c3", hand=(7, 6)), "g1xa7")
    assert state.reason == ""
    assert game.to_move(state) == (BLACK,)


def test_a_player_who_cannot_move_any_stone_loses() -> None:
    # "or who cannot move any stone on the board, loses the game"
    state = after(at("a1 g1 a7 g7", "d1 a4 g4 d6", mover=BLACK), "d6-d7")
    assert game.result(state) == Result((BLACK,), "no_move")


def test_a_player_who_can_jump_is_not_shut_in() -> None:
    # "that player may jump to any open spot": three stones always find one.
    state = after(at("a1 g1 a7", "d1 a4 g4 d6", mover=BLACK), "d6-d7")
    assert state.reason == ""


def test_nobody_loses_by_lack_of_moves_while_placing() -> None:
    # Ruling: while placing, nobody loses by lack of moves.
    state = after(at("a1 g1 a7 g7", "d1 a4 g4", hand=(1, 1), mover=BLACK), "d7")
    assert state.reason == ""
    assert "b2" in legal(state)


def test_a_player_without_a_move_loses_as_soon_as_the_last_stone_is_placed() -> None:
    # Ruling: with no move at one's turn after placing, one loses.
    state = after(at("a1 g1 a7 g7", "d1 a4 g4", hand=(0, 1), mover=BLACK), "d7")
    assert game.result(state) == Result((BLACK,), "no_move")


SHUTTLE = "a1-a4 g7-g4 a4-a1 g4-g7"


def test_the_third_time_of_a_position_is_a_draw() -> None:
    # Ruling, draw: the same position with the same side to move for the third time.
    before = at("a1 b2 c5 f6", "g7 f2 e3 d6")
    assert after(before, f"{SHUTTLE} a1-a4 g7-g4 a4-a1").reason == ""
    state = after(before, f"{SHUTTLE} {SHUTTLE}")
    assert game.result(state) == Result((), "repetition")


def test_the_position_after_the_last_placing_is_its_first_time() -> None:
    # The same ruling: that position was reached by placing, and counts.
    once = after(after(START, PLACED), "c3-d3 e5-e4 d3-c3 e4-e5")
    assert after(once, "c3-d3 e5-e4 d3-c3").reason == ""
    assert after(once, "c3-d3 e5-e4 d3-c3 e4-e5").reason == "repetition"


def test_the_same_stones_with_the_other_side_to_move_are_another_position() -> None:
    # The same ruling: "with the same side to move". White jumps round a triangle, so that
    # the stones of the beginning come back with Black to move, and then once more.
    before = at("a1 b4 f6", "g7 f2 e3 d6")
    other = after(before, "a1-c3 g7-g4 c3-c5 g4-g7 c5-a1")
    assert other.stones == before.stones
    again = after(other, "g7-g4 a1-c3 g4-g7 c3-a1")
    assert again.stones == before.stones
    assert again.reason == ""
    assert after(again, "g7-g4 a1-c3 g4-g7 c3-a1").reason == "repetition"


def quiet(state: State, plies: int) -> State:
    """Return `state` as if so many plies had passed without a stone placed or taken."""
    return replace(state, since=(*range(-plies, 0), *state.since))


def test_a_hundred_plies_without_a_stone_placed_or_taken_are_a_draw() -> None:
    # Ruling, draw: 100 plies without a stone placed or taken.
    before = at("a1 b2 c5 f6", "g7 f2 e3 d6")
    assert after(quiet(before, 98), "a1-a4").reason == ""
    assert game.result(after(quiet(before, 99), "a1-a4")) == Result((), "quiet")


def test_taking_a_stone_begins_the_count_of_quiet_plies_anew() -> None:
    # The same ruling.
    state = after(quiet(at("a1 d1 g4 b6", "a7 d7 c3 e5"), 99), "g4-g1xa7")
    assert state.reason == ""
    assert len(state.since) == 1


def test_a_mill_that_takes_nothing_is_a_quiet_ply() -> None:
    # The same ruling: nothing was placed or taken.
    state = after(quiet(at("a1 d1 g4 b2", "a7 d7 g7"), 99), "g4-g1")
    assert state.reason == "quiet"


def test_losing_goes_before_a_draw_that_the_same_turn_would_make() -> None:
    # Ruling of the help page: a win and a draw in one turn are a win.
    state = after(quiet(at("a1 g1 a7 g7", "d1 a4 g4 d6", mover=BLACK), 99), "d6-d7")
    assert state.reason == "no_move"


def test_a_stored_state_stays_small_until_the_last_quiet_ply() -> None:
    # A state is written at every move: what can no longer be repeated is not kept.
    longest = quiet(at("a1 b2 c5 f6", "g7 f2 e3 d6"), 99)
    full = replace(longest, since=tuple((1 << 49) - n for n in range(100)))
    assert len(encode(game, full)) < 2000
    assert len(encode(game, after(START, PLACED))) < 200
