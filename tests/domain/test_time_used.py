"""Whose time a turn takes: with swaps, undo, vacations and extensions, and over all turns."""

from dataclasses import replace

from pbm.domain.match import Reminded, Reminder
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.play import undo
from pbm.domain.timekeeping import (
    Schedule,
    due_reminder,
    extend,
    is_forfeited,
    pause_board,
    players_to_move,
    reminded,
    resume_board,
    schedule,
    time_used,
    turn_limit,
)
from tests.domain.days import begun, board_of, day, days, hours, times
from tests.domain.matches import ALICE, BOB, after, later, turn
from tests.tables import each

WARNING = Reminder.WARNING


@each(
    ("texts", "used"),
    [
        ((), (0, 0)),
        (("b2",), (1, 0)),
        (("b2", "a1"), (1, 1)),
        (("b2", "a1", "c2"), (2, 1)),
        # Bob takes Cross by a swap; then alice, who is now Nought, is to move.
        (("b2", "swap"), (1, 1)),
        (("b2", "swap", "a1"), (2, 1)),
        (("b2", "swap", "a1", "c2"), (2, 2)),
    ],
)
def test_a_move_uses_the_time_since_the_ply_before(
    texts: tuple[str, ...], used: tuple[int, int]
) -> None:
    spent = time_used(after(*texts).match)
    assert (spent[ALICE], spent[BOB]) == (hours(used[0]), hours(used[1]))


def test_time_that_ends_with_an_undo_counts_for_nobody() -> None:
    """Bob thinks from hour 1 to 9, when alice's move is taken back; she moves again at hour 50."""
    board = undo(after("b2"), now=later(9))
    assert time_used(board.match) == {ALICE: hours(1), BOB: hours(0)}
    assert time_used(turn(board, "b2").match) == {ALICE: hours(42), BOB: hours(0)}
    assert players_to_move(board) == (ALICE,)
    assert schedule(board.match, ALICE).forfeit_at == later(9) + days(21)


def test_an_undone_swap_gives_the_clock_back_to_the_player_who_swapped() -> None:
    """Bob swaps at hour 2, which is taken back at hour 9; he is to move again and moves at 50."""
    board = undo(after("b2", "swap"), now=later(9))
    assert players_to_move(board) == (BOB,)
    played = turn(board, "a1")
    assert time_used(played.match) == {ALICE: hours(1), BOB: hours(1 + 41)}


def test_chats_and_offers_and_extensions_take_no_time_from_anybody() -> None:
    extended = extend(after("b2"), 3, now=later(30))
    assert time_used(turn(extended, "a1").match) == {ALICE: hours(1), BOB: hours(49)}
    assert extended.match.turn_since == later(1)


def test_a_vacation_saves_time_only_for_its_player() -> None:
    """Alice moves at hour 1, bob at hour 50; each vacation lasts from hour 10 to hour 30."""
    played = turn(after("b2"), "a1").match
    away = replace(played, pauses=(Pause(PauseKind.VACATION, later(10), later(30), BOB),))
    assert time_used(away) == {ALICE: hours(1), BOB: hours(29)}
    hers = replace(played, pauses=(Pause(PauseKind.VACATION, later(10), later(30), ALICE),))
    assert time_used(hers) == {ALICE: hours(1), BOB: hours(49)}


def test_the_operators_pause_is_no_time_used() -> None:
    stopped = resume_board(pause_board(after("b2"), now=later(10)), now=later(30))
    assert time_used(turn(stopped, "a1").match) == {ALICE: hours(1), BOB: hours(29)}


def test_the_total_time_ends_a_turn_earlier_than_the_forfeittime() -> None:
    """Alice used six of her ten days in her first turn; the last warning comes two days ahead."""
    played = turn(turn(board_of(begun(1, 7, 10)), "b2", hours=144), "a1", hours=145)
    since = later(145)
    assert turn_limit(played.match, ALICE) == days(4)
    assert turn_limit(played.match, BOB) == days(7)
    assert schedule(played.match, ALICE) == Schedule(
        since + days(1), since + days(2), since + days(4)
    )


def test_a_player_who_has_used_all_their_time_has_half_a_day_for_each_move() -> None:
    """Alice could play late because nobody looked; now she needs time to read her mail."""
    played = turn(turn(board_of(begun(1, 7, 10)), "b2", hours=300), "a1", hours=301)
    assert turn_limit(played.match, ALICE) == days(0.5)
    assert due_reminder(played.match, ALICE, later(306)) is None
    assert due_reminder(played.match, ALICE, later(307)) is WARNING
    assert not is_forfeited(played.match, ALICE, later(400))


def test_a_forfeittime_of_three_days_gives_one_reminder_after_the_first() -> None:
    assert times(begun(1, 3)) == (None, 1, 3)


def test_an_outage_that_was_taken_back_bounds_nothing() -> None:
    taken_back = Pause(PauseKind.OUTAGE, day(30), day(30))
    assert times(replace(begun(7, 21), pauses=(taken_back,))) == (7, 19, 21)


def test_an_extension_moves_warning_and_forfeit_of_this_turn_alone() -> None:
    extended = extend(board_of(begun()), 5, now=day(3))
    assert times(extended.match) == (7, 24, 26)
    twice = extend(extended, 2, now=day(4))
    assert times(twice.match) == (7, 26, 28)
    played = turn(turn(twice, "b2", hours=24), "a1", hours=48)
    assert times(played.match) == (9, 21, 23)


def test_an_extension_before_an_undo_is_of_another_turn() -> None:
    board = undo(extend(after("b2"), 5, now=later(2)), now=later(24))
    assert times(board.match) == (8, 20, 22)


def test_an_extension_goes_beyond_the_total_time() -> None:
    extended = extend(board_of(begun(1, 7, 3)), 5, now=day(1))
    assert times(extended.match) == (1, 6, 8)


def test_after_a_warning_and_an_extension_comes_another_warning_and_no_nag() -> None:
    warned = replace(begun(), reminded={ALICE: Reminded(WARNING, day(19))})
    given_time = extend(board_of(warned), 5, now=day(20)).match
    assert due_reminder(given_time, ALICE, day(24) - hours(1)) is None
    assert not is_forfeited(given_time, ALICE, day(24) - hours(1))
    assert due_reminder(given_time, ALICE, day(24)) is WARNING
    again = reminded(given_time, ALICE, WARNING, day(24))
    assert not is_forfeited(again, ALICE, day(26) - hours(1))
    assert is_forfeited(again, ALICE, day(26))
