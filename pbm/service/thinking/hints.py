"""Hints: what a robot would play in the place of a player who asks."""

from collections.abc import Iterator

from pbm.domain.play import LiveMatch
from pbm.domain.robots import Thought
from pbm.robots.hints import Hint, HintTask
from pbm.robots.hints import Tried as Looked
from pbm.service.context import Context, board_token, everybody
from pbm.service.notices import Notice
from pbm.service.notices.learning import Hinted, Tried
from pbm.service.steps.learning import check_hint
from pbm.service.thinking.base import Kind
from pbm.service.thinking.courses import board_if, chance_for, course_of


def _prepare(context: Context, thought: Thought) -> HintTask | None:
    board = _board(context, thought)
    return HintTask(course_of(board), chance_for(thought, board)) if board else None


def _board(context: Context, thought: Thought) -> LiveMatch | None:
    """Return the board, if the player may still be told; who has moved needs no hint any more."""

    def check(board: LiveMatch) -> None:
        check_hint(board, thought.player, context.people(board.match.players))

    return board_if(context, thought.number, check)


def _carry_out(context: Context, thought: Thought, hint: Hint) -> Iterator[Notice]:
    board = _board(context, thought)
    if board is None:
        return
    people = context.people(everybody(board))
    second = _told(hint.second) if hint.second else None
    yield Hinted(
        people[thought.player], board, people, context.now, _told(hint.best), second,
        only=hint.only, even=hint.even, reply=board_token(board, thought.player),
    )  # fmt: skip


def _told(tried: Looked) -> Tried:
    return Tried(tried.text, tried.worth, tried.proven)


HINT = Kind(_prepare, _carry_out)
"""How a hint is thought of."""
