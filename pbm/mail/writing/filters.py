"""The filters that put the facts of letters into words.

`{{ until | when }}` is a moment in the zone of the reader.
"""

import textwrap
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Protocol

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from pbm.domain.dates import time_left, written
from pbm.domain.description import boards_named
from pbm.domain.play import LiveMatch
from pbm.domain.player import People, Player
from pbm.engine import counted, draw, listing
from pbm.mail.writing.game_page import printed
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.wording import time_in, waiting_lines
from pbm.render.curves import Curve, text_of
from pbm.render.marks import board
from pbm.render.templates import LINE


class _Waiting(Protocol):
    """The boards that wait for a player, as pbm.service.matches has them."""

    @property
    def boards(self) -> tuple[LiveMatch, ...]: ...
    @property
    def people(self) -> People: ...
    @property
    def more(self) -> int: ...


def add_filters(environment: Environment) -> None:
    """Let the templates of `environment` use the filters of this module."""
    environment.filters |= {
        "when": _when,
        "day": _day,
        "left": _left,
        "counted": _counted,
        "listing": _listing,
        "boards": _boards,
        "hanging": _hanging,
        "printed": printed,
        "waiting": _waiting,
        "curve": _curve,
        "position": _position,
    }


@pass_context
def _when(context: Context, moment: datetime | None) -> str:
    """Return "Fri 11 Dec 2026 13:00 CET (Europe/Berlin)" in the reader's zone; "" for None."""
    return time_in(moment, context["_zone"]) if moment else ""


def _day(day: date | None) -> str:
    """Return "24 Dec 2026"; "" for None."""
    return written(day) if day else ""


def _left(time: timedelta) -> str:
    """Return "14 days", or "47 hours"."""
    return time_left(time)


def _counted(number: int, word: str) -> str:
    """Return "12 days" for 12 and "day"."""
    return counted(number, word)


def _listing(names: Iterable[object], last: str = "and") -> str:
    """Return "alice, bob and carol"."""
    return listing(map(str, names), last=last)


def _boards(numbers: Sequence[int]) -> str:
    """Return "board 104", or "boards 104 and 105"."""
    return boards_named(numbers)


def _hanging(text: str, indent: int) -> str:
    """Return a paragraph whose first line stays as it is, with the others behind the indent."""
    return textwrap.fill(
        text, LINE, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False
    )


@pass_context
def _waiting(context: Context, waiting: _Waiting, player: Player | None = None) -> tuple[str, ...]:
    """Return a line for each board that waits for the reader, and one for how many more do.

    A letter to a bare address names the `player` who may read it.
    """
    reader = player or context["recipient"]
    return waiting_lines(waiting.boards, waiting.people, reader, waiting.more)


def _curve(curve: Curve) -> str:
    """Return the lines of a curve, which are a picture where there may be pictures."""
    return board(text_of(curve))


def _position(figure: Figure) -> str:
    """Return the lines of a position, which are a picture where there may be pictures."""
    return board(draw(figure.diagram))
