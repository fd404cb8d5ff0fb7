"""A board as a process is told of it, for as long as its question is still asked."""

import random
from collections.abc import Callable

from pbm.domain.errors import Refusal
from pbm.domain.play import LiveMatch
from pbm.domain.robots import Thought
from pbm.engine import Chance
from pbm.robots.course import Course
from pbm.service.context import Context


def board_if(
    context: Context, number: int, check: Callable[[LiveMatch], object]
) -> LiveMatch | None:
    """Return board `number`; None if `check` refuses it by now, or it cannot be read."""
    try:
        board = context.boards.get(number)
        check(board)
    except Refusal:
        return None
    return board


def course_of(board: LiveMatch) -> Course:
    """Return how the match began and all that was played and stands."""
    match = board.match
    return Course(match.game, match.rules_version, match.setup, tuple(match.turns))


def chance_for(thought: Thought, board: LiveMatch) -> Chance:
    """Return the chance for a thought: the same question about the same position is answered alike.

    There is nothing to guess here: whoever asks is told what is found.
    """
    return random.Random(f"{thought.kind} {thought.number} {board.match.log.ply}")  # noqa: S311
