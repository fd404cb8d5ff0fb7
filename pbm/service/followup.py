"""What a part of a sequel is."""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.ports import Sequel


@dataclass(frozen=True, slots=True)
class Part:
    """What a part has led to, and how far the sequel has got; None: it is done."""

    notices: tuple[Message, ...]
    up_to: int | None


Do = Callable[[Context, Sequel], Part]
"""Does a part of a sequel in the context's unit of work, and returns what to post."""
