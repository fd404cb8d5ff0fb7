"""Words that are worked out: times in the reader's zone, hints and analyses, the list of moves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.dates import local_time, time_left
from pbm.domain.invitations import Terms
from pbm.domain.match import Reminder
from pbm.domain.offers import OfferKind, offer, reject
from pbm.domain.player import Player, PlayerState
from pbm.domain.seen import seen
from pbm.domain.timekeeping import extend, forfeit, pause_board, resume_board, schedule
from pbm.features.learning import hint_letter
from pbm.features.reminders import REMINDED
from pbm.mail.writing.move_list import move_list
from pbm.mail.writing.wording import Wording, header_date
from pbm.render.marks import plain
from pbm.robots.tasks import Hint, Tried
from tests.domain.matches import BOB, NOW, PEOPLE, after, later, turn
from tests.mail.writing.samples import (
    ANALYSED,
    COMPOSER,
    MOVED,
    NOTICES,
    OPENED,
    Happening,
    Letter,
)
from tests.mail.writing.test_outgoing import text_of
from tests.readings import answers, sections

ZONES, CHANGES, HOURS, HINTS = sections(Path(__file__).with_name("wording.txt")).values()

WHEN = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)


def a_reader(zone: str) -> Player:
    settings = {"zone": zone} if zone else {}
    return Player(1, "alice", ("alice@example.org",), PlayerState.ACTIVE, WHEN, settings)


def turn_told(zone: str, began: str, days: str) -> str:
    """Return when a turn began and ends, as its player is told."""
    since = datetime.fromisoformat(f"{began}+00:00")
    terms = Terms(nag_days=1, forfeit_days=int(days))
    end = schedule(replace(after("b2").match, turn_since=since, terms=terms), BOB).forfeit_at
    assert end == since + timedelta(hours=24 * int(days))
    times = [local_time(moment, a_reader(zone)) for moment in (since, end)]
    assert all(time.endswith(f" ({zone})") for time in times)
    return ", ".join(time.removesuffix(f" ({zone})") for time in times)


def test_a_time_is_told_in_the_zone_that_is_set_and_a_day_has_24_hours() -> None:
    assert answers(ZONES, lambda zone: local_time(WHEN, a_reader(zone))) == ZONES
    assert answers(CHANGES, turn_told) == CHANGES


def test_what_is_left_of_a_time_is_rounded_down() -> None:
    assert answers(HOURS, lambda hours: time_left(timedelta(hours=float(hours)))) == HOURS


def test_a_mail_keeps_its_lines_with_the_longest_name_of_a_zone() -> None:
    reminded = (Happening(REMINDED, text=reminder.name) for reminder in Reminder)
    to_players: list[Any] = [
        *(notice for notice in NOTICES if isinstance(getattr(notice, "to", None), Player)),
        *(replace(MOVED, happenings=(happening,)) for happening in reminded),
    ]
    far = a_reader("America/Argentina/ComodRivadavia")
    for notice in to_players:
        lines = text_of(replace(notice, to=far)).splitlines()
        assert max(map(len, lines)) <= 72, notice


@given(st.integers(0, 4_000_000_000), st.timezones())
def test_the_date_of_a_mail_is_that_of_the_standard_library_in_utc(
    seconds: int, zone: ZoneInfo
) -> None:
    moment = datetime.fromtimestamp(seconds, zone)
    assert header_date(moment) == format_datetime(moment.astimezone(UTC))


def tried(words: str) -> Tried:
    text, _, worth = words.partition(" ")
    return Tried(text, float(worth.rstrip("!")), proven=worth.endswith("!"))


def worded(letter: Letter) -> Wording:
    return COMPOSER.writer.written(letter)


def words(wording: Wording) -> str:
    return " ".join(plain(str(wording.text)).split())


def hinted(hint: Hint) -> Wording:
    return worded(hint_letter(PEOPLE[BOB], OPENED, PEOPLE, NOW, hint))


def said(best: str, second: str) -> str:
    """Return what a hint says before it says that nothing has been played."""
    wording = hinted(Hint(tried(best), 2, tried(second) if second else None))
    reasons, _, rest = words(wording).partition(" Nothing has been played.")
    assert reasons.startswith(wording.preheader)
    example = "c1" if best.startswith("swap") else "a1"
    assert f"Reply with a move, for example {example} " in rest
    return reasons


def test_a_hint_says_what_and_why() -> None:
    assert answers(HINTS, said) == HINTS
    only = hinted(Hint(tried("a1 0.62"), 2, only=True))
    even = hinted(Hint(tried("a1 0.62"), 2, even=True))
    assert only.preheader == "a1 is your only move."
    assert even.preheader.endswith("so neither side is much better.")


def test_mistakes_are_numbered_as_on_the_curve_and_lead_to_the_position_before() -> None:
    wording = worded(ANALYSED)
    assert (
        "The biggest mistakes: "
        "1 Move 5: you played c1, which loses by force. a2 won 50 of 100. "
        "2 Move 1: you played b2, which won 31 of 100 games tried. a2 won 49 of 100. "
        "3 Move 2: bob used the pie rule, which won 30 of 100 games tried. c3 wins by force. "
    ) in words(wording)
    text = str(wording.text)
    assert "\x04show 104#4\x03" in text
    curve = plain(text).partition("after each move (%):\n\n")[2].partition("\n\n")[0]
    assert [line.split()[-1] for line in curve.strip().split("\n")[1:]] == [
        *("2", "3", "28", "50", "1", "0"),
    ]


def test_the_list_of_moves_has_the_clock_the_offers_and_the_end_each_where_it_happened() -> None:
    board = pause_board(after("b2", "a1"), now=later(3))
    board = extend(resume_board(board, now=later(4)), 3, now=later(5))
    board = extend(turn(board, "c2", hours=6), 1, now=later(7))
    assert move_list(seen(board, None), PEOPLE).splitlines() == [
        "      Cross (x)    Nought (o)",
        "      alice        bob",
        "   1  b2           a1           20 Nov 2026",
        "      clock stopped by the operator",
        "      clock runs again",
        "      3 days added by the operator",
        "   3  c2           -            20 Nov 2026",
        "      1 day added by the operator",
    ]
    board = offer(after("b2"), 0, OfferKind.DRAW, comment="", now=later(2))
    board = extend(board, 2, now=later(3))
    board = reject(board, 1, seen=None, comment="", now=later(4))
    assert move_list(seen(board, None), PEOPLE).splitlines()[3:] == [
        "      alice: draw?  bob: no",
        "      2 days added by the operator",
    ]
    board = forfeit(after("b2"), 1, now=later(700))
    assert move_list(seen(board, None), PEOPLE).splitlines()[-1] == "      alice won on time"
