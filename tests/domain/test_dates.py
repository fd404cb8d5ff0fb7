"""Days as people write them."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.dates import read_date, written
from tests.tables import each

TODAY = date(2026, 11, 20)
CHRISTMAS_EVE = date(2026, 12, 24)


@each(
    "text",
    [
        "2026-12-24", "24 Dec", "24 dec 2026", "24 December", "24 December 2026", "Dec 24",
        "dec. 24", "December 24, 2026", "Dec 24 2026", "24.12.", "24.12", "24.12.2026",
        "24. 12. 2026", "24. Dec.", "24th Dec", "Dec 24th", "24 DEC, 2026", "24\u00a0Dec",
        "2026\u201312\u201324", " 24  Dec ", "24Dec",
    ],
)  # fmt: skip
def test_a_day_can_be_written_in_many_ways(text: str) -> None:
    assert read_date(text, TODAY) == CHRISTMAS_EVE


@each(
    "text",
    [
        "", "tomorrow", "Friday", "12/24", "24/12", "24/12/2026", "24", "10 days", "2026", "Dec",
        "24 Foo", "24 de", "31.11.", "30 Feb", "0 Dec", "24.13.", "2026-13-01", "2026-02-29",
        "24.12.26", "26-12-24", "Thu 24 Dec", "24 Dec 12:00", "24.122026", "1024 Dec", "\u0662 Dec",
    ],
)  # fmt: skip
def test_anything_else_is_no_day(text: str) -> None:
    assert read_date(text, TODAY) is None


@each(
    ("text", "day"),
    [
        ("20 Nov", date(2026, 11, 20)),
        ("21 Nov", date(2026, 11, 21)),
        ("20 Sep", date(2027, 9, 20)),
        ("1.1.", date(2027, 1, 1)),
        ("29 Feb", date(2028, 2, 29)),
    ],
)
def test_without_a_year_it_is_the_next_such_day_and_may_be_today(text: str, day: date) -> None:
    assert read_date(text, TODAY) == day


@each(
    ("text", "today", "day"),
    [
        ("19 Nov", TODAY, date(2026, 11, 19)),
        ("21 Sep", TODAY, date(2026, 9, 21)),
        ("24 Dec", date(2027, 1, 10), date(2026, 12, 24)),
    ],
)
def test_a_day_in_the_last_sixty_days_is_not_taken_for_one_next_year(
    text: str, today: date, day: date
) -> None:
    assert read_date(text, today) == day


def test_the_next_29_february_can_be_eight_years_away() -> None:
    assert read_date("29 Feb", date(2096, 5, 1)) == date(2104, 2, 29)


def test_with_a_year_a_day_may_have_passed() -> None:
    assert read_date("19 Nov 2026", TODAY) == date(2026, 11, 19)


@given(st.dates(min_value=date(2000, 1, 1), max_value=date(2999, 12, 31)))
def test_a_day_is_read_as_it_is_written(day: date) -> None:
    assert read_date(written(day), TODAY) == day


@given(st.text() | st.text("0123456789 .-/acdefgilnoprtuw", max_size=12))
def test_any_text_is_a_day_or_none(text: str) -> None:
    read_date(text, TODAY)
