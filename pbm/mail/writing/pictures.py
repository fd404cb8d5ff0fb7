"""Boards in the HTML form of a mail: a picture, a table whose points can be tapped, figures."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from urllib.parse import quote

from pbm.domain.play import LiveMatch
from pbm.engine import Diagram, Seat
from pbm.mail.writing.assemble import Image
from pbm.render.boards.drawing import Drawing
from pbm.render.boards.figures import figures
from pbm.render.boards.html import board, card
from pbm.render.boards.kept import Kept
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.png import Painter
from pbm.render.boards.words import board_words
from pbm.service.notices.play import MOST_PICTURES

_TABLES = 50
"""Tables that are kept, each of up to 20 KB."""

_SENDER = "\0"
"""Stands in a table for what comes before each command; no text of a board holds it."""

_MOST_TURNS = 5_000
"""Legal turns looked at for the points that one can begin with."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A board of a mail. `seat` is the reader's, if it is their turn there.

    `prefix` comes before a turn in a reply: "101 " in a mail about several boards.
    """

    diagram: Diagram
    live: LiveMatch
    seat: Seat | None = None
    prefix: str = ""

    def replies(self) -> Mapping[str, str]:
        """Return the command for each point with which a legal turn of the reader can begin.

        It is the whole turn where that is only the point. Otherwise it is the point, which the
        server answers with the ways to go on.
        """
        if self.seat is None:
            return {}
        names = frozenset(point.name for point in self.diagram.points)
        turns = self.live.game.legal_moves(self.live.position.state, self.seat)
        begun = _beginnings(map(str, islice(turns, _MOST_TURNS)), names)
        return {name: f"{self.prefix}{name}" for name in begun}


def _beginnings(turns: Iterator[str], names: Collection[str]) -> Iterator[str]:
    """Yield the point that each turn begins with, where it begins with one."""
    lengths = sorted({len(name) for name in names}, reverse=True)
    for turn in turns:
        if turn in names:
            yield turn
            continue
        for length in lengths:
            if turn[:length] in names and not turn[length : length + 1].isalnum():
                yield turn[:length]
                break


@dataclass(frozen=True, slots=True)
class Studio:
    """Draws the boards of mails, and keeps what it has drawn for the next mail."""

    plotter: Plotter = field(default_factory=Plotter)
    painter: Painter = field(default_factory=Painter)
    tables: Kept[tuple[Drawing, tuple[tuple[str, str], ...]], str] = field(
        default_factory=lambda: Kept(_TABLES)
    )

    def cards(
        self, shown: Sequence[Figure], cids: Sequence[str], sender: str
    ) -> Iterator[tuple[str, Image | None]]:
        """Yield for each board its HTML, and the picture that it shows as one of the `cids`.

        Without `cids` there are no pictures. `sender` is what comes before a command in the address
        that sends it. A table stands below the picture where there is something to tap, and in its
        place without pictures. A few boards are pictures alone, because some programs cut a mail of
        100 KB. More, or a few without pictures, have no HTML form (""): they stand in the mail as
        text.
        """
        for number, figure in enumerate(shown):
            if len(shown) > MOST_PICTURES:
                yield "", None
                continue
            drawing = self.plotter.plot(figure.diagram)
            image, picture = self._picture(drawing, cids[number]) if cids else (None, "")
            replies = figure.replies() if len(shown) == 1 else {}
            if replies or not (picture or len(shown) > 1):
                yield picture + self._table(drawing, replies, sender), image
            else:
                beside = figures(drawing)
                yield picture and picture + (beside and card(drawing, beside)), image

    def _table(self, drawing: Drawing, replies: Mapping[str, str], sender: str) -> str:
        """Return the board as a table with links; it is kept without the words before commands.

        So the long address is escaped once and not for each of some hundred points.
        """

        def table() -> str:
            targets = {name: f"{_SENDER}{quote(line)}" for name, line in replies.items()}
            hint = _HINT if targets else ""
            return hint + card(drawing, board(drawing, targets.get), figures(drawing))

        kept = self.tables.get((drawing, tuple(replies.items())), table)
        return kept.replace(_SENDER, escape(sender))

    def _picture(self, drawing: Drawing, cid: str) -> tuple[Image, str]:
        png = self.painter.png(drawing)
        words = escape(board_words(drawing))
        return Image(cid, png.data), (
            f'<img src="cid:{cid}" width="{png.width}" height="{png.height}" alt="{words}" '
            'style="display:block;max-width:100%;height:auto;border-radius:8px;margin:12px 0">\n'
        )


_HINT = '<p style="margin:12px 0 4px">Tap a point to play there:</p>\n'
