"""A board as one reader may know it: all that leaves the core.

Mails, pages and records are made of a SeenBoard, which has no state of the game. A Board handed to
them is an error of types.
"""

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from functools import partial
from itertools import islice
from typing import Any, NewType

from pbm.domain.logs import PLIES, Log, LogEntry
from pbm.domain.match import Match
from pbm.domain.play import Board, positions
from pbm.domain.player import PlayerId
from pbm.engine import AnyGame, Diagram, Seat, Viewer, frozen, spoken

SeenMatch = NewType("SeenMatch", Match)
"""A match with its turns as its reader may know them, and with nothing that is kept secret."""


@frozen
class SeenBoard:
    """A board as one reader may know it.

    `sides` are the names of the sides by seat, and `to_move` the seats that have to move. `diagram`
    draws the board, and `turns` yields the turns open to a seat: where something is hidden, as the
    reader sees it, and only for the reader's own seats.
    """

    match: SeenMatch
    game: AnyGame
    ply: int
    to_move: tuple[Seat, ...]
    may_swap: bool
    sides: tuple[str, ...]
    diagram: Callable[[Viewer], Diagram] = field(compare=False, repr=False)
    turns: Callable[[Seat], Iterator[Any]] = field(compare=False, repr=False)

    @property
    def due(self) -> int:
        """The number of the ply that is due, counted from 1."""
        return self.ply + 1


AnyBoard = Board | SeenBoard
"""A board for what is the same for all who see it."""


def seen(board: Board, reader: PlayerId | None, *, over: bool = False) -> SeenBoard:
    """Return the board as `reader` may know it, None: as anybody.

    After the end of the match, which may have come later (`over`), all may know all.
    """
    return views(board, over=over)(reader)


def views(board: Board, *, over: bool = False) -> Callable[[PlayerId | None], SeenBoard]:
    """Return what returns the board as each reader may know it: one view if all see the same."""
    if is_open(board.game, board.match) or over:
        whole = _seen(board, None)
        return lambda _reader: whole
    return lambda reader: _seen(board, board.match.seats_of(reader or 0))


def course(board: Board, reader: PlayerId | None) -> tuple[SeenBoard, ...]:
    """Return the match at ply 0, 1, 2, ... as `reader` may know it, each with all of its turns."""
    own = None if is_open(board.game, board.match) else board.match.seats_of(reader or 0)
    past = (Board(board.match, board.game, position) for position in positions(board))
    return tuple(_seen(each, own) for each in past)


def is_open(game: AnyGame, match: Match) -> bool:
    """Return whether everybody may see everything: nothing is hidden, or the match is over."""
    return not game.info.hidden or match.over


def seen_match(match: Match, own: tuple[Seat, ...] | None) -> SeenMatch:
    """Return the match as those at their `own` seats may know it; None: all of it but choices."""
    if own is None:
        return SeenMatch(replace(match, sealed={}) if match.sealed else match)
    return SeenMatch(
        replace(
            match,
            log=_told(match.log, own),
            sealed={},
            setup=replace(match.setup, dealt=()),
        )
    )


def _told(log: Log, own: tuple[Seat, ...]) -> Log:
    def told(entry: LogEntry) -> LogEntry:
        if entry.kind not in PLIES:
            return entry
        return replace(entry, text=spoken(entry.text)[entry.seat not in own])

    earlier = log.earlier
    return Log(
        map(told, log.recent), replace(earlier, read=lambda: tuple(map(told, earlier.read())))
    )


def _seen(board: Board, own: tuple[Seat, ...] | None) -> SeenBoard:
    """Return the board as those at their `own` seats may know it, None: where all see all."""
    game, state = board.game, board.position.state
    diagram: Callable[[Viewer], Diagram] = partial(game.diagram, state)
    turns: Callable[[Seat], Iterator[Any]] = partial(game.legal_moves, state)
    return SeenBoard(
        seen_match(board.match, own),
        game,
        board.position.ply,
        board.to_move,
        board.may_swap,
        game.sides(state),
        _through_eyes(diagram, own) if game.info.hidden else diagram,
        turns if own is None else lambda seat: turns(seat) if seat in own else iter(()),
    )


def _through_eyes(
    diagram: Callable[[Viewer], Diagram], own: tuple[Seat, ...] | None
) -> Callable[[Viewer], Diagram]:
    """Return what draws the board for those at their `own` seats, or for all once it is over."""
    if own is None:
        return lambda viewer: diagram(Viewer(viewer.seat, viewer.style, over=True))
    seat = own[0] if own else None
    return lambda viewer: diagram(Viewer(seat, viewer.style))


def example_move(board: SeenBoard) -> str:
    """Return a legal move, to show the notation, or "" if nobody is to move.

    It comes from a little way down the list, so that it is neither the first corner of the
    board nor the same at every ply, and does not cost the whole list.
    """
    for seat in board.to_move:
        if moves := list(islice(board.turns(seat), 5 + board.due % 20)):
            return str(moves[-1])
    return ""
