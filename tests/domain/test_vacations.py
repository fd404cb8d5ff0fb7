"""Vacations: until when a player asks for one, and the allowance of a calendar year."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.pauses import (
    Pause,
    PauseKind,
    YearLeft,
    asked_end,
    asks_for_vacation,
    current_vacation,
    cut,
    is_vacation,
    latest_end,
    left,
    left_by_year,
    unfinished,
)
from tests.tables import each

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
ALLOWANCE = 30 * DAY


def at(month: int, day: int, hour: int = 0, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


def off(began: datetime, until: datetime, kind: PauseKind = PauseKind.VACATION) -> Pause:
    return Pause(kind, began, until, 1)


@each(
    ("text", "days"),
    [
        ("10 days", 10), ("10", 10), ("1 day", 1), ("10d", 10), ("10 D", 10), ("for 3 days", 3),
        ("2 weeks", 14), ("1w", 7), ("1 WEEK", 7), ("0 days", 0), ("9999 weeks", 69993),
    ],
)  # fmt: skip
def test_a_number_of_days_is_so_many_times_24_hours_from_now(text: str, days: int) -> None:
    assert asked_end(text, NOW, ZoneInfo("Europe/Berlin")) == NOW + days * DAY


def test_days_are_24_hours_where_clocks_change_in_between() -> None:
    before = at(10, 24, 12)
    assert asked_end("3 days", before, ZoneInfo("Europe/Berlin")) == at(10, 27, 12)


@each(
    ("zone", "text", "end"),
    [
        ("UTC", "until 24 Dec", at(12, 25)),
        ("UTC", "till 24.12.2026", at(12, 25)),
        ("UTC", "24 Dec", at(12, 25)),
        ("Europe/Berlin", "until 24 Dec", at(12, 24, 23)),
        ("America/New_York", "until 2026-12-24", at(12, 25, 5)),
        # In summer time before the change, and in winter time after it.
        ("Europe/Berlin", "until 24 Oct 2026", at(10, 24, 22)),
        ("Europe/Berlin", "until 25 Oct 2026", at(10, 25, 23)),
        # In that zone 24 April 2026 begins at one o'clock; there is no midnight.
        ("Africa/Cairo", "until 23 Apr 2026", at(4, 23, 22)),
        ("UTC", "until 31 Dec 2999", at(1, 1, year=3000)),
    ],
)
def test_a_vacation_until_a_day_ends_with_that_day_in_the_players_zone(
    zone: str, text: str, end: datetime
) -> None:
    assert asked_end(text, NOW, ZoneInfo(zone)) == end


def test_today_is_today_where_the_player_lives() -> None:
    late = at(11, 20, 23)  # in Berlin it is already the 21st
    assert asked_end("until 20 Nov", late, UTC) == at(11, 21)
    assert asked_end("until 20 Nov", late, ZoneInfo("Europe/Berlin")) == late


@each("text", ["", "soon", "until", "until 10 days", "10 hours", "-3", "1.5 days"])
def test_anything_else_has_no_end(text: str) -> None:
    assert asked_end(text, NOW, UTC) is None


@given(st.text() | st.text("0123456789 .-/acdefgilnoprtuw", max_size=12), st.integers(0, 40_000))
def test_any_text_is_an_end_or_none(text: str, days: int) -> None:
    asked_end(text, NOW + days * DAY, ZoneInfo("Pacific/Chatham"))


@each("text", ["", "10 days", "until Friday", "off", "OVER", "next 3 weeks"])
def test_what_may_ask_for_a_vacation_is_told_from_prose(text: str) -> None:
    assert asks_for_vacation(text)


@each("text", ["was great!", "is over, back to work", "offline", "untilled"])
def test_prose_asks_for_no_vacation(text: str) -> None:
    assert not asks_for_vacation(text)


@each(
    "text", ["", "10 days", "2", "for 1 week", "OFF", "until 24 Dec", "till 24.12.", "Dec 24",
             "until tomorrow", "29 Feb"],
)  # fmt: skip
def test_words_that_only_fit_a_vacation_need_no_userid_before_them(text: str) -> None:
    assert is_vacation(text)


@each(
    "text", ["alice alice-pw", "till till-pw 10 days", "till till-pw", "may may-pw off", "dec 1234"]
)
def test_a_userid_may_look_like_the_word_of_a_date(text: str) -> None:
    assert not is_vacation(text)


def test_what_is_left_is_the_allowance_without_the_time_that_vacations_cover() -> None:
    assert left((), 2026, ALLOWANCE) == 30 * DAY
    pauses = (off(at(3, 1), at(3, 8)), off(at(7, 1), at(7, 3, 12)))
    assert left(pauses, 2026, ALLOWANCE) == 20 * DAY + timedelta(hours=12)


def test_what_two_vacations_cover_counts_once() -> None:
    assert left((off(at(3, 1), at(3, 8)), off(at(3, 4), at(3, 11))), 2026, ALLOWANCE) == 20 * DAY


def test_other_pauses_do_not_count() -> None:
    outage = off(at(3, 1), at(3, 8), PauseKind.OUTAGE)
    assert left((outage,), 2026, ALLOWANCE) == 30 * DAY
    assert current_vacation((outage,), at(3, 2)) is None
    assert unfinished((outage,), at(3, 2)) == ()


def test_a_vacation_across_new_year_takes_from_both_years() -> None:
    pauses = (off(at(12, 22), at(1, 4, year=2027)),)
    assert left(pauses, 2026, ALLOWANCE) == 20 * DAY
    assert left(pauses, 2027, ALLOWANCE) == 27 * DAY
    assert left(pauses, 2025, ALLOWANCE) == 30 * DAY


def test_what_is_left_is_told_of_the_years_that_a_vacation_touches() -> None:
    until = at(1, 11, year=2027)
    pauses = (off(at(12, 20), until),)
    both = (YearLeft(2026, 18), YearLeft(2027, 20))
    assert left_by_year(pauses, at(12, 21), until, ALLOWANCE) == both
    assert left_by_year(pauses, at(1, 2, year=2027), until, ALLOWANCE) == both[1:]
    assert left_by_year((), NOW, None, ALLOWANCE) == (YearLeft(2026, 30),)


def test_a_vacation_that_ends_with_the_year_does_not_touch_the_next_year() -> None:
    until = at(1, 1, year=2027)
    assert left_by_year((off(NOW, until),), NOW, until, 50 * DAY) == (YearLeft(2026, 8, 12),)


def test_a_vacation_that_was_ended_early_counts_as_long_as_it_lasted() -> None:
    ended = off(NOW, NOW + timedelta(hours=5))
    assert left_by_year((ended,), NOW + DAY, None, ALLOWANCE) == (YearLeft(2026, 29, 19),)


def test_never_less_than_nothing_is_left() -> None:
    # This happens when the operator has made the allowance smaller.
    assert left((off(at(3, 1), at(3, 31)),), 2026, 10 * DAY) == timedelta(0)


def test_a_vacation_can_last_as_long_as_the_allowance_does() -> None:
    assert latest_end((), NOW, ALLOWANCE) == at(12, 20, 12)
    taken = (off(at(3, 1), at(3, 21)),)
    assert latest_end(taken, NOW, ALLOWANCE) == at(11, 30, 12)


def test_across_new_year_a_vacation_can_last_as_long_as_the_next_allowance() -> None:
    assert latest_end((), at(12, 10), ALLOWANCE) == at(1, 31, year=2027)
    assert latest_end((), at(12, 2), ALLOWANCE) == at(1, 31, year=2027)
    assert latest_end((), at(12, 1), ALLOWANCE) == at(12, 31)


def test_only_the_past_part_of_the_current_vacation_counts() -> None:
    lasting = off(at(11, 15, 12), at(12, 5, 12))
    assert left((lasting,), 2026, ALLOWANCE) == 10 * DAY
    assert left(cut((lasting,), NOW), 2026, ALLOWANCE) == 25 * DAY
    assert latest_end((lasting,), NOW, ALLOWANCE) == at(12, 15, 12)


def test_a_vacation_that_begins_in_the_future_does_not_count_and_is_not_over() -> None:
    planned = off(at(12, 1), at(12, 11))
    assert latest_end((planned,), NOW, ALLOWANCE) == at(12, 20, 12)
    assert current_vacation((planned,), NOW) is None
    assert unfinished((planned,), NOW) == (planned,)


def test_no_vacation_goes_beyond_next_year_whatever_the_allowance() -> None:
    assert latest_end((), NOW, 366 * DAY) == at(1, 1, year=2028)
    assert latest_end((), NOW, timedelta(0)) == NOW
