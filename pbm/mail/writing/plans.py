"""What the mail about a previewed position says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.description import about, headline, options, reason_of, side_of, thread_subject
from pbm.domain.play import LiveMatch
from pbm.engine import Diagram, draw, listing
from pbm.mail.writing.board import viewer
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.wording import Wording
from pbm.service.board_messages import Previewed


@dataclass(frozen=True, slots=True)
class PreviewMail:
    """`number` is 0 for a new board; `side` is to move then, "" if `ending` tells the end."""

    template: ClassVar[str] = "plans/preview.txt.j2"
    submitted: bool
    number: int
    key: str
    title: str
    moves: str
    side: str
    due: int
    ending: str
    picture: str
    about: str


def _preview(notice: Previewed, diagram: Diagram) -> PreviewMail:
    """Return the facts of the position that a player looks at."""
    board = notice.board
    match, game = board.match, board.game
    mover = next(iter(board.to_move), None)
    sides = game.sides(board.position.state)
    new = ", ".join([game.info.title, *options(match.setup, game)])
    return PreviewMail(
        submitted=notice.submitted,
        number=match.number,
        key=match.game,
        title=game.info.title,
        moves=listing(notice.moves, most=40, last="and"),
        side="" if mover is None else side_of(sides[mover], game.info.signs[mover]),
        due=board.due,
        ending=_ending(board, sides),
        picture=draw(diagram),
        about=about(match, game) if match.number else new,
    )


def _ending(board: LiveMatch, sides: tuple[str, ...]) -> str:
    """Return how the moves would end the match: "Eks wins: a chain ..."; "" if they do not."""
    outcome = board.match.outcome
    if outcome is None:
        return ""
    reason = reason_of(outcome, board.game)
    winners = listing((sides[seat] for seat in outcome.winners), last="and")
    return f"{winners} wins: {reason}" if winners else f"a draw: {reason}"


def _previewed(notice: Previewed, _address: str) -> Wording:
    match, game = notice.board.match, notice.board.game
    seen = viewer(game, match.seats_of(notice.to.id), notice.to)
    diagram = game.diagram(notice.board.position.state, seen)
    context, drawn = _preview(notice, diagram), (Figure(diagram, notice.board),)
    if not match.number:
        return Wording("Only a look", context, figures=drawn)
    news = "To be confirmed" if notice.submitted else "Only a look"
    subject = thread_subject(match, game, notice.people)
    display = headline(news, game, match.number)
    return Wording(subject, context, display, game=match.game, figures=drawn)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Previewed: _previewed,
}
"""What is said for each kind of notice of plans."""
