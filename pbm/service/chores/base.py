"""What a chore is."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pbm.service.context import Context


@dataclass(frozen=True, slots=True)
class Due:
    """Something that is due: since when, what, and whom or which board it is about."""

    at: datetime
    what: str
    player: str = ""
    board: int | None = None


@dataclass(frozen=True, slots=True)
class Chore:
    """A piece of work that time brings.

    `due` yields what is due at the context's time, and changes nothing. `carry_out` does a batch
    of it in the context's unit of work, its mails posted, and returns what was done how often;
    nothing, once nothing is left to do.
    """

    name: str
    due: Callable[[Context], Iterator[Due]]
    carry_out: Callable[[Context], Counter[str]]
