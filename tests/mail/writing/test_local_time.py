"""Times are told in the reader's zone, and a day has 24 hours in every zone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.dates import time_left
from pbm.domain.invitations import Terms
from pbm.domain.match import Reminder
from pbm.domain.player import Player, PlayerState
from pbm.domain.timekeeping import schedule
from pbm.mail.writing.wording import header_date, local_time
from pbm.service.board_messages import Event, Happening
from tests.domain.matches import BOB, after
from tests.mail.writing.notices import MOVED, NOTICES
from tests.mail.writing.test_outgoing import text_of
from tests.tables import each

WHEN = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)


def a_reader(**settings: str) -> Player:
    return Player(1, "alice", ("alice@example.org",), PlayerState.ACTIVE, WHEN, settings)


@each(
    ("zone", "told"),
    [
        ("UTC", "Thu 31 Dec 2026 23:30 UTC"),
        ("Europe/Berlin", "Fri 1 Jan 2027 00:30 CET (Europe/Berlin)"),
        ("Europe/London", "Thu 31 Dec 2026 23:30 GMT (Europe/London)"),
        ("America/New_York", "Thu 31 Dec 2026 18:30 EST (America/New_York)"),
        ("America/Sao_Paulo", "Thu 31 Dec 2026 20:30 UTC-3 (America/Sao_Paulo)"),
        ("America/St_Johns", "Thu 31 Dec 2026 20:00 NST (America/St_Johns)"),
        ("Pacific/Marquesas", "Thu 31 Dec 2026 14:00 UTC-9:30 (Pacific/Marquesas)"),
        ("Asia/Kolkata", "Fri 1 Jan 2027 05:00 IST (Asia/Kolkata)"),
        ("Asia/Kathmandu", "Fri 1 Jan 2027 05:15 UTC+5:45 (Asia/Kathmandu)"),
        ("Antarctica/Troll", "Thu 31 Dec 2026 23:30 UTC (Antarctica/Troll)"),
    ],
)
def test_a_time_is_told_in_the_zone_that_is_set(zone: str, told: str) -> None:
    assert local_time(WHEN, a_reader(zone=zone)) == told


def test_without_a_zone_it_is_told_in_utc() -> None:
    assert local_time(WHEN, a_reader()) == "Thu 31 Dec 2026 23:30 UTC"


def test_a_zone_that_this_machine_does_not_know_is_told_in_utc() -> None:
    assert local_time(WHEN, a_reader(zone="Mars/Base")) == "Thu 31 Dec 2026 23:30 UTC"


BERLIN, NEW_YORK, SAO_PAULO = "Europe/Berlin", "America/New_York", "America/Sao_Paulo"
LORD_HOWE, KOLKATA, CHATHAM = "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Chatham"

# The turn begins at a time in UTC, before the clocks change; the forfeit comes days later. Both
# are told as a clock on the wall in that zone shows them.
CHANGES_OF_2026 = [
    (BERLIN, (3, 27, 12, 0), "Fri 27 Mar 2026 13:00 CET", 3, "Mon 30 Mar 2026 14:00 CEST"),
    (BERLIN, (10, 23, 12, 0), "Fri 23 Oct 2026 14:00 CEST", 3, "Mon 26 Oct 2026 13:00 CET"),
    # This hour comes twice.
    (BERLIN, (10, 24, 0, 30), "Sat 24 Oct 2026 02:30 CEST", 1, "Sun 25 Oct 2026 02:30 CEST"),
    (BERLIN, (10, 24, 1, 30), "Sat 24 Oct 2026 03:30 CEST", 1, "Sun 25 Oct 2026 02:30 CET"),
    (NEW_YORK, (3, 7, 12, 0), "Sat 7 Mar 2026 07:00 EST", 2, "Mon 9 Mar 2026 08:00 EDT"),
    # 02:30 does not exist on that day: the clocks went from 02:00 to 03:00.
    (NEW_YORK, (3, 7, 7, 30), "Sat 7 Mar 2026 02:30 EST", 1, "Sun 8 Mar 2026 03:30 EDT"),
    (NEW_YORK, (10, 31, 5, 30), "Sat 31 Oct 2026 01:30 EDT", 1, "Sun 1 Nov 2026 01:30 EDT"),
    (NEW_YORK, (10, 31, 6, 30), "Sat 31 Oct 2026 02:30 EDT", 1, "Sun 1 Nov 2026 01:30 EST"),
    # The clocks have not changed there since 2019.
    (SAO_PAULO, (10, 31, 12, 0), "Sat 31 Oct 2026 09:00 UTC-3", 21, "Sat 21 Nov 2026 09:00 UTC-3"),
    # The clocks change by half an hour, and summer is in December.
    (LORD_HOWE, (4, 3, 12, 0), "Fri 3 Apr 2026 23:00 UTC+11", 2, "Sun 5 Apr 2026 22:30 UTC+10:30"),
    (LORD_HOWE, (10, 2, 12, 0), "Fri 2 Oct 2026 22:30 UTC+10:30", 2, "Sun 4 Oct 2026 23:00 UTC+11"),
    (KOLKATA, (3, 27, 12, 0), "Fri 27 Mar 2026 17:30 IST", 21, "Fri 17 Apr 2026 17:30 IST"),
    (CHATHAM, (4, 3, 12, 0), "Sat 4 Apr 2026 01:45 UTC+13:45", 2, "Mon 6 Apr 2026 00:45 UTC+12:45"),
    (
        CHATHAM, (9, 25, 12, 0), "Sat 26 Sep 2026 00:45 UTC+12:45",
        2, "Mon 28 Sep 2026 01:45 UTC+13:45",
    ),
]  # fmt: skip


@each(("zone", "began", "told", "days", "told_end"), CHANGES_OF_2026)
def test_a_day_is_24_hours_when_clocks_change_and_the_local_hour_is_told(
    zone: str, began: tuple[int, int, int, int], told: str, days: int, told_end: str
) -> None:
    since = datetime(2026, *began, tzinfo=UTC)
    terms = Terms(nag_days=1, forfeit_days=days)
    match = replace(after("b2").match, turn_since=since, terms=terms)
    end = schedule(match, BOB).forfeit_at
    assert end == since + timedelta(hours=24 * days)
    reader = a_reader(zone=zone)
    assert local_time(since, reader) == f"{told} ({zone})"
    assert local_time(end, reader) == f"{told_end} ({zone})"


TO_PLAYERS: list[Any] = [
    *(notice for notice in NOTICES if isinstance(getattr(notice, "to", None), Player)),
    *(replace(MOVED, happenings=(Happening(Event.REMINDED, text=r.name),)) for r in Reminder),
]


@each("notice", TO_PLAYERS, ids=lambda notice: type(notice).__name__)
def test_a_mail_keeps_its_lines_with_the_longest_name_of_a_zone(notice: Any) -> None:
    far = a_reader(zone="America/Argentina/ComodRivadavia")
    lines = text_of(replace(notice, to=far)).splitlines()
    assert max(map(len, lines)) <= 72


@each(
    ("hours", "told"),
    [
        (21 * 24, "21 days"),
        (21 * 24 - 0.01, "20 days"),
        (48, "2 days"),
        (47.9, "47 hours"),
        (1, "1 hour"),
        (0.9, "less than an hour"),
        (-5, "less than an hour"),
    ],
)
def test_what_is_left_of_a_time_is_rounded_down(hours: float, told: str) -> None:
    assert time_left(timedelta(hours=hours)) == told


@given(st.integers(0, 4_000_000_000), st.timezones())
def test_the_date_of_a_mail_is_that_of_the_standard_library_in_utc(
    seconds: int, zone: ZoneInfo
) -> None:
    moment = datetime.fromtimestamp(seconds, zone)
    assert header_date(moment) == format_datetime(moment.astimezone(UTC))
