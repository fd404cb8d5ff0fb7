"""What a kind of thought is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pbm.domain.robots import Thought
from pbm.robots.task import Task
from pbm.service.context import Context
from pbm.service.notices import Notice

Prepare = Callable[[Context, Thought], Task | None]
"""Returns what to think about; None if there is nothing to think about any more."""

CarryOut = Callable[[Context, Thought, Any], Iterator[Notice]]
"""Does what was found, in the context's unit of work, and yields notices.

What it finds may have changed since it was prepared. A Refusal then says that it is out of date;
it is thought about anew if there is still something to think about.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of thought is thought."""

    prepare: Prepare
    carry_out: CarryOut
