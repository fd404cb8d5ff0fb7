"""Turns and positions: the pie rule, replay, and counted lines of play."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.engine import (
    IllegalMoveError,
    MoveSyntaxError,
    Position,
    Turn,
    advance,
    begin,
    divide,
    is_swap,
    may_swap,
    perft,
    replay,
)
from tests.engine.noughts import Noughts, State, game
from tests.tables import each

SETUP = game.info.setup()


def after(*texts: str) -> Position[State]:
    """Return the position after these turns, each by whoever is to move."""
    position = begin(game, SETUP)
    for text in texts:
        (seat,) = game.to_move(position.state)
        position, _ = advance(game, position, seat, text)
    return position


def test_a_turn_is_kept_in_its_canonical_form() -> None:
    position, turn = advance(game, begin(game, SETUP), 0, " B\u00a02 ")
    assert turn == Turn(0, "b2")
    assert position == Position(State("....x....", "b2"), 1)


def test_the_position_before_a_turn_stays_as_it_was() -> None:
    before = begin(game, SETUP)
    advance(game, before, 0, "b2")
    assert before == Position(State(), 0)


@each("word", ["swap", "SWAP", " Swap ", "pie", "s\u200bwap"])
def test_a_swap_counts_as_a_ply_and_leaves_the_position(word: str) -> None:
    before = after("b2")
    position, turn = advance(game, before, 1, word)
    assert turn == Turn(1, "swap")
    assert position == Position(before.state, 2)
    assert game.to_move(position.state) == (1,)


@each("word", ["swaps", "s wap", "pies", "", "b2"])
def test_other_words_are_no_swap(word: str) -> None:
    assert not is_swap(word)


@each("turns", [(), ("b2", "a1"), ("b2", "swap"), ("b2", "a1", "c3")])
def test_a_swap_at_any_other_time_is_illegal_and_says_when(turns: tuple[str, ...]) -> None:
    position = after(*turns)
    (seat,) = game.to_move(position.state)
    assert not may_swap(game, position)
    with pytest.raises(IllegalMoveError) as refused:
        advance(game, position, seat, "swap")
    assert str(refused.value) == (
        f"swap is possible once, in place of move 2; move {len(turns) + 1} is due."
    )


def test_only_the_player_to_move_may_swap() -> None:
    with pytest.raises(IllegalMoveError, match="swap is possible once"):
        advance(game, after("b2"), 0, "swap")


def test_nobody_may_swap_or_move_once_it_is_over() -> None:
    position = after("b2", "a1", "c2", "c1", "a2")
    assert not may_swap(game, Position(position.state, 1))
    for text in ("swap", "a3"):
        with pytest.raises(IllegalMoveError):
            advance(game, position, 1, text)


def test_a_player_who_is_not_to_move_is_told_the_name_of_the_side() -> None:
    with pytest.raises(IllegalMoveError, match="It is not Nought's turn"):
        advance(game, begin(game, SETUP), 1, "b2")


def test_without_a_pie_rule_the_word_is_read_as_a_move() -> None:
    class Plain(Noughts):
        info = replace(game.info, swap_after=None)

    plain = Plain()
    with pytest.raises(IllegalMoveError, match='"swap" is not a legal move'):
        advance(plain, begin(plain, SETUP), 0, "swap")


@settings(max_examples=60)
@given(st.data())
def test_a_replay_goes_through_the_positions_of_the_play(data: st.DataObject) -> None:
    position = begin(game, SETUP)
    played, turns = [position], []
    while seats := game.to_move(position.state):
        choices = list(game.legal_moves(position.state, seats[0]))
        choices += ["swap"] * may_swap(game, position)
        position, turn = advance(game, position, seats[0], data.draw(st.sampled_from(choices)))
        played.append(position)
        turns.append(turn)
    assert list(replay(game, SETUP, turns)) == played
    assert all(b.ply == a.ply + 1 for a, b in pairwise(played))


def test_a_replay_stops_where_the_log_breaks_a_rule() -> None:
    positions = replay(game, SETUP, [Turn(0, "b2"), Turn(1, "b2")])
    assert [next(positions).ply, next(positions).ply] == [0, 1]
    with pytest.raises(IllegalMoveError):
        next(positions)


def test_what_cannot_be_read_is_a_syntax_error_of_the_game() -> None:
    with pytest.raises(MoveSyntaxError):
        advance(game, begin(game, SETUP), 0, " \u200b ")


LINES = (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
"""Lines of play of exactly n plies, for n = 1 to 9.

The first four are falling factorials, 9, 9*8, 9*8*7, 9*8*7*6, because nobody can have a row
before the fifth ply. From then on the counts fall short of 9!/(9-n)! because some lines end
sooner: 1,440 end at ply 5, 5,328 at 6, 47,952 at 7, 72,576 at 8, and 127,872 reach ply 9 (81,792
of them with a row, 46,080 drawn). That makes 255,168 games, the well-known count for this game.
"""


@each("depth", range(6))
def test_the_lines_of_play_are_as_many_as_counted_by_hand(depth: int) -> None:
    assert perft(game, game.start(SETUP), depth) == (1, *LINES)[depth]


def test_all_255168_games_are_found() -> None:
    """Look at each position of the tree once, and count the lines that lead to it."""
    assert counted_by_level() == LINES


def counted_by_level() -> tuple[int, ...]:
    level = {game.start(SETUP).cells: 1}
    counts = []
    for _ in range(9):
        deeper: dict[str, int] = {}
        for cells, ways in level.items():
            for after_move in positions_after(State(cells)):
                deeper[after_move] = deeper.get(after_move, 0) + ways
        counts.append(sum(deeper.values()))
        level = deeper
    return tuple(counts)


def positions_after(state: State) -> list[str]:
    return [
        game.play(state, seat, move).cells
        for seat in game.to_move(state)
        for move in game.legal_moves(state, seat)
    ]


def test_the_count_is_told_below_each_move() -> None:
    below = divide(game, after("b2").state, 2)
    assert below == dict.fromkeys(game.legal_moves(after("b2").state, 1), 7)


def test_a_line_that_ends_sooner_does_not_count() -> None:
    assert perft(game, after("b2", "a1", "c2", "c1", "a2").state, 1) == 0
