"""What time and the operator do to a match."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbm.domain.errors import NotNow
from pbm.domain.logs import Entry, EntryKind
from pbm.domain.match import Ending, Reminded, Reminder
from pbm.domain.play import LiveMatch, position_at, undo
from pbm.domain.timekeeping import (
    extend,
    forfeit,
    is_paused,
    pause_board,
    resume_board,
    schedule,
)
from tests.domain.days import begun, board_of, day
from tests.domain.matches import ALICE, BOB, WON, after, later, stored, turn
from tests.tables import each


@each("seat", [0, 1])
def test_a_player_who_forfeits_loses_to_the_opponent(seat: int) -> None:
    board = forfeit(after("b2"), seat, now=later(9))
    assert board.match.outcome is not None
    assert board.match.outcome.ending is Ending.FORFEITED
    assert board.match.outcome.winners == (1 - seat,)
    assert board.match.outcome.counts
    assert board.match.ended_at == later(9)
    assert board.match.log[-1] == Entry(EntryKind.FORFEIT, seat, "", later(9))
    assert board.to_move == ()


def test_a_forfeit_before_the_first_move_loses_too() -> None:
    outcome = forfeit(board_of(begun()), 0, now=day(21)).match.outcome
    assert outcome is not None
    assert (outcome.ending, outcome.winners) == (Ending.FORFEITED, (1,))


def test_a_forfeit_leaves_position_and_moves_as_they_were() -> None:
    played = after("b2", "a1")
    board = forfeit(played, 0, now=later(9))
    assert board.position == played.position == stored(board).position
    assert [entry.text for entry in board.match.plies] == ["b2", "a1"]


def test_a_forfeit_is_taken_back_with_the_last_move() -> None:
    board = undo(forfeit(after("b2", "a1"), 0, now=later(9)), now=later(10))
    assert board.match.outcome is None
    assert board.to_move == (1,)
    assert board.match.turn_since == later(10)


def test_an_extension_is_logged_and_nags_nobody_again() -> None:
    told = {ALICE: Reminded(Reminder.WARNING, day(19)), BOB: Reminded(Reminder.NAG, day(7))}
    board = extend(board_of(replace(begun(), reminded=told)), 3, now=day(20))
    assert board.match.log == (Entry(EntryKind.EXTEND, None, "3", day(20)),)
    assert board.match.reminded == {
        ALICE: Reminded(Reminder.NAG, day(19)),
        BOB: Reminded(Reminder.NAG, day(7)),
    }


def test_a_board_that_is_stopped_stands_until_it_is_resumed() -> None:
    """It is stopped on day 3 and resumed on day 13, so everything is due ten days later."""
    stopped = pause_board(board_of(begun()), now=day(3))
    assert is_paused(stopped.match)
    assert schedule(stopped.match, ALICE).forfeit_at is None
    resumed = resume_board(stopped, now=day(13))
    assert not is_paused(resumed.match)
    assert schedule(resumed.match, ALICE).forfeit_at == day(31)
    again = pause_board(resumed, now=day(20))
    assert schedule(again.match, ALICE).forfeit_at is None
    assert schedule(resume_board(again, now=day(22)).match, ALICE).forfeit_at == day(33)


def test_moves_are_played_on_a_board_that_is_stopped_and_its_clock_goes_on_standing() -> None:
    board = turn(pause_board(after("b2"), now=later(5)), "a1", hours=6)
    assert [entry.text for entry in board.match.plies] == ["b2", "a1"]
    assert is_paused(board.match)
    assert schedule(board.match, ALICE).forfeit_at is None
    resumed = resume_board(board, now=later(30)).match
    assert schedule(resumed, ALICE).forfeit_at == later(30 + 21 * 24)


def test_an_undo_leaves_a_board_stopped() -> None:
    board = undo(pause_board(after("b2"), now=later(5)), now=later(6))
    assert is_paused(board.match)


def test_what_the_operator_does_to_a_clock_is_no_ply() -> None:
    played = after("b2", "a1")
    board = resume_board(pause_board(extend(played, 3, now=later(3)), now=later(4)), now=later(5))
    assert board.match.plies == played.match.plies
    assert board.position == stored(board).position == position_at(board, 2).position
    assert board.due == 3


@each(
    ("act", "sentence"),
    [
        (lambda board: resume_board(board, now=later(9)), "board 104 has not been stopped"),
        (
            lambda board: pause_board(pause_board(board, now=later(8)), now=later(9)),
            "board 104 is already stopped",
        ),
    ],
)
def test_a_clock_is_stopped_once_and_resumed_once(
    act: Callable[[LiveMatch], LiveMatch], sentence: str
) -> None:
    with pytest.raises(NotNow, match=sentence):
        act(after("b2"))


@each(
    "act",
    [
        lambda board: forfeit(board, 0, now=later(9)),
        lambda board: extend(board, 3, now=later(9)),
        lambda board: pause_board(board, now=later(9)),
        lambda board: resume_board(board, now=later(9)),
    ],
)
def test_nothing_is_done_to_the_clock_of_a_match_that_is_over(
    act: Callable[[LiveMatch], LiveMatch],
) -> None:
    with pytest.raises(NotNow, match="Board 104 is over"):
        act(after(*WON))
