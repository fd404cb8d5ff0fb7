"""What a robot says to a draw that is offered to it: yes, unless it believes to stand better."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotNow
from pbm.domain.play import check_ply_due, seat_of
from pbm.domain.robots import Thought, ThoughtKind
from pbm.features.offers import accept_offer, reject_offer
from pbm.robots.moves import AnswerFound, AnswerTask
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.thinking.base import Kind, chance_of
from pbm.service.thinking.robots import brain_of, draw_offered, level_for, moment_of


def prepare(context: Context, thought: Thought) -> AnswerTask | None:
    """Return the position to judge; None if no draw is offered to the robot any more."""
    board = context.boards.get(thought.number)
    if draw_offered(board, thought.player) is None:
        return None
    level = level_for(brain_of(context, thought), thought)
    moment = moment_of(board, seat_of(board, thought.player))
    return AnswerTask(moment, level, chance_of(thought.number, board.position.ply))


def carry_out(context: Context, thought: Thought, found: AnswerFound) -> Iterator[Message]:
    """Agree to the draw, or turn it down."""
    board = context.boards.get(thought.number)
    check_ply_due(board, found.due)
    if draw_offered(board, thought.player) is None:
        raise NotNow(f"No draw is offered on board {thought.number}.")
    answer = accept_offer if found.agrees else reject_offer
    yield from answer(context, thought.number)


KINDS: Mapping[ThoughtKind, Kind] = {ThoughtKind.ANSWER: Kind(prepare, carry_out)}
