"""When reminders and forfeits are due, worked out by hand from the rules on time."""

from dataclasses import replace
from itertools import product

from pbm.domain.match import Reminded, Reminder
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.timekeeping import (
    ahead_of,
    current_pause,
    due_reminder,
    forfeit,
    is_forfeited,
    next_look,
    not_after,
    pause_board,
    players_to_move,
    reminded,
    schedule,
)
from tests.domain.days import begun, board_of, day, days, hours, outage, pause, times
from tests.domain.matches import ALICE, BOB, NOW, WON, after, later, turn
from tests.tables import each

NAG, WARNING = Reminder.NAG, Reminder.WARNING


@each(
    ("nag", "limit", "expected"),
    [
        (7, 21, (7, 19, 21)),
        (1, 5, (1, 3, 5)),
        (1, 4, (1, 2, 4)),
        (4, 7, (4, 5, 7)),
        (5, 7, (None, 5, 7)),  # the nag would come with the warning
        (6, 7, (None, 5, 7)),  # the nag would come after the warning
        (1, 3, (None, 1, 3)),
        (2, 3, (None, 1, 3)),
        (1, 2, (None, 1, 2)),  # the notice is half of the time if the time is two days or less
        (1, 1, (None, 0.5, 1)),
    ],
)
def test_nag_warning_and_forfeit_come_on_these_days(
    nag: int, limit: int, expected: tuple[float | None, float, float]
) -> None:
    assert times(begun(nag, limit)) == expected


@each(
    ("pauses", "expected"),
    [
        ([pause(3, 13)], (17, 29, 31)),
        ([pause(8, 18)], (7, 29, 31)),  # the nag has already come
        ([pause(0, 1), pause(0.5, 2)], (9, 21, 23)),
        ([pause(3, 13, player=BOB)], (7, 19, 21)),  # another player's pause
        ([pause(3, 13, PauseKind.MAINTENANCE, None)], (17, 29, 31)),  # everybody's pause
        ([pause(10, None, PauseKind.MAINTENANCE, None)], (7, None, None)),
        ([pause(-5, 2)], (9, 21, 23)),  # the pause begins before the turn
        ([pause(-5, -1)], (7, 19, 21)),
        ([pause(19.5, 29.5)], (7, 19, 31)),
        ([outage(20, 23)], (7, 19, 24)),
        ([outage(3, 4)], (8, 20, 22)),
    ],
)
def test_what_is_due_moves_by_the_time_for_which_the_clock_stands(
    pauses: list[Pause], expected: tuple[float | None, ...]
) -> None:
    assert times(replace(begun(), pauses=tuple(pauses))) == expected


@each(
    ("began", "until", "forfeit_at"),
    [
        # An hour was left. Two days of silence leave a day, six hours leave six.
        (20 + 23 / 24, 22 + 23 / 24, 23 + 23 / 24),
        (20 + 23 / 24, 21 + 5 / 24, 21 + 11 / 24),
        # A minute of silence still leaves an hour.
        (20 + 23 / 24, 20 + 23 / 24 + 1 / 1440, 21 + 1 / 1440),
    ],
)
def test_after_an_outage_everybody_has_as_long_as_it_took_up_to_a_day(
    began: float, until: float, forfeit_at: float
) -> None:
    due = schedule(replace(begun(), pauses=(outage(began, until),)), ALICE)
    assert due.forfeit_at == day(forfeit_at)


def test_an_outage_before_the_turn_gives_nothing() -> None:
    """Alice has twelve hours left of her ten days; the outage fell into bob's turn before."""
    played = turn(turn(board_of(begun(1, 10, 10)), "b2", hours=228), "a1", hours=300).match
    silent = replace(played, pauses=(Pause(PauseKind.OUTAGE, later(230), later(290)),))
    assert schedule(silent, ALICE).forfeit_at == later(312)


def test_a_reminder_is_due_from_its_moment_on_and_once() -> None:
    found = begun()
    assert due_reminder(found, ALICE, day(7) - hours(1)) is None
    assert due_reminder(found, ALICE, day(7)) is NAG
    nagged = reminded(found, ALICE, NAG, day(7))
    assert due_reminder(nagged, ALICE, day(7)) is None
    assert due_reminder(nagged, ALICE, day(19) - hours(1)) is None
    assert due_reminder(nagged, ALICE, day(19)) is WARNING
    warned = reminded(nagged, ALICE, WARNING, day(19))
    assert due_reminder(warned, ALICE, day(400)) is None


def test_a_nag_that_is_later_than_the_warning_is_the_warning() -> None:
    assert due_reminder(begun(), ALICE, day(19)) is WARNING


def test_a_reminder_may_come_along_if_it_is_nearly_due() -> None:
    found = begun()
    assert due_reminder(found, ALICE, day(6), days(1)) is NAG
    assert due_reminder(found, ALICE, day(6) - hours(1), days(1)) is None
    assert due_reminder(found, ALICE, day(18), days(1)) is WARNING


@each(("nag", "ahead"), [(1, 24 / 7), (7, 24), (14, 24)])
def test_a_reminder_comes_early_by_a_seventh_of_the_nagtime_or_a_day(
    nag: int, ahead: float
) -> None:
    assert ahead_of(begun(nag, 60)) == hours(ahead)


def test_nobody_is_reminded_or_forfeits_while_their_clock_stands() -> None:
    """The vacation begins when everything is already overdue."""
    late = replace(begun(), pauses=(pause(30, 40),))
    assert due_reminder(late, ALICE, day(35)) is None
    assert due_reminder(late, ALICE, day(40)) is WARNING
    warned = replace(late, reminded={ALICE: Reminded(WARNING, day(19))})
    assert not is_forfeited(warned, ALICE, day(35))
    assert is_forfeited(warned, ALICE, day(40))


