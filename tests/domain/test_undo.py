"""Moves taken back: the log only grows, and what stands is found by replay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.errors import NotNow
from pbm.domain.logs import EntryKind
from pbm.domain.match import Ending, Outcome
from pbm.domain.play import LiveMatch, adjudicate, live, position_at, resign, undo
from tests.domain.matches import ALICE, BOB, NOW, WON, after, later, match, stored, turn
from tests.engine.noughts import game


def test_a_move_taken_back_stays_in_the_log_and_no_longer_stands() -> None:
    board = undo(after("b2", "a1"), now=later(9))
    assert [entry.kind for entry in board.match.log] == ["move", "move", "undo"]
    assert [entry.text for entry in board.match.plies] == ["b2"]
    assert board.position == after("b2").position
    assert (board.due, board.to_move, board.match.turn_since) == (2, (1,), later(9))


def test_play_goes_on_after_a_move_was_taken_back() -> None:
    board = turn(undo(after("b2", "a1"), now=NOW), "c3")
    assert [entry.text for entry in board.match.plies] == ["b2", "c3"]
    assert stored(board).position == board.position


def test_a_swap_taken_back_gives_the_players_their_seats_again() -> None:
    board = undo(after("b2", "swap"), now=NOW)
    assert board.match.players == (ALICE, BOB)
    assert board.may_swap
    assert turn(board, "swap").match.players == (BOB, ALICE)


def test_a_move_after_a_swap_taken_back_leaves_the_swap() -> None:
    board = undo(after("b2", "swap", "a1"), now=NOW)
    assert board.match.players == (BOB, ALICE)
    assert not board.may_swap


def test_taking_back_the_move_before_a_swap_takes_two_steps() -> None:
    board = undo(undo(after("b2", "swap"), now=NOW), now=NOW)
    assert (board.match.players, board.due) == ((ALICE, BOB), 1)


def test_a_finished_game_is_open_again() -> None:
    board = undo(after(*WON), now=later(9))
    assert (board.match.outcome, board.match.ended_at) == (None, None)
    assert board.to_move == (0,)
    assert turn(board, "a2").match.outcome == after(*WON).match.outcome


@pytest.mark.parametrize("end", [Ending.RESIGNED, Ending.ADJUDICATED])
def test_an_end_by_resigning_or_by_the_operator_is_undone_with_the_last_move(end: Ending) -> None:
    played = after("b2", "a1")
    if end is Ending.RESIGNED:
        over = resign(played, 0, comment="", now=NOW)
    else:
        over = adjudicate(played, Outcome(end, (1,)), now=NOW)
    board = undo(over, now=NOW)
    assert board.match.outcome is None
    assert board.position == after("b2").position


def test_where_nothing_was_played_nothing_is_taken_back() -> None:
    for board in (live(match(), game), undo(after("b2"), now=NOW)):
        with pytest.raises(NotNow, match="Board 104 has no move to take back"):
            undo(board, now=NOW)


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["undo", "swap", "move"]), max_size=14), st.data())
def test_what_stands_is_always_what_was_played_and_not_taken_back(
    steps: list[str], data: st.DataObject
) -> None:
    """The model is a stack of boards; an undo goes back to the one below."""
    stack = [live(match(), game)]
    board = stack[0]
    for step in steps:
        if step == "undo" and len(stack) > 1:
            stack.pop()
            board = undo(board, now=NOW)
        elif step != "undo" and board.to_move and (step == "move" or board.may_swap):
            board = turn(board, _drawn(board, data) if step == "move" else "swap")
            stack.append(board)
        same(board, stack[-1])


def _drawn(board: LiveMatch, data: st.DataObject) -> str:
    moves = list(game.legal_moves(board.position.state, board.to_move[0]))
    return data.draw(st.sampled_from(moves))


def same(board: LiveMatch, model: LiveMatch) -> None:
    assert board.position == model.position
    assert board.match.players == model.match.players
    assert board.match.outcome == model.match.outcome
    assert position_at(board, len(board.match.plies)).position == board.position
    assert EntryKind.UNDO not in {entry.kind for entry in board.match.plies}
