"""What is said about clocks: several boards that wait, and news of the server."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from pbm.domain.mailings import Leaving, Mailing
from pbm.domain.match import Reminder
from pbm.domain.play import LiveMatch, example_move
from pbm.domain.player import People, Player
from pbm.engine import draw, listing
from pbm.mail.writing.board import deadline, viewer
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.wording import Wording, local_time, userid, waiting_lines
from pbm.service.notices.reminders import NewsTold, Reminders
from pbm.service.ports import News


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


@dataclass(frozen=True, slots=True)
class OutageMail:
    """The server was silent; `lines` list the boards that wait for the reader's move.

    `example` shows the most urgent of them, "" if none waits.
    """

    template: ClassVar[str] = "reminders/outage.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class StoppedMail:
    """The operator has stopped all clocks."""

    template: ClassVar[str] = "reminders/stopped.txt.j2"
    reader: str
    began: str


@dataclass(frozen=True, slots=True)
class ResumedMail:
    """All clocks run again; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "reminders/resumed.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class CorrectedMail:
    """Deadlines in earlier mails may have been wrong; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "reminders/corrected.txt.j2"
    reader: str
    lines: tuple[str, ...]
    example: str


def _news(notice: NewsTold, _address: str) -> Wording:
    return replace(_NEWS[notice.news](notice), leave=Leaving(Mailing.NEWS))


def _outage(notice: NewsTold) -> Wording:
    began, until = _span(notice)
    context = OutageMail(notice.to.userid, began, until, _lines(notice), _example(notice))
    return Wording("The server was silent", context, answer=False)


def _stopped(notice: NewsTold) -> Wording:
    began, _ = _span(notice)
    return Wording("All clocks stand", StoppedMail(notice.to.userid, began), answer=False)


def _resumed(notice: NewsTold) -> Wording:
    began, until = _span(notice)
    context = ResumedMail(notice.to.userid, began, until, _lines(notice), _example(notice))
    return Wording("All clocks run again", context, answer=False)


def _corrected(notice: NewsTold) -> Wording:
    context = CorrectedMail(notice.to.userid, _lines(notice), _example(notice))
    return Wording("The right deadlines", context, answer=False)


def _span(notice: NewsTold) -> tuple[str, str]:
    """Return when the clocks stopped and until when they stood, "" if they still stand."""
    pause = notice.pause
    until = local_time(pause.until, notice.to) if pause.until else ""
    return local_time(pause.began_at, notice.to), until


def _lines(notice: NewsTold) -> tuple[str, ...]:
    return waiting_lines(notice.boards, notice.people, notice.to, notice.more)


def _example(notice: NewsTold) -> str:
    return f"show {notice.boards[0].match.number}" if notice.boards else ""


_NEWS: Mapping[News, Callable[[NewsTold], Wording]] = {
    News.OUTAGE: _outage,
    News.STOPPED: _stopped,
    News.RESUMED: _resumed,
    News.CORRECTED: _corrected,
}


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Reminders: _reminders,
    NewsTold: _news,
}
"""What is said for each kind of notice of reminders and of news."""
