"""Boards that wait, as a letter about several of them shows each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pbm.domain.description import userid
from pbm.domain.play import example_move
from pbm.engine import draw, listing
from pbm.mail.writing.board_facts import Remark, deadline, figure_of
from pbm.mail.writing.happenings import remarks_of, sentence
from pbm.mail.writing.pictures import Figure
from pbm.service.board_messages import BoardMessage

PICTURES = 10
"""Boards that are drawn in one mail; the others are shown without a picture."""


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for the reader, with what happened and what was written there.

    `deadline` is when they lose it, and `example` a full line that plays there. `picture` is the
    board as text, "" if it is not drawn, and `figure` the same for the HTML form.
    """

    number: int
    title: str
    opponents: str
    happened: tuple[str, ...]
    deadline: str
    remarks: tuple[Remark, ...]
    example: str
    picture: str
    figure: Figure | None


def waiting_boards(notices: Iterable[BoardMessage]) -> tuple[WaitingBoard, ...]:
    """Return the board of each notice; the first ones are drawn."""
    return tuple(
        _waiting_board(notice, _figure(notice) if place < PICTURES else None)
        for place, notice in enumerate(notices)
    )


def figures_of(boards: Iterable[object]) -> Iterator[Figure]:
    """Yield the figures of those that are boards and drawn, in order."""
    for board in boards:
        if isinstance(board, WaitingBoard) and board.figure:
            yield board.figure


def _waiting_board(notice: BoardMessage, figure: Figure | None) -> WaitingBoard:
    board, match = notice.board, notice.board.match
    others = (player for player in match.players if player != notice.to.id)
    return WaitingBoard(
        number=match.number,
        title=board.game.info.title,
        opponents=listing((userid(notice.people, other) for other in others), last="and"),
        happened=tuple(sentence(happening, notice) for happening in notice.happenings),
        deadline=deadline(board, notice.now, notice.to),
        remarks=remarks_of(notice),
        example=f"move {match.number} {example_move(board)}#{board.due}",
        picture=draw(figure.diagram) if figure else "",
        figure=figure,
    )


def _figure(notice: BoardMessage) -> Figure:
    """Return the board as the reader sees it, who can play there if it is their turn."""
    seats = notice.board.match.seats_of(notice.to.id)
    mine = next((seat for seat in seats if seat in notice.board.to_move), None)
    return replace(figure_of(notice.board, notice.to), seat=mine, several=True)
