"""Hints: what a robot would play in the place of a player who asks."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import Refusal
from pbm.domain.play import LiveMatch, check_ply_due
from pbm.domain.robots import Thought, ThoughtKind
from pbm.engine import Seat
from pbm.robots.hints import Hint, HintTask
from pbm.robots.hints import Tried as Looked
from pbm.service.context import Context, board_token, everybody
from pbm.service.letters import Message
from pbm.service.notices.learning import Hinted, Tried
from pbm.service.steps.learning import check_hint
from pbm.service.thinking.base import Kind, chance_of
from pbm.service.thinking.robots import moment_of

LEVEL = 4
"""How well a hint is thought of, whoever the opponent is: in seconds, and better than most."""


def prepare(context: Context, thought: Thought) -> HintTask | None:
    """Return the position to look at; None if the player may have, or needs, no hint any more.

    Who has moved since they asked needs none, even if it is their turn again.
    """
    board = context.boards.get(thought.number)
    if any(entry.at > thought.asked_at for entry in board.match.log.last_plies(1)):
        return None
    try:
        seat = _seat(context, thought, board)
    except Refusal:
        return None
    return HintTask(moment_of(board, seat), LEVEL, chance_of(thought.number, board.position.ply))


def _seat(context: Context, thought: Thought, board: LiveMatch) -> Seat:
    """Return the seat that is to move; raise a Refusal if its player may have no hint."""
    return check_hint(board, thought.player, context.people(board.match.players))


def carry_out(context: Context, thought: Thought, hint: Hint) -> Iterator[Message]:
    """Tell the player, if the position is still the one that was looked at."""
    board = context.boards.get(thought.number)
    check_ply_due(board, hint.due)
    _seat(context, thought, board)
    people = context.people(everybody(board))
    second = _told(hint.second) if hint.second else None
    yield Hinted(
        context.sender(), board, people, context.now, _told(hint.best), second,
        only=hint.only, even=hint.even, reply=board_token(board, thought.player),
    )  # fmt: skip


def _told(tried: Looked) -> Tried:
    return Tried(tried.text, tried.worth, tried.proven)


KINDS: Mapping[ThoughtKind, Kind] = {ThoughtKind.HINT: Kind(prepare, carry_out)}
