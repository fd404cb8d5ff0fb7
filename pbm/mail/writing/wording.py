"""The words of a mail, and the phrases that several share: times, boards that wait."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from pbm.domain.description import name
from pbm.domain.mailings import Leaving
from pbm.domain.play import LiveMatch
from pbm.domain.player import People, Player
from pbm.domain.timekeeping import time_ends_at
from pbm.engine import listing
from pbm.mail.writing.pictures import Chart, Figure
from pbm.render.marks import link
from pbm.render.templates import LINE
from pbm.service.letters import Attachment
from pbm.service.zones import zone_of

_HOUR = timedelta(hours=1)

_DAY = timedelta(days=1)


def local_time(when: datetime, reader: Player) -> str:
    """Return "Fri 11 Dec 2026 13:00 CET (Europe/Berlin)" for an aware `when`.

    A reader who has set no zone gets UTC.
    """
    return time_in(when, zone_of(reader))


def utc_time(when: datetime) -> str:
    """Return "Fri 11 Dec 2026 12:00 UTC" for an aware `when`, as the operator reads it."""
    return time_in(when, UTC)


def time_in(when: datetime, zone: tzinfo) -> str:
    """Return the same for any zone."""
    there = when.astimezone(zone)
    day = f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]} {there.year}"
    return f"{day} {there.hour:02}:{there.minute:02} {_zone(there)}"


DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
"""As mails name them, whatever the language of the machine."""


def header_date(now: datetime) -> str:
    """Return a moment as the header Date has it, in UTC: "Fri, 11 Dec 2026 12:00:00 +0000"."""
    utc = now.astimezone(UTC)
    day = f"{DAYS[utc.weekday()]}, {utc.day:02} {MONTHS[utc.month - 1]} {utc.year:04}"
    return f"{day} {utc.hour:02}:{utc.minute:02}:{utc.second:02} +0000"


def _zone(there: datetime) -> str:
    short = there.tzname() or ""
    if not short.isalpha():
        # Zones without letters of their own are named by their offset, such as "-03".
        short = _distance(there.utcoffset() or timedelta(0))
    zone = there.tzinfo
    return f"{short} ({zone.key})" if isinstance(zone, ZoneInfo) else short


def _distance(offset: timedelta) -> str:
    """Return "UTC-3", "UTC+5:30", or "UTC" where there is none."""
    hours, rest = divmod(abs(offset), _HOUR)
    minutes = f":{rest.seconds // 60:02}" if rest else ""
    sign = "-" if offset < timedelta(0) else "+"
    return f"UTC{sign}{hours}{minutes}" if offset else "UTC"


@dataclass(frozen=True, slots=True)
class Wording:
    """One message in words. `text` has the marks of pbm.render.marks.

    `display` is the sender's name, which shows the news in a mailbox. `answer`: the reader's own
    mail caused it. `game`: the key of the game in its List-Id. `leave`: what the unsubscribe button
    stops, if the reader can do without such mails. `bulk`: it goes to many. `figures` are its
    boards, in the order in which its template shows them. `preheader` is the line that lists of
    mails show below the subject, where they can.
    """

    subject: str
    text: str
    display: str = "pbm"
    answer: bool = True
    game: str = ""
    files: tuple[Attachment, ...] = ()
    leave: Leaving | None = None
    bulk: bool = False
    figures: tuple[Figure | Chart, ...] = ()
    preheader: str = ""


def waiting_lines(
    boards: Iterable[LiveMatch], people: People, reader: Player, more: int
) -> tuple[str, ...]:
    """Return "  104  Gonnect, against bob: by Fri 4 Dec 2026 18:20 UTC" for each board.

    The number is a link that shows the board. A long line continues below, indented. If there are
    `more`, the last line says how many.
    """
    lines = (_waiting_line(board, people, reader) for board in boards)
    rest = f"       and {more} more: reply  {link('games next')}"
    return (*lines, *([rest] if more else []))


def _waiting_line(board: LiveMatch, people: People, reader: Player) -> str:
    line = textwrap.fill(
        f"{board.match.number:>5}  {_waiting(board, people, reader)}", LINE,
        subsequent_indent=" " * 7, break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
    number = str(board.match.number)
    return line.replace(number, link(number, f"show {number}"), 1)


def _waiting(board: LiveMatch, people: People, reader: Player) -> str:
    others = (p for p in board.match.players if p != reader.id)
    against = listing((name(people, p) for p in others), last="and")
    end = time_ends_at(board.match, reader.id)
    when = f"by {local_time(end, reader)}" if end else "the clock stands"
    return f"{board.game.info.title}, against {against}: {when}"