def test_nobody_forfeits_without_a_warning() -> None:
    assert not is_forfeited(begun(), ALICE, day(400))
    nagged = reminded(begun(), ALICE, NAG, day(7))
    assert not is_forfeited(nagged, ALICE, day(400))


@each(
    ("nagged_on", "warned_on", "forfeited_on"),
    [
        (7, 19, 21),
        (7, 20.4, 21),
        (7, 20.5, 21),  # half a day is just enough
        (7, 20.6, 22.6),
        (7, 30, 32),
        (None, 19, 21),
        (None, 20, 22),
        (None, 30, 32),
        (18.5, 19, 21),
        (18.5, 20.4, 21),
    ],
)
def test_the_forfeit_comes_when_it_was_named_or_two_days_after_a_warning_that_came_too_late(
    nagged_on: float | None, warned_on: float, forfeited_on: float
) -> None:
    found = begun()
    if nagged_on is not None:
        found = reminded(found, ALICE, NAG, day(nagged_on))
        assert schedule(found, ALICE).forfeit_at == day(21)
    warned = reminded(found, ALICE, WARNING, day(warned_on))
    assert schedule(warned, ALICE).forfeit_at == day(forfeited_on)
    assert not is_forfeited(warned, ALICE, day(forfeited_on) - hours(1))
    assert is_forfeited(warned, ALICE, day(forfeited_on))


def test_a_vacation_after_the_warning_leaves_what_was_left() -> None:
    warned = reminded(begun(), ALICE, WARNING, day(30))
    away = replace(warned, pauses=(pause(31, 36),))
    assert schedule(away, ALICE).forfeit_at == day(37)


def test_a_warning_that_came_early_does_not_bring_the_forfeit_forward() -> None:
    early = reminded(begun(), ALICE, WARNING, day(18))
    assert schedule(early, ALICE).forfeit_at == day(21)


def test_each_player_to_move_has_their_own_reminders() -> None:
    found = reminded(begun(), BOB, WARNING, day(19))
    assert due_reminder(found, ALICE, day(19)) is WARNING
    assert found.reminded == {BOB: Reminded(WARNING, day(19))}


def test_a_turn_that_began_in_the_future_begins_now() -> None:
    """The clock of the server was a month ahead when the move came, and was then corrected."""
    ahead = replace(begun(), turn_since=day(30), reminded={ALICE: Reminded(NAG, day(31))})
    right = not_after(ahead, day(2))
    assert right.turn_since == day(2)
    assert right.reminded == {ALICE: Reminded(NAG, day(2))}
    assert not_after(begun(), day(2)) == begun()


def test_a_reminder_told_in_the_future_makes_the_notice_begin_again() -> None:
    ahead = replace(begun(), reminded={ALICE: Reminded(NAG, day(50))})
    warned = reminded(ahead, ALICE, WARNING, day(20))
    assert schedule(warned, ALICE).forfeit_at == day(22)


def test_nothing_is_due_once_a_match_is_over() -> None:
    for over in (after(*WON), forfeit(after("b2"), 1, now=later(9))):
        assert players_to_move(over) == ()
        assert next_look(over, later(9)) is None
        assert due_reminder(over.match, BOB, day(400)) is None
        told = replace(over.match, reminded={BOB: Reminded(WARNING, NOW)})
        assert not is_forfeited(told, BOB, day(400))


def test_the_next_look_is_at_the_next_step() -> None:
    found = begun()
    assert next_look(board_of(found), NOW) == day(7)
    found = reminded(found, ALICE, NAG, day(7))
    assert next_look(board_of(found), day(7)) == day(19)
    found = reminded(found, ALICE, WARNING, day(19))
    assert next_look(board_of(found), day(19)) == day(21)


@each(
    ("nag", "limit", "told", "stood"),
    product(
        [1, 5, 7],
        [2, 7, 21],
        [None, NAG, WARNING],
        [(), (pause(1, 3),), (pause(0, None),), (outage(1, 2),)],
    ),
)
def test_the_next_look_is_at_the_first_of_the_schedule_that_was_not_told(
    nag: int, limit: int, told: Reminder | None, stood: tuple[Pause, ...]
) -> None:
    found = replace(begun(nag, limit), pauses=stood)
    if told is not None:
        found = replace(found, reminded={ALICE: Reminded(told, day(1))})
    due = schedule(found, ALICE)
    first = {
        None: due.nag_at or due.warning_at,
        NAG: due.warning_at,
        WARNING: due.forfeit_at,
    }[told]
    assert next_look(board_of(found), NOW) == (first or day(1))


def test_a_clock_that_stands_is_looked_at_when_it_runs_again() -> None:
    overdue = replace(begun(), pauses=(pause(6, 30),))
    assert next_look(board_of(overdue), day(20)) == day(31)
    late = replace(begun(), pauses=(pause(8, 30),))
    assert next_look(board_of(late), day(20)) == day(30)


def test_a_clock_that_stands_without_a_known_end_is_looked_at_each_day() -> None:
    stopped = replace(begun(), pauses=(pause(3, None, PauseKind.MAINTENANCE, None),))
    assert next_look(board_of(stopped), day(20)) == day(21)


def test_why_a_clock_stands_is_told_of_the_player_and_the_board() -> None:
    away = replace(begun(), pauses=(pause(3, 13),))
    found = current_pause(away, ALICE, day(5))
    assert found is not None
    assert found.kind is PauseKind.VACATION
    assert current_pause(away, BOB, day(5)) is None
    stopped = pause_board(board_of(begun()), now=day(2)).match
    found = current_pause(stopped, BOB, day(2))
    assert found is not None
    assert found.kind is PauseKind.BOARD
