"""What the mail to a player for whom several boards wait says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.match import Reminder
from pbm.domain.play import example_move
from pbm.engine import draw, listing
from pbm.mail.writing.board import deadline, viewer
from pbm.mail.writing.wording import Wording, userid
from pbm.service.notices.reminders import RemindedBoard, Reminders


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for the reader. `last`: they are not reminded of it again.

    `deadline` is when they lose it, `example` a full line that plays there, `picture` the board,
    "" if there are too many of them to show.
    """

    number: int
    title: str
    opponents: str
    deadline: str
    last: bool
    example: str
    picture: str


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
        _waiting(board, notice, drawn=place < PICTURES) for place, board in enumerate(notice.boards)
    )
    last = tuple(str(board.number) for board in boards if board.last)
    context = RemindersMail(notice.to.userid, len(boards), listing(last, last="and"), boards)
    news = "last reminder" if last else "a reminder"
    subject = f"{len(boards)} boards wait for your move"
    return Wording(subject, context, f"pbm: {news}", answer=False)


def _waiting(reminded: RemindedBoard, notice: Reminders, *, drawn: bool) -> WaitingBoard:
    board, reader = reminded.board, notice.to
    match, game = board.match, board.game
    others = (p for p in match.players if p != reader.id)
    seen = viewer(game, match.seats_of(reader.id), reader)
    return WaitingBoard(
        number=match.number,
        title=game.info.title,
        opponents=listing((userid(notice.people, p) for p in others), last="and"),
        deadline=deadline(board, notice.now, reader),
        last=reminded.reminder is Reminder.WARNING,
        example=f"move {match.number} {example_move(board)}#{board.due}",
        picture=draw(game.diagram(board.position.state, seen)) if drawn else "",
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Reminders: _reminders,
}
"""What is said for each kind of notice of reminders."""
