"""Thoughts: how one kind of thought is prepared, and what becomes of what was found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pbm.domain.play import LiveMatch
from pbm.domain.robots import Thought
from pbm.engine import Chance, Seat, encode
from pbm.robots.tasks import Moment, Task
from pbm.service.context import Context
from pbm.service.letters import Message

Prepare = Callable[[Context, Thought], Task | None]
"""Returns what to think about, or None if there is nothing to think about any more.

A Refusal says why it cannot be thought about now; it is looked at again later.
"""

CarryOut = Callable[[Context, Thought, Any], Iterator[Message]]
"""Acts on what was found, in the context's unit of work, and yields messages.

The board may have changed since the thought was prepared. A Refusal then says that what was found
is out of date; the thought is prepared again if there is still something to think about.
"""


def _no_fault(_found: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class ThoughtHandler:
    """The handler of one kind of thought.

    `fault_of` returns why the program that was asked did not find what was found; "" if it did, or
    if no program was asked.
    """

    prepare: Prepare
    carry_out: CarryOut
    fault_of: Callable[[Any], str] = _no_fault


def chance_of(number: int, ply: int) -> Chance:
    """Return the chance for a thought about board `number` after `ply` plies: always the same.

    So the same thought has the same result, whoever thinks it, and after a kill.
    """
    return Random(f"{number} {ply}")  # noqa: S311 - play, no secret


def moment_of(board: LiveMatch, seat: Seat) -> Moment:
    """Return the position of a board as whoever moves for `seat` looks at it."""
    match, position = board.match, board.position
    state = encode(board.game, position.state)
    return Moment(match.game, match.rules_version, state, position.ply, seat)
