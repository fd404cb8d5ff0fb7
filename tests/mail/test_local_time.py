"""Times are told in the zone of the reader."""

from datetime import UTC, datetime

import pytest

from pbm.domain.player import Player, PlayerState
from pbm.mail.local_time import local_time

WHEN = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)


def a_reader(**settings: str) -> Player:
    return Player(1, "alice", ("alice@example.org",), PlayerState.ACTIVE, WHEN, settings)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("UTC", "Thu 31 Dec 2026 23:30 UTC"),
        ("Europe/Berlin", "Fri 1 Jan 2027 00:30 Europe/Berlin"),
        ("America/New_York", "Thu 31 Dec 2026 18:30 America/New_York"),
        ("Asia/Kolkata", "Fri 1 Jan 2027 05:00 Asia/Kolkata"),
    ],
)
def test_a_time_is_told_in_the_zone_that_is_set(zone: str, told: str) -> None:
    assert local_time(WHEN, a_reader(zone=zone)) == told


def test_without_a_zone_it_is_told_in_utc() -> None:
    assert local_time(WHEN, a_reader()) == "Thu 31 Dec 2026 23:30 UTC"


def test_daylight_saving_counts_on_the_day_that_is_told() -> None:
    summer = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    assert local_time(summer, a_reader(zone="Europe/Berlin")).startswith("Wed 1 Jul 2026 14:00")


def test_a_zone_that_this_machine_does_not_know_is_told_in_utc() -> None:
    assert local_time(WHEN, a_reader(zone="Mars/Base")) == "Thu 31 Dec 2026 23:30 UTC"
