"""Turns, stale turns and ends of a match, as pure steps."""

from dataclasses import replace

import pytest

from pbm.domain.errors import NotAllowed, NotNow, StaleMove
from pbm.domain.logs import EntryKind
from pbm.domain.match import Ending, Outcome
from pbm.domain.play import (
    adjudicate,
    check_open,
    example_move,
    live,
    play,
    position_at,
    resign,
    seat_of,
)
from pbm.engine import IllegalMoveError, MoveError
from tests.domain.matches import ALICE, BOB, CAROL, NOW, WON, after, later, match, stored, turn
from tests.engine.noughts import game
from tests.tables import each


def test_a_move_is_logged_in_canonical_form_with_its_comment_and_time() -> None:
    board = play(live(match(), game), 0, " B2", due=1, comment="Hello!", now=later(3))
    (entry,) = board.match.log
    assert (entry.kind, entry.seat, entry.text) == (EntryKind.MOVE, 0, "b2")
    assert (entry.comment, entry.at, board.match.turn_since) == ("Hello!", later(3), later(3))
    assert (board.to_move, board.due) == ((1,), 2)


def test_the_match_before_a_move_stays_as_it_was() -> None:
    before = live(match(), game)
    turn(before, "b2")
    assert before == live(match(), game)


def test_the_log_alone_brings_back_the_position() -> None:
    board = after("b2", "swap", "a1", "c3")
    assert stored(board) == board


def test_a_move_that_the_game_refuses_is_not_played() -> None:
    with pytest.raises(MoveError):
        turn(after("b2"), "b2")


def test_a_player_who_is_not_to_move_is_told_whose_turn_it_is() -> None:
    with pytest.raises(NotNow) as refused:
        play(after("b2"), 0, "c3", due=None, comment="", now=NOW)
    assert str(refused.value) == "It is not your turn on board 104; move 2 is Nought's."
    assert refused.value.example == "show 104"


@each("due", [1, 3, 0])
def test_a_move_meant_for_another_ply_is_refused(due: int) -> None:
    with pytest.raises(StaleMove) as refused:
        turn(after("b2"), "a1", due=due)
    assert str(refused.value) == f"That was meant as move {due} of board 104, but move 2 is due."


def test_an_old_mail_is_refused_as_stale_even_when_it_is_not_the_players_turn() -> None:
    with pytest.raises(StaleMove):
        play(after("b2"), 0, "c3", due=1, comment="", now=NOW)


def test_a_move_meant_for_the_ply_that_is_due_is_played() -> None:
    assert turn(after("b2"), "a1", due=2).due == 3


def test_a_swap_exchanges_the_players_and_leaves_position_and_turn() -> None:
    before = after("b2")
    assert before.may_swap
    board = turn(before, "Swap")
    assert board.match.players == (BOB, ALICE)
    assert board.match.starters == (ALICE, BOB)
    assert board.match.log[-1].kind is EntryKind.SWAP
    assert board.position.state == before.position.state
    assert (board.to_move, board.due, board.may_swap) == ((1,), 3, False)
    assert seat_of(board, ALICE) == 1


def test_a_second_swap_is_illegal() -> None:
    with pytest.raises(IllegalMoveError):
        turn(after("b2", "swap"), "swap")


def test_a_game_that_reads_swap_as_a_move_of_its_own_keeps_its_players() -> None:
    class Own(type(game)):  # type: ignore[misc]
        info = replace(game.info, swap_after=None)

        def parse(self, state: object, seat: int, text: str) -> str:
            return "a1" if text == "swap" else super().parse(state, seat, text)

    board = play(live(match(), Own()), 0, "swap", due=None, comment="", now=NOW)
    assert (board.match.players, board.match.log[-1].kind) == ((ALICE, BOB), EntryKind.MOVE)


def test_the_move_that_ends_the_game_ends_the_match() -> None:
    board = after(*WON)
    assert board.match.outcome == Outcome(Ending.RULES, (0,), "row")
    assert (board.match.ended_at, board.to_move) == (later(5), ())
    assert not board.may_swap


