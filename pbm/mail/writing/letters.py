"""Letters as mails: a template is a header and a text, made of the facts of the letter.

The header ends at the first blank line. Its lines are
    Subject: the subject
    From: the sender's name, if it is not "pbm"
    Auto-Submitted: auto-generated, if no mail of the reader caused it
    List-Id: the key of the game that it is about
    List-Archive: the web page of the board that it is about
    Precedence: bulk, if it goes to many
    Preheader: what lists of mails show below the subject

Lines of prose in the text are filled (pbm.render.marks.flowed). A fact that is a position, a curve,
a board or several boards is drawn. The template gets the facts of the boards.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbm.core.board_messages import (
    BoardMessage,
    DrawnBoard,
    DrawnBoards,
    DrawnFact,
    DrawnPosition,
    HelpPage,
    WaitingBoards,
    WaitingList,
)
from pbm.core.letters import Answers, Letter, Message
from pbm.domain.dates import local_time
from pbm.domain.description import name, userid
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.pages import NO_PAGES, Pages
from pbm.domain.player import People, Player
from pbm.domain.seen import SeenBoard, example_move
from pbm.domain.timekeeping import time_ends_at
from pbm.engine import frozen, listing
from pbm.mail.writing.assemble import encoded
from pbm.mail.writing.board_at_moment import (
    BoardAtMoment,
    Remark,
    ShownBoard,
    position_for,
    remarks_of,
)
from pbm.mail.writing.board_mails import board_letter
from pbm.mail.writing.game_page import PrintedPage, printed
from pbm.mail.writing.pictures import BoardPicture, ExamplePicture, MailPicture, among_others
from pbm.mail.writing.wording import Wording, add_filters, hanging
from pbm.render.curves import Curve
from pbm.render.marks import link, plain
from pbm.render.templates import Templates

HEADERS = frozenset(
    {
        "Subject", "From", "Auto-Submitted", "List-Id", "List-Archive", "Precedence", "Preheader",
    }
)  # fmt: skip

PICTURES = 10
"""Boards that are drawn in one mail; the others are shown without a picture."""


@frozen
class WaitingBoard:
    """A board that waits for the reader, as a letter about several boards shows it.

    `deadline` is when the reader loses the match, and `example` a full line that plays there.
    `picture` is the board, None if it is not drawn.
    """

    number: int
    title: str
    opponents: str
    happened: tuple[str, ...]
    deadline: str
    remarks: tuple[Remark, ...]
    example: str
    picture: BoardPicture | None


@frozen
class WrittenAnswer:
    """One of several answers in a mail: the line that asked, its text and its boards."""

    asked: str
    text: str
    pictures: tuple[MailPicture, ...]


@frozen
class LetterWriter:
    """Writes the messages of the server with this address, whose boards are on these web pages."""

    templates: Templates
    server: str
    pages: Pages = NO_PAGES

    def __post_init__(self) -> None:
        add_filters(self.templates.environment)

    def written(self, message: Message) -> Wording:
        """Return the mail that the template of a message makes of its facts.

        Raises ValueError for a fact that the template does not use, and an error of Jinja or a
        KeyError for one that is missing.
        """
        letter = self.letter(message)
        page = self.templates.page(f"{letter.template}.txt.j2")
        if not letter.facts.keys() <= page.names:
            unused = letter.facts.keys() - page.names
            raise ValueError(f"{letter.template} does not use {', '.join(sorted(unused))}")
        facts = self.facts(letter)
        head, _, text = page.text(facts).partition("\n\n")
        headers = dict([line.split(": ", 1) for line in plain(head).splitlines()])
        if "Subject" not in headers or headers.keys() - HEADERS:
            raise ValueError(f"{letter.template} has no header, or a wrong one: {head!r}")
        answer = headers.get("Auto-Submitted") != "auto-generated"
        return Wording(
            encoded(headers["Subject"]),
            text,
            display=headers.get("From", "pbm"),
            answer=answer,
            game=headers.get("List-Id", ""),
            files=letter.files,
            leave=letter.leave or (None if answer else Leaving(Mailing.ALL)),
            archive=headers.get("List-Archive", ""),
            bulk=headers.get("Precedence") == "bulk",
            pictures=_pictures(facts.values()),
            preheader=headers.get("Preheader", ""),
        )

    def letter(self, message: Message) -> Letter:
        """Return any message as a letter."""
        match message:
            case Letter():
                return message
            case BoardMessage():
                moment = message.common.once(
                    BoardAtMoment, message.board, message.people, message.now, self.pages,
                    message.followers,
                )  # fmt: skip
                return board_letter(message, moment)
            case Answers():
                return self._together(message)
            case _:
                raise TypeError(f"nothing is written for {type(message).__name__}")

    def _together(self, message: Answers) -> Letter:
        """Return several answers as one letter."""
        parts = [(each.asked, self.written(each.message)) for each in message.answers]
        answers = tuple(
            WrittenAnswer(asked, part.text, tuple(map(among_others, part.pictures)))
            for asked, part in parts
        )
        files = tuple(file for _, part in parts for file in part.files)
        return Letter(message.to, "answers/answers", {"answers": answers}, files=files)

    def facts(self, letter: Letter) -> Mapping[str, Any]:
        """Return the facts of a letter with those of all letters: reader, server, recipient.

        `reader` is a userid, `server` its address, `recipient` the player, or None for a bare
        address. Boards and the like are as they are drawn for the reader.
        """
        player = letter.reader
        facts = {
            **letter.facts,
            "reader": player.userid if player else "",
            "server": self.server,
            "recipient": player,
        }
        for key, fact in letter.facts.items():
            if isinstance(fact, DrawnFact):
                facts[key] = self._drawn(fact, player)
        return facts

    def _drawn(self, fact: DrawnFact, reader: Player | None) -> object:
        """Return a fact as it is drawn for the reader."""
        match fact:
            case DrawnBoards(boards):
                return tuple(self._drawn(board, reader) for board in boards)
            case DrawnBoard(board, people, now) if reader:
                moment = BoardAtMoment(board, people, now, self.pages, whole=fact.whole)
                return moment.for_(
                    reader, private=fact.private, example=fact.example, begun=fact.begun,
                    earlier=fact.earlier, several=fact.several,
                )  # fmt: skip
            case DrawnPosition(board):
                return position_for(board, reader)
            case WaitingBoards(messages):
                return tuple(
                    self._waiting(message, drawn=place < PICTURES)
                    for place, message in enumerate(messages)
                )
            case WaitingList():
                return _board_list(fact)
            case HelpPage(game, text):
                return printed(text, game)
            case _:
                raise TypeError(f"{type(fact).__name__} is not drawn for {reader}")

    def _waiting(self, message: BoardMessage, *, drawn: bool) -> WaitingBoard:
        board, match, reader = message.board, message.board.match, message.to
        moment = BoardAtMoment(board, message.people, message.now, self.pages)
        others = (player for player in match.players if player != reader.id)
        return WaitingBoard(
            number=match.number,
            title=board.game.info.title,
            opponents=listing((userid(message.people, other) for other in others), last="and"),
            happened=tuple(seen.sentence for seen in message.seen),
            deadline=moment.deadline_for(reader),
            remarks=remarks_of(message.seen),
            example=f"move {match.number} {example_move(board)}#{board.due}",
            picture=replace(moment.picture_for(reader), several=True) if drawn else None,
        )


_PICTURES: Mapping[type, Callable[[Any], Iterable[MailPicture]]] = {
    ShownBoard: lambda seen: [seen.picture],
    BoardPicture: lambda picture: [picture],
    Curve: lambda curve: [curve],
    PrintedPage: lambda page: map(ExamplePicture, page.diagrams),
    WaitingBoard: lambda waiting: filter(None, [waiting.picture]),
    WrittenAnswer: lambda answer: answer.pictures,
    tuple: lambda facts: _pictures(facts),  # noqa: PLW0108 - it is defined below
}
"""The pictures of a fact."""


def _pictures(facts: Iterable[object]) -> tuple[MailPicture, ...]:
    """Return the pictures of the facts, in order."""
    found: list[MailPicture] = []
    for fact in facts:
        if pictures := _PICTURES.get(type(fact)):
            found += pictures(fact)
    return tuple(found)


@frozen
class BoardList:
    """Boards that wait for a player: the number of the first, and their lines, "" for none."""

    first: int
    lines: str


def _board_list(waiting: WaitingList) -> BoardList:
    """Return "  104  Gonnect, against bob: by Fri 4 Dec 2026 18:20 UTC", a line a board.

    The number is a link that shows the board. If there are more, the last line says how many.
    """
    boards = waiting.boards
    lines = [_waiting_line(board, waiting.people, waiting.player) for board in boards]
    if waiting.more:
        lines.append(f"...    and {waiting.more} more: reply  {link('games next')}")
    return BoardList(boards[0].match.number if boards else 0, "\n".join(lines))


def _waiting_line(board: SeenBoard, people: People, reader: Player) -> str:
    others = (p for p in board.match.players if p != reader.id)
    against = listing((name(people, p) for p in others), last="and")
    end = time_ends_at(board.match, reader.id)
    when = f"by {local_time(end, reader)}" if end else "the clock is stopped"
    number = str(board.match.number)
    line = hanging(f"{number:>5}  {board.game.info.title}, against {against}: {when}", 7)
    return line.replace(number, link(number, f"show {number}"), 1)
