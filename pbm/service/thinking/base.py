"""What a kind of thought is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pbm.domain.robots import Thought
from pbm.engine import Chance
from pbm.robots.task import Task
from pbm.service.context import Context
from pbm.service.letters import Message

Prepare = Callable[[Context, Thought], Task | None]
"""Returns what to think about; None if there is nothing to think about any more.

A Refusal says that it cannot be thought about now, and why; it is looked at again later.
"""

CarryOut = Callable[[Context, Thought, Any], Iterator[Message]]
"""Does what was found, in the context's unit of work, and yields notices.

What it finds may have changed since it was prepared. A Refusal then says that it is out of date;
it is thought about anew if there is still something to think about.
"""


def _no_fault(_found: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of thought is thought.

    Each module of this package has a table `KINDS` of its own, by ThoughtKind. `fault_of` says of
    what was found why the program that was asked did not find it, "" if it did, or none was.
    """

    prepare: Prepare
    carry_out: CarryOut
    fault_of: Callable[[Any], str] = _no_fault


def chance_of(number: int, ply: int) -> Chance:
    """Return the chance for a thought about board `number` after `ply` plies: always the same.

    So the same thought has the same result, whoever thinks it, and after a kill.
    """
    return Random(f"{number} {ply}")  # noqa: S311 - play, no secret
