"""How much a failure of each status says against the address that it comes from."""

from datetime import UTC, datetime, timedelta

from pbm.domain.bounces import counts, is_dead
from tests.tables import each

MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)

GONE = "5.1.1 5.1.2 5.1.3 5.1.6 5.1.10 5.1.351 5.2.1 5.4.4 5.4.310 5.7.17"
OURS = "5.1.7 5.1.8 5.1.90 5.2.3 5.3.4 5.5.0 5.5.1 5.6.0 5.7.0 5.7.1 5.7.26 5.7.131 5.7.606"
OTHERS = "4.4.1 4.2.2 5.0.0 5.1.0 5.1.4 5.2.0 5.2.2 5.3.0 5.4.1 5.4.6 5.7.13"


def days_to_die(status: str) -> int:
    return next(days for days in range(1, 10) if is_dead(days, status))


@each("status", GONE.split())
def test_an_address_that_is_said_to_be_gone_is_dead_on_the_second_day(status: str) -> None:
    assert days_to_die(status) == 2


@each("status", ["", *OTHERS.split(), *OURS.split()])
def test_any_other_failure_counts_less(status: str) -> None:
    assert days_to_die(status) == 3


@each("status", OURS.split())
def test_what_a_host_has_against_us_counts_on_one_day_a_week(status: str) -> None:
    week = [MONDAY + timedelta(days=day) for day in range(7)]
    assert [counts(status, day) for day in week] == [True, *[False] * 6]


@each("status", ["", *OTHERS.split(), *GONE.split()])
def test_what_says_something_of_the_address_counts_every_day(status: str) -> None:
    assert all(counts(status, MONDAY + timedelta(days=day)) for day in range(7))
