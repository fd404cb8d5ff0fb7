"""Boards as readers see them, and in HTML: a picture, a table of points to tap, figures.

A turn of one point takes one tap. For a longer one, the first tap names the point where it begins,
and the answer has the ways to go on: as a list, and on the board, where each point that can be
named next leads to the turn or to its next part. No game is known here: all this is found in the
notations of the legal turns.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from html import escape
from itertools import islice
from typing import TypeVar

from pbm.core.board_messages import MOST_PICTURES, Common
from pbm.domain.seen import SeenBoard
from pbm.engine import Diagram, Seat, Viewer, draw, frozen
from pbm.engine.diagram import names_of
from pbm.mail.writing.assemble import Image, base64_lines
from pbm.render.boards.html import board, card, cell_size, figures
from pbm.render.boards.plotted_picture import PlottedPicture, position_words
from pbm.render.boards.plotting import Cache, Plotter
from pbm.render.boards.png import Painter
from pbm.render.curves import Curve, chart, words_of
from pbm.render.html import in_link

_TABLES = 50
"""Tables that are cached, each of up to 20 KB."""

_SENDER = "\0"
"""A placeholder in tables for what comes before each command; no text of a board contains it."""

_MOST_TURNS = 5_000
"""The most legal turns that are looked at for taps."""


MOST_EXAMPLES = 8
"""The most boards of a mail with examples that are shown as pictures."""

FEW = 12
"""The most turns that are listed at once, if points alone do not name each of them."""

MOST_LISTED = 30
"""Ways to go on with an unfinished move that are listed at most."""


@frozen
class Taps:
    """Commands for points, by the name of the point, and for turns written out, in order."""

    points: Mapping[str, str]
    turns: tuple[str, ...] = ()


def first_taps(turns: Sequence[str], names: frozenset[str]) -> Taps:
    """Return the beginnings of turns: one of the points `names`, or a word such as "count".

    All turns are written out if they are FEW and points alone do not name each of them. A turn of
    points between commas begins with any of them.
    """
    if names.issuperset(turns):
        return Taps({turn: turn for turn in turns})
    begun: dict[str, str] = {}
    words = []
    for turn in turns:
        points = turn.split(",")
        if names.issuperset(points):
            begun.update(zip(points, points, strict=True))
            continue
        token = _TOKEN.match(turn)
        point = token[0] if token else ""
        if point in names:
            begun[point] = point
        else:
            words.append(turn)
    listed = words if len(turns) > FEW else turns
    return Taps(begun, tuple(listed) if len(listed) <= FEW else ())


def next_taps(candidates: Sequence[str], names: frozenset[str]) -> Mapping[str, str]:
    """Return, for each point that can be named next, the turn or its part up to that point.

    The points that all `candidates` share are those that were named before.
    """
    named = [[point for point in _TOKEN.findall(turn) if point in names] for turn in candidates]
    shared = set(named[0]).intersection(*named) if named else set()
    ways: dict[str, list[str]] = {}
    for turn, points in zip(candidates, named, strict=True):
        if point := next((point for point in points if point not in shared), ""):
            ways.setdefault(point, []).append(turn)
    return {
        point: turns[0] if len(turns) == 1 else _up_to(turns[0], {*shared, point})
        for point, turns in ways.items()
    }


def listed(candidates: Sequence[str], tapped: Mapping[str, str]) -> Sequence[str]:
    """Return the ways to go on that are listed; `tapped` are the commands of the board beside them.

    Of too many, those are listed that no point of the board sends, and others if these are FEW.
    """
    if len(candidates) <= MOST_LISTED:
        return candidates
    by_board = frozenset(tapped.values())
    missing = sum(candidate not in by_board for candidate in candidates)
    return sorted(candidates, key=by_board.__contains__)[: max(FEW, min(missing, MOST_LISTED))]


def _up_to(turn: str, named: Iterable[str]) -> str:
    """Return the turn up to the first place of the last of the points `named`."""
    ends: dict[str, int] = {}
    for token in _TOKEN.finditer(turn):  # d1 is not in d10
        ends.setdefault(token[0], token.end())
    return turn[: max(ends[point] for point in named)]


_TOKEN = re.compile(r"[A-Za-z][0-9]++|[A-Za-z]+?(?=[A-Za-z][0-9])|[A-Za-z]++|[0-9]++")
"""A point, as the engine reads them: a letter and a number. In d1xg7 the x belongs to neither."""


@frozen
class BoardPicture:
    """A board of a mail, whose next move is the one that is `due`.

    `turns` returns the legal turns of a reader who can play there by a reply, and is None for any
    other one. `begun` are the ways to go on with a turn that the reader has begun. `several` means
    that the mail is about other boards, too, so that a command must name this one and its move.
    Pictures `drawn` of the diagram serve all readers who see the same.
    """

    diagram: Diagram
    number: int
    due: int
    turns: Callable[[], Iterable[object]] | None = None
    begun: tuple[str, ...] = ()
    several: bool = False
    drawn: Common = field(default_factory=Common, compare=False, repr=False)

    def command(self, turn: str) -> str:
        """Return the command that plays `turn` on this board."""
        return f"move {self.number} {turn}#{self.due}" if self.several else turn

    def taps(self) -> Taps:
        """Return the taps by which the reader can play; there are none if it is not their turn.

        A point sends the whole turn where that is only the point. Otherwise it sends the part of
        the turn up to the point, which the server answers with the ways to go on.
        """
        if self.turns is None:
            return Taps({})
        names = names_of(self.diagram)
        if self.begun:
            return Taps(next_taps(self.begun[:_MOST_TURNS], names))
        return first_taps([str(turn) for turn in islice(self.turns(), _MOST_TURNS)], names)

    @property
    def text(self) -> str:
        """The board as text."""
        return self.drawn.once(draw, self.diagram)


class SharedPictures:
    """One position as pictures, one for all viewers who see the same."""

    def __init__(self, board: SeenBoard) -> None:
        self._board = board
        self._made: list[tuple[RecordingViewer, BoardPicture]] = []

    def of(self, viewer: Viewer) -> BoardPicture:
        """Return the picture for `viewer`, a new one only if the game asked for what differs."""
        for asked, picture in self._made:
            if asked.saw_same(viewer):
                return picture
        asking, board = RecordingViewer(viewer.seat, viewer.style), self._board
        diagram = board.diagram(asking)
        picture = BoardPicture(diagram, board.match.number, board.due)
        self._made.append((asking, picture))
        return picture


class RecordingViewer(Viewer):
    """A viewer that notes the questions of a game.

    Most games show everybody the same and ask nothing. One that hides something asks for the seat.
    """

    __slots__ = ("_asked", "_own")
    _asked: set[str]
    _own: Viewer

    def __init__(self, seat: Seat | None, style: str, *, over: bool = False) -> None:
        object.__setattr__(self, "_asked", set())
        object.__setattr__(self, "_own", Viewer(seat, style, over=over))
        object.__setattr__(self, "over", over)  # known where a game hides something

    @property
    def seat(self) -> Seat | None:
        """The seat; that the game asked for it is noted."""
        self._asked.add("seat")
        return self._own.seat

    @property
    def style(self) -> str:
        """The style; that the game asked for it is noted."""
        self._asked.add("style")
        return self._own.style

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Viewer) and (self.seat, self.style) == (other.seat, other.style)

    def __hash__(self) -> int:
        return hash(self._own)

    def saw_same(self, other: Viewer) -> bool:
        """Return whether the game has asked for nothing in which `other` differs."""
        own, asked = self._own, self._asked
        return not asked or all(getattr(other, name) == getattr(own, name) for name in asked)


@frozen
class ExamplePicture:
    """A board of an example, which is a picture where there may be pictures, and else text."""

    diagram: Diagram
    drawn: Common = field(default_factory=Common, compare=False, repr=False)


MailPicture = BoardPicture | Curve | ExamplePicture
"""A picture of a mail, or what is drawn as one. A reader who wants none has text in its place."""


T = TypeVar("T", bound=MailPicture)


def among_others(picture: T) -> T:
    """Return the picture for a mail whose replies do not say which board they are about."""
    if not isinstance(picture, BoardPicture):
        return picture
    return replace(picture, turns=None, several=True)


@frozen
class HtmlPicture:
    """The HTML of a board or a curve, "" if it stays text, and the picture that it shows.

    `cells` is the side of the cells of its table in pixels, 0 if only figures are in tables, and
    None without tables.
    """

    html: str
    image: Image | None = None
    cells: int | None = None


@frozen
class PictureCache:
    """Draws the boards of mails, and caches what it has drawn for the next mail."""

    plotter: Plotter = field(default_factory=Plotter)
    painter: Painter = field(default_factory=Painter)
    tables: Cache[tuple[PlottedPicture, tuple[str, ...], tuple[str, ...]], str] = field(
        default_factory=lambda: Cache(_TABLES)
    )

    def prepare(self, diagram: Diagram) -> None:
        """Draw a board, so that the parts that the next ones share are cached."""
        self.painter.png(self.plotter.plot(diagram))

    def cards(
        self,
        shown: Sequence[MailPicture],
        cids: Sequence[str],
        sender: str,
        room: int,
        *,
        tables: bool,
    ) -> Iterator[HtmlPicture]:
        """Yield the HTML of each board, with a picture as one of the `cids`.

        Without `cids` there are no pictures. `sender` is what comes before a command in the address
        that sends it. A board with something to tap is a table, if `tables`; any other one is a
        picture, if it may be and they are few. A board is text in the mail if nothing but text is
        left of it, or if it is one of several and would need more octets than are left of `room`.
        """
        few = len(shown) <= MOST_PICTURES
        for number, picture in enumerate(shown):
            if isinstance(picture, Curve):
                yield _chart(picture, cids[number]) if cids else HtmlPicture("")
                continue
            plotted = picture.drawn.once(self.plotter.plot, picture.diagram)
            if isinstance(picture, ExamplePicture):
                pictured = cids and len(shown) <= MOST_EXAMPLES
                yield (
                    self._pictured(picture, plotted, cids[number]) if pictured else HtmlPicture("")
                )
                continue
            cid = cids[number] if cids and few else ""
            found = self._card(picture, plotted, cid, sender, tables=tables or not cid)
            if picture.several and len(found.html) > room:
                found = HtmlPicture("")
            room -= len(found.html)
            yield found

    def _card(
        self, picture: BoardPicture, plotted: PlottedPicture, cid: str, sender: str, *, tables: bool
    ) -> HtmlPicture:
        taps = picture.taps() if tables else Taps({}, picture.taps().turns)
        turns = _listed(picture, taps, sender)
        if taps.points or not (cid or picture.several):
            hint = _hint(picture, plotted, taps.points, sender) if taps.points else ""
            table = self._table(plotted, picture, taps.points, sender)
            return HtmlPicture(hint + table + turns, None, cell_size(plotted))
        if not cid:
            return HtmlPicture(turns)
        found = self._pictured(picture, plotted, cid)
        return replace(found, html=found.html + turns)

    def _pictured(
        self, picture: BoardPicture | ExamplePicture, plotted: PlottedPicture, cid: str
    ) -> HtmlPicture:
        png = picture.drawn.once(self.painter.png, plotted)
        image = _tag(cid, png.width, picture.drawn.once(position_words, plotted))
        beside = picture.drawn.once(figures, plotted)
        html = image + (beside and card(plotted, beside))
        return HtmlPicture(html, Image(cid, base64_lines(png.data)), 0 if beside else None)

    def _table(
        self, plotted: PlottedPicture, picture: BoardPicture, points: Mapping[str, str], sender: str
    ) -> str:
        """Return the board as a table with links; it is cached without the words before commands.

        So the long address is escaped once and not for each of some hundred points.
        """
        names, lines = tuple(points), tuple(points.values())
        if picture.several:
            lines = tuple(map(picture.command, lines))

        def table() -> str:
            replies = zip(names, lines, strict=True)
            targets = {name: f"{_SENDER}{in_link(line)}" for name, line in replies}
            return card(plotted, board(plotted, targets.get), figures(plotted))

        return self.tables.get((plotted, names, lines), table).replace(_SENDER, escape(sender))


def _tag(cid: str, width: int, words: str) -> str:
    """Return the tag of a picture; `words` are for readers who cannot see it."""
    return (
        f'<img src="cid:{cid}" width="{width}" alt="{escape(words)}" '
        'style="display:block;max-width:100%;height:auto;border-radius:8px;margin:12px 0">\n'
    )


def _chart(curve: Curve, cid: str) -> HtmlPicture:
    png = chart(curve)
    html = _tag(cid, png.width, words_of(curve))
    return HtmlPicture(html, Image(cid, base64_lines(png.data)))


def _hint(
    picture: BoardPicture, plotted: PlottedPicture, points: Mapping[str, str], sender: str
) -> str:
    """Return a line on what a tap does; if all these points have pieces, it moves one.

    A few pieces are also links in the line, because they may be anywhere on a large board.
    """
    moved = all(spot.stone for spot in plotted.spots if spot.name in points)
    play = "Tap the piece to move" if moved else "Tap a point to play there"
    lead = "Tap a point to go on" if picture.begun else play
    few = moved and not picture.begun and len(points) <= _FEW_PIECES
    links = f"\n{_links(picture, tuple(points.values()), sender, _PIECE)}" if few else ""
    return f'<p style="margin:12px 0 4px">{lead}:{links}</p>\n'


def _listed(picture: BoardPicture, taps: Taps, sender: str) -> str:
    """Return a paragraph with a link for each turn that is written out, or ""."""
    if not taps.turns:
        return ""
    lead = "Or tap" if taps.points else "Tap"
    links = _links(picture, taps.turns, sender, _TURN)
    return f'<p style="margin:8px 0">{lead} your turn: {links}</p>\n'


def _links(picture: BoardPicture, turns: Sequence[str], sender: str, style: str) -> str:
    """Return a link for each of these turns, or beginnings of turns."""
    return "\n".join(
        f'<a href="{escape(sender)}{in_link(picture.command(turn))}" style="{style}">'
        f"{escape(turn)}</a>"
        for turn in turns
    )


_TURN = "display:inline-block;padding:6px 10px"
_PIECE = "display:inline-block;padding:0 6px"
"""Room for a finger, in a paragraph of its own and in the line above a board."""

_FEW_PIECES = 4
"""The most pieces that are named above a board: as many as fit that line on a phone."""
