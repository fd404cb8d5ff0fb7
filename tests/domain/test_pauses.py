"""Clock time around pauses, counted minute by minute by a twin, and what vacations leave."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.pauses import (
    Pause,
    PauseKind,
    current_vacation,
    cut,
    latest_end,
    left,
    left_by_year,
    moment_after,
    pause_at,
    running_time,
    unfinished,
)
from tests.readings import answers, sections

TABLES = sections(Path(__file__).with_name("pauses.txt"))
SPANS, VACATIONS = TABLES.values()

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HORIZON = 240
"""Minutes after which nothing that is drawn begins or ends."""


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def minutes(count: int) -> timedelta:
    return timedelta(minutes=count)


def pause(began: int, until: int | None, kind: PauseKind = PauseKind.VACATION) -> Pause:
    return Pause(kind, at(began), None if until is None else at(until))


# Both ends of a span are drawn, so that spans may overlap, touch, be empty or be reversed.
moments = st.integers(0, 60)
pauses = st.lists(st.builds(pause, moments, st.none() | moments), max_size=4)


def runs(minute: int, drawn: list[Pause]) -> bool:
    """Return whether a clock runs in the minute that begins `minute` minutes after noon."""
    return not any(
        one.began_at <= at(minute) and (one.until is None or at(minute) < one.until)
        for one in drawn
    )


def counted(since: int, until: int, drawn: list[Pause]) -> int:
    return sum(runs(minute, drawn) for minute in range(since, until))


def walked(since: int, amount: int, drawn: list[Pause]) -> int | None:
    """Return the minute at which `amount` minutes have been counted; None if they never are."""
    left = amount
    for minute in range(since, HORIZON):
        if left == 0:
            return minute
        left -= runs(minute, drawn)
    return None


@given(moments, moments, pauses)
def test_running_time_is_what_one_counts_minute_by_minute(
    since: int, until: int, drawn: list[Pause]
) -> None:
    assert running_time(at(since), at(until), drawn) == minutes(counted(since, until, drawn))


@given(moments, st.integers(1, 60), pauses)
def test_the_moment_after_is_where_one_arrives_minute_by_minute(
    since: int, amount: int, drawn: list[Pause]
) -> None:
    arrived = walked(since, amount, drawn)
    expected = None if arrived is None else at(arrived)
    assert moment_after(at(since), minutes(amount), drawn) == expected


@given(moments, pauses)
def test_a_clock_stands_because_of_a_pause_that_covers_the_moment_and_lasts_longest(
    minute: int, drawn: list[Pause]
) -> None:
    found = pause_at(drawn, at(minute))
    assert (found is None) == runs(minute, drawn)
    if found and found.until:
        assert found.began_at <= at(minute) < found.until
        assert runs(int((found.until - NOON) / minutes(1)), [
            one for one in drawn if one.covers(at(minute))
        ])  # fmt: skip


def test_an_hour_of_the_clock_and_the_end_of_half_an_hour() -> None:
    def count(spans: str) -> str:
        ends = [span.split("..") for span in spans.split()]
        drawn = [pause(int(began), int(until) if until else None) for began, until in ends]
        ran = running_time(at(0), at(60), drawn)
        moment = moment_after(at(0), minutes(30), drawn)
        return f"{ran // minutes(1)}, {moment and (moment - NOON) // minutes(1)}"

    assert answers(SPANS, count) == SPANS


def test_no_time_runs_backwards() -> None:
    assert running_time(at(60), at(0), []) == minutes(0)
    assert running_time(at(60), at(0), [pause(10, 20)]) == minutes(0)


def test_a_player_without_time_left_still_has_their_vacation() -> None:
    assert moment_after(at(15), minutes(0), [pause(10, 20)]) == at(20)
    assert moment_after(at(15), minutes(0), [pause(10, 20), pause(20, 30)]) == at(30)
    assert moment_after(at(15), minutes(0), []) == at(15)


def test_a_day_is_24_hours_even_when_zones_change_their_clocks() -> None:
    """Europe went to summer time on 29 March 2026 at 01:00 UTC."""
    since = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
    assert moment_after(since, timedelta(days=1), []) == datetime(2026, 3, 29, 12, 0, tzinfo=UTC)


def test_of_several_pauses_the_one_that_lasts_longest_is_told() -> None:
    long, short = pause(0, 50), pause(10, 40)
    assert pause_at([long, short], at(20)) == pause_at([short, long], at(20)) == long


def test_of_several_pauses_the_endless_one_is_told() -> None:
    vacation, outage = pause(0, 50), pause(10, None, PauseKind.MAINTENANCE)
    assert pause_at([vacation, outage], at(20)) == outage
    assert pause_at([vacation, outage], at(5)) == vacation
    assert pause_at([vacation], at(50)) is None


_ASKED = re.compile(r"(\w+) (\S+)(?: until (\S+))?(?: of (\d+))?")


def day(text: str) -> datetime:
    """Read a day such as 03-01, of 2026 if no other year is named."""
    whole = text if len(text) > 8 else f"2026-{text}"
    return datetime.fromisoformat(whole).replace(tzinfo=UTC)


def vacation(text: str) -> Pause:
    kind = PauseKind.OUTAGE if text.startswith("outage ") else PauseKind.VACATION
    began, until = text.removeprefix("outage ").split("..")
    return Pause(kind, day(began), day(until), 1)


def allowed(spans: str, question: str) -> str:
    """Answer a question about the vacations of a player."""
    pauses = tuple(map(vacation, filter(None, spans.split(", "))))
    parts = _ASKED.fullmatch(question)
    assert parts
    what, when, until, days = parts.groups()
    allowance = timedelta(days=int(days or 30))
    now = day(when) if "-" in when else NOON
    answer: dict[str, Callable[[], str]] = {
        "left": lambda: days_in(left(pauses, int(when), allowance)),
        "cut": lambda: days_in(left(cut(pauses, now), 2026, allowance)),
        "years": lambda: ", ".join(
            f"{year.days + year.hours / 24:g} in {year.year}"
            for year in left_by_year(pauses, now, day(until) if until else None, allowance)
        ),
        "latest": lambda: f"{latest_end(pauses, now, allowance):%Y-%m-%d %H}",
        "current": lambda: str(current_vacation(pauses, now) == pauses[0]),
        "unfinished": lambda: str(len(unfinished(pauses, now))),
    }
    return answer[what]()


def days_in(time: timedelta) -> str:
    return f"{time / timedelta(days=1):g}"


def test_what_vacations_leave_is_what_the_table_says() -> None:
    assert answers(VACATIONS, allowed) == VACATIONS
