"""Letters as mails: a template is a header and a text, made of the facts of the letter.

The header ends at the first blank line. Its lines are
    Subject: the subject
    From: the sender's name, if it is not "pbm"
    Auto-Submitted: auto-generated, if no mail of the reader caused it
    List-Id: the key of the game that it is about
    Precedence: bulk, if it goes to many
    Preheader: what lists of mails show below the subject

A fact that is a position, a curve, a board or several boards is drawn. The template gets the facts
of the boards.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from jinja2.meta import find_undeclared_variables

from pbm.domain.dates import local_time
from pbm.domain.description import gain_of, userid
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.pages import NO_PAGES, Pages
from pbm.domain.play import example_move
from pbm.domain.player import Player
from pbm.domain.settings import zone_of
from pbm.engine import draw, listing
from pbm.mail.writing.assemble import encoded
from pbm.mail.writing.board_facts import (
    LAST,
    BoardFacts,
    Remark,
    board_facts,
    figure_of,
    forfeit_at,
    left_of,
    remarks_of,
    scene_of,
)
from pbm.mail.writing.game_page import PrintedPage, printed
from pbm.mail.writing.pictures import Chart, Figure, Sketch
from pbm.mail.writing.wording import Wording
from pbm.render.curves import Curve
from pbm.render.marks import plain
from pbm.service.board_messages import BoardMessage, DrawnBoard, HelpPage, Position, WaitingBoards
from pbm.service.letters import Letter

HEADERS = frozenset({"Subject", "From", "Auto-Submitted", "List-Id", "Precedence", "Preheader"})

PICTURES = 10
"""Boards that are drawn in one mail; the others are shown without a picture."""


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for the reader, as a letter about several boards shows it.

    `deadline` is when the reader loses the match, and `example` a full line that plays there.
    `picture` is the board as text, "" if it is not drawn, and `figure` the board of the HTML form.
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


def written(
    environment: Environment, letter: Letter, server: str, pages: Pages = NO_PAGES
) -> Wording:
    """Return the mail that the template of `letter` makes of its facts.

    Raises UndefinedError for a fact that is missing, ValueError for one that is not used.
    """
    name = f"{letter.template}.txt.j2"
    if unused := letter.facts.keys() - _used(environment, name):
        raise ValueError(f"the template {name} does not use {', '.join(sorted(unused))}")
    facts = facts_of(letter, server, pages)
    source = environment.get_template(name).render(facts)
    head, _, text = source.partition("\n\n")
    headers = dict(line.split(": ", 1) for line in plain(head).splitlines())
    if "Subject" not in headers or headers.keys() - HEADERS:
        raise ValueError(f"the template {letter.template} has no header, or a wrong one: {head!r}")
    drawn = (fact.page for fact in facts.values() if isinstance(fact, BoardFacts))
    answer = headers.get("Auto-Submitted") != "auto-generated"
    return Wording(
        encoded(headers["Subject"]),
        text,
        display=headers.get("From", "pbm"),
        answer=answer,
        game=headers.get("List-Id", ""),
        files=letter.files,
        leave=letter.leave or (None if answer else Leaving(Mailing.ALL)),
        archive=next(drawn, ""),
        bulk=headers.get("Precedence") == "bulk",
        figures=tuple(_figures(facts.values())),
        preheader=headers.get("Preheader", ""),
    )


@lru_cache(200)
def _used(environment: Environment, name: str) -> frozenset[str]:
    """Return the names of the facts that a template uses."""
    assert environment.loader is not None  # noqa: S101 - a folder
    source, _, _ = environment.loader.get_source(environment, name)
    return frozenset(find_undeclared_variables(environment.parse(source)))


def facts_of(letter: Letter, server: str, pages: Pages) -> Mapping[str, Any]:
    """Return the facts of a letter with those of all letters: reader, server, recipient.

    `reader` is a userid, `server` its address, `recipient` the player, or None for a bare address.
    """
    player = letter.reader
    return {
        **{name: _drawn(fact, player, pages) for name, fact in letter.facts.items()},
        "reader": player.userid if player else "",
        "server": server,
        "recipient": player,
        "_zone": zone_of(player) if player else UTC,
    }


def _drawn(fact: object, reader: Player | None, pages: Pages) -> object:
    """Return boards or a position as they are drawn for the reader, or any other fact as it is."""
    if isinstance(fact, WaitingBoards):
        return tuple(
            _waiting_board(message, drawn=place < PICTURES)
            for place, message in enumerate(fact.messages)
        )
    if isinstance(fact, HelpPage):
        return printed(fact.text, fact.game)
    if isinstance(fact, Position):
        return figure_of(fact.board, reader)
    if reader is None or not isinstance(fact, DrawnBoard):
        return fact
    last = None if fact.board.match.over else LAST
    scene = scene_of(fact.board, fact.people, fact.now, last=last, pages=pages)
    facts = board_facts(scene, reader)
    return replace(facts, example=fact.example or facts.example)


def _figures(facts: Iterable[object]) -> Iterator[Figure | Chart | Sketch]:
    for fact in facts:
        if isinstance(fact, BoardFacts):
            yield fact.figure
        elif isinstance(fact, Figure):
            yield fact
        elif isinstance(fact, PrintedPage):
            yield from map(Sketch, fact.diagrams)
        elif isinstance(fact, Curve):
            yield Chart(fact)
        elif isinstance(fact, tuple):
            boards = (board for board in fact if isinstance(board, WaitingBoard))
            yield from (board.figure for board in boards if board.figure)


def _waiting_board(message: BoardMessage, *, drawn: bool) -> WaitingBoard:
    board, match, reader = message.board, message.board.match, message.to
    others = (player for player in match.players if player != reader.id)
    mine = next((seat for seat in match.seats_of(reader.id) if seat in board.to_move), None)
    figure = replace(figure_of(board, reader), seat=mine, several=True) if drawn else None
    end = forfeit_at(board)
    return WaitingBoard(
        number=match.number,
        title=board.game.info.title,
        opponents=listing((userid(message.people, other) for other in others), last="and"),
        happened=tuple(seen.sentence for seen in message.seen),
        deadline=(
            f"{left_of(board, end, message.now)}, until {local_time(end, reader)}{gain_of(match)}"
            if end
            else ""
        ),
        remarks=remarks_of(message.seen),
        example=f"move {match.number} {example_move(board)}#{board.due}",
        picture=draw(figure.diagram) if figure else "",
        figure=figure,
    )
