"""The words of a mail, the times and boards in it, and the filters of templates that write them.

`{{ until | when }}` is a moment in the zone of the reader.
"""

import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from pbm.core.letters import Attachment
from pbm.domain.dates import time_in, time_left, written
from pbm.domain.description import boards_named
from pbm.domain.mail import Leaving
from pbm.domain.settings import zone_of
from pbm.engine import counted, frozen, listing
from pbm.mail.writing.board_at_moment import ShownBoard
from pbm.mail.writing.pictures import MailPicture, listed
from pbm.render.curves import text_of
from pbm.render.marks import LINE, board, link


@frozen
class Wording:
    """One message in words. `text` has the marks of pbm.render.marks.

    `display` is the sender's name, which shows the news in a mailbox. `answer` is whether the
    reader's own mail caused it. `game` is the key of the game in its List-Id. `leave` is what the
    unsubscribe button stops, if the reader can do without such mails, and `archive` the web page of
    its board. `bulk` is whether it goes to many. `pictures` are its boards, in the order in which
    its template shows them. `preheader` is the line that lists of mails show below the subject,
    where they can.
    """

    subject: str
    text: str
    display: str = "pbm"
    answer: bool = True
    game: str = ""
    files: tuple[Attachment, ...] = ()
    leave: Leaving | None = None
    archive: str = ""
    bulk: bool = False
    pictures: tuple[MailPicture, ...] = ()
    preheader: str = ""


@lru_cache(8)  # all mails of one event have the same
def header_date(now: datetime) -> str:
    """Return a moment as the header Date has it, in UTC: "Fri, 11 Dec 2026 12:00:00 +0000"."""
    return format_datetime(now.astimezone(UTC))


def add_filters(environment: Environment) -> None:
    """Let the templates of `environment` use the filters of this module."""
    environment.filters |= {
        "when": _when,
        "day": lambda day: written(day) if day else "",
        "left": time_left,
        "counted": counted,
        "listing": _listing,
        "boards": boards_named,
        "hanging": hanging,
        "curve": lambda curve: board(text_of(curve)),
        "position": lambda picture: board(picture.text),
        "candidates": _candidates,
    }


@pass_context
def _when(context: Context, moment: datetime | None) -> str:
    """Return `time_in` the reader's zone, or "" for None."""
    reader = context["recipient"]
    return time_in(moment, zone_of(reader) if reader else UTC) if moment else ""


def _listing(names: Iterable[object], last: str = "and") -> str:
    """Return "alice, bob and carol"."""
    return listing(map(str, names), last=last)


def hanging(text: str, indent: int) -> str:
    """Return a paragraph in lines, all but the first one indented."""
    return textwrap.fill(
        text, LINE, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False
    )


def _candidates(candidates: Sequence[str], seen: ShownBoard | None) -> str:
    """Return the ways to go on with a turn as links; a board beside them may have some of them."""
    shown = listed(candidates, seen.picture.taps().points if seen else {})
    left_out = len(candidates) - len(shown)
    return "; ".join(map(link, shown)) + (f" and {left_out} more" if left_out else "")
