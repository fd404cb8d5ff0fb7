"""Moves taken back: the log only grows, and what stands is found by replay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.errors import NotNow
from pbm.domain.match import Ending, EntryKind, Outcome
from pbm.domain.play import LiveMatch, adjudicate, live, position_at, resign, undo
from tests.domain.matches import ALICE, BOB, NOW, WON, after, later, match, stored, turn
from tests.engine.noughts import game


def test_a_move_taken_back_stays_in_the_log_and_no_longer_stands() -> None:
    table = undo(after("b2", "a1"), now=later(9))
    assert [entry.kind for entry in table.match.log] == ["move", "move", "undo"]
    assert [entry.text for entry in table.match.plies] == ["b2"]
    assert table.position == after("b2").position
    assert (table.due, table.to_move, table.match.turn_since) == (2, (1,), later(9))


def test_play_goes_on_after_a_move_was_taken_back() -> None:
    table = turn(undo(after("b2", "a1"), now=NOW), "c3")
    assert [entry.text for entry in table.match.plies] == ["b2", "c3"]
    assert stored(table).position == table.position


def test_a_swap_taken_back_gives_the_players_their_seats_again() -> None:
    table = undo(after("b2", "swap"), now=NOW)
    assert table.match.players == (ALICE, BOB)
    assert table.may_swap
    assert turn(table, "swap").match.players == (BOB, ALICE)


def test_a_move_after_a_swap_taken_back_leaves_the_swap() -> None:
    table = undo(after("b2", "swap", "a1"), now=NOW)
    assert table.match.players == (BOB, ALICE)
    assert not table.may_swap


def test_taking_back_the_move_before_a_swap_takes_two_steps() -> None:
    table = undo(undo(after("b2", "swap"), now=NOW), now=NOW)
    assert (table.match.players, table.due) == ((ALICE, BOB), 1)


def test_a_finished_game_is_open_again() -> None:
    table = undo(after(*WON), now=later(9))
    assert (table.match.outcome, table.match.ended_at) == (None, None)
    assert table.to_move == (0,)
    assert turn(table, "a2").match.outcome == after(*WON).match.outcome


@pytest.mark.parametrize("end", [Ending.RESIGNED, Ending.ADJUDICATED])
def test_an_end_by_resigning_or_by_the_operator_is_undone_with_the_last_move(end: Ending) -> None:
    played = after("b2", "a1")
    if end is Ending.RESIGNED:
        over = resign(played, 0, comment="", now=NOW)
    else:
        over = adjudicate(played, Outcome(end, (1,)), now=NOW)
    table = undo(over, now=NOW)
    assert table.match.outcome is None
    assert table.position == after("b2").position


def test_where_nothing_was_played_nothing_is_taken_back() -> None:
    for table in (live(match(), game), undo(after("b2"), now=NOW)):
        with pytest.raises(NotNow, match="Board 104 has no move to take back"):
            undo(table, now=NOW)


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["undo", "swap", "move"]), max_size=14), st.data())
def test_what_stands_is_always_what_was_played_and_not_taken_back(
    steps: list[str], data: st.DataObject
) -> None:
    """A stack of tables is the model: an undo goes back to the one below."""
    stack = [live(match(), game)]
    table = stack[0]
    for step in steps:
        if step == "undo" and len(stack) > 1:
            stack.pop()
            table = undo(table, now=NOW)
        elif step != "undo" and table.to_move and (step == "move" or table.may_swap):
            table = turn(table, _drawn(table, data) if step == "move" else "swap")
            stack.append(table)
        same(table, stack[-1])


def _drawn(table: LiveMatch, data: st.DataObject) -> str:
    moves = list(game.legal_moves(table.position.state, table.to_move[0]))
    return data.draw(st.sampled_from(moves))


def same(table: LiveMatch, model: LiveMatch) -> None:
    assert table.position == model.position
    assert table.match.players == model.match.players
    assert table.match.outcome == model.match.outcome
    assert position_at(table, len(table.match.plies)).position == table.position
    assert EntryKind.UNDO not in {entry.kind for entry in table.match.plies}