@each("end", ["won", "resigned", "adjudicated"])
def test_a_match_that_is_over_takes_no_turn_and_no_end(end: str) -> None:
    board = {
        "won": lambda: after(*WON),
        "resigned": lambda: resign(after("b2", "a1"), 0, comment="", now=NOW),
        "adjudicated": lambda: adjudicate(after("b2"), Outcome(Ending.ADJUDICATED), now=NOW),
    }[end]()
    assert board.to_move == ()
    with pytest.raises(NotNow, match="Board 104 is over"):
        play(board, 1, "a3", due=None, comment="", now=NOW)
    with pytest.raises(NotNow):
        resign(board, 1, comment="", now=NOW)
    with pytest.raises(NotNow):
        adjudicate(board, Outcome(Ending.CLOSED), now=NOW)
    with pytest.raises(NotNow):
        check_open(board)


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_after_the_first_move_loses_whoever_is_to_move(seat: int) -> None:
    board = resign(after("b2", "a1"), seat, comment="Well played.", now=later(9))
    assert board.match.outcome == Outcome(Ending.RESIGNED, (1 - seat,))
    assert board.match.outcome.counts
    assert (board.match.log[-1].comment, board.match.ended_at) == ("Well played.", later(9))


def test_resigning_before_ones_first_move_declines_the_match() -> None:
    for board, seat in ((live(match(), game), 0), (live(match(), game), 1), (after("b2"), 1)):
        outcome = resign(board, seat, comment="", now=NOW).match.outcome
        assert outcome == Outcome(Ending.DECLINED)
        assert not outcome.counts


def test_a_swap_counts_as_having_moved() -> None:
    board = resign(after("b2", "swap"), 0, comment="", now=NOW)
    assert board.match.outcome == Outcome(Ending.RESIGNED, (1,))


def test_resigning_is_no_ply() -> None:
    board = resign(after("b2", "a1"), 0, comment="", now=NOW)
    assert len(board.match.plies) == 2
    assert stored(board).position == board.position


def test_a_player_with_both_seats_has_the_one_that_is_to_move() -> None:
    alone = replace(match(), players=(ALICE, ALICE))
    assert seat_of(live(alone, game), ALICE) == 0
    assert (
        seat_of(replace(after("b2"), match=replace(alone, log=after("b2").match.log)), ALICE) == 1
    )


def test_somebody_who_does_not_play_on_a_board_has_no_seat() -> None:
    with pytest.raises(NotAllowed, match="You do not play on board 104"):
        seat_of(after("b2"), CAROL)


def test_an_example_is_a_legal_move_and_not_the_same_at_every_ply() -> None:
    examples = []
    board = live(match(), game)
    for text in ("b2", "a1", "c3", "a3"):
        example = example_move(board)
        assert example in game.legal_moves(board.position.state, board.to_move[0])
        examples.append(example)
        board = turn(board, text)
    assert example_move(after(*WON)) == ""


def test_the_past_is_shown_as_it_stood_with_the_players_who_sat_there() -> None:
    board = after("b2", "swap", "a1")
    start, first, swapped = (position_at(board, ply) for ply in (0, 1, 2))
    assert (start.position.ply, start.to_move, start.match.players) == (0, (0,), (ALICE, BOB))
    assert (first.position, first.match.players) == (after("b2").position, (ALICE, BOB))
    assert swapped.match.players == (BOB, ALICE)
    assert position_at(board, 3) == board


def test_the_past_of_a_match_that_is_over_is_open_and_its_last_position_is_not() -> None:
    board = after(*WON)
    assert position_at(board, 4).match.outcome is None
    assert position_at(board, 5).match.outcome == board.match.outcome


@each("ply", [-1, 3, 9999])
def test_a_ply_that_was_never_played_cannot_be_shown(ply: int) -> None:
    with pytest.raises(NotNow) as refused:
        position_at(after("b2", "a1"), ply)
    assert str(refused.value) == "Board 104 has 2 moves so far."
    assert refused.value.example == "show 104#2"
