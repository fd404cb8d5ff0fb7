"""Mails about several boards that wait."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from pbm.domain.description import userid
from pbm.domain.mailings import Leaving, Mailing
from pbm.domain.match import Reminder
from pbm.domain.play import LiveMatch, example_move
from pbm.domain.player import People, Player
from pbm.engine import draw, listing
from pbm.mail.writing.board_facts import deadline, viewer
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.wording import Wording
from pbm.service.notices.reminders import Reminders


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for the reader. `last`: they are not reminded of it again.

    `deadline` is when they lose it, `example` a full line that plays there, `picture` the board,
    "" if there are too many of them to show, and `figure` the same for the HTML form.
    """

    number: int
    title: str
    opponents: str
    deadline: str
    last: bool
    example: str
    picture: str
    figure: Figure | None


def figures_of(boards: Iterable[WaitingBoard]) -> tuple[Figure, ...]:
    """Return the boards that are shown, in order."""
    return tuple(board.figure for board in boards if board.figure)


@dataclass(frozen=True, slots=True)
class RemindersMail:
    """Boards that wait for the reader, the most urgent first; `last` names those soon lost."""

    template: ClassVar[str] = "reminders/reminders.txt.j2"
    reader: str
    count: int
    last: str
    boards: tuple[WaitingBoard, ...]


PICTURES = 10
"""Boards that are drawn in one mail; for the others only the line is shown."""


def _reminders(notice: Reminders, _address: str) -> Wording:
    boards = tuple(
        waiting_board(
            one.board,
            notice.people,
            notice.to,
            notice.now,
            last=one.reminder is Reminder.WARNING,
            drawn=place < PICTURES,
        )
        for place, one in enumerate(notice.boards)
    )
    last = tuple(str(board.number) for board in boards if board.last)
    context = RemindersMail(notice.to.userid, len(boards), listing(last, last="and"), boards)
    news = "Last reminder" if last else "A reminder"
    subject = f"{len(boards)} boards wait for your move"
    shown = figures_of(boards)
    leave = None if last else Leaving(Mailing.REMINDERS)
    return Wording(subject, context, f"{news} - pbm", answer=False, figures=shown, leave=leave)


def waiting_board(
    board: LiveMatch, people: People, reader: Player, now: datetime, *, last: bool, drawn: bool
) -> WaitingBoard:
    """Return what a mail about several boards tells of one that waits for `reader`."""
    match, game = board.match, board.game
    others = (p for p in match.players if p != reader.id)
    seats = match.seats_of(reader.id)
    diagram = game.diagram(board.position.state, viewer(game, seats, reader))
    mine = next((seat for seat in seats if seat in board.to_move), None)
    return WaitingBoard(
        number=match.number,
        title=game.info.title,
        opponents=listing((userid(people, p) for p in others), last="and"),
        deadline=deadline(board, now, reader),
        last=last,
        example=f"move {match.number} {example_move(board)}#{board.due}",
        picture=draw(diagram) if drawn else "",
        figure=Figure(diagram, board, mine, several=True) if drawn else None,
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Reminders: _reminders,
}
"""What is said for each kind of notice of reminders."""
