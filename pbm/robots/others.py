"""Robots of others: functions of Python packages that choose a move (docs/robots.md)."""

from collections.abc import Callable
from typing import Any

from pbm.engine import AnyGame, Position, Seat, Setup, Turn, frozen, taken


@frozen
class Question:
    """A position of a match in which a robot is to move for `seat`.

    The `turns` led there from the `setup`. `own_seats` are all seats that the robot has, which the
    pie rule may change.
    """

    setup: Setup
    turns: tuple[Turn, ...]
    own_seats: tuple[Seat, ...]
    position: Position[Any]
    seat: Seat


Choose = Callable[[AnyGame, Question], object]
"""Returns a move, or a text that the game reads as one."""


def turn_of(choose: Choose, game: AnyGame, question: Question) -> str:
    """Return the turn that is chosen, as a log writes it; raise MoveError if it is illegal."""
    chosen = str(choose(game, question))
    _, notation, _ = taken(game, question.position, question.seat, chosen)
    return notation
