"""What a chore is, and what several chores share."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from pbm.domain.pauses import moment_after
from pbm.service.bugs import trace_of
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.ports import Conflict, StoreUnavailable
from pbm.service.post import post


@dataclass(frozen=True, slots=True)
class Due:
    """Something that is due: since when, what, and whom or which board it is about."""

    at: datetime
    what: str
    player: str = ""
    board: int | None = None


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """A piece of work that falls due as time passes.

    `due` yields what is due at the context's time, and changes nothing. `carry_out` does a batch
    of it in the context's unit of work, posts its mails, and returns how often each thing was
    done; the counter is empty once nothing is left to do.
    """

    name: str
    due: Callable[[Context], Iterator[Due]]
    carry_out: Callable[[Context], Counter[str]]


log = logging.getLogger("pbm.remind")

MOST_BUGS = 5
"""After so many boards of a player that met a bug, each by itself, the others are not tried in the
same batch: each may take ten seconds."""


def tell(context: Context, notices: Iterable[Message], about: str) -> bool:
    """Post the notices, which are made only here, so that a bug in one holds up nobody else.

    After a bug all of them are lost, the log says what they were `about`, and False is returned.
    """
    try:
        with context.work.savepoint(), context.services.bounded():
            post(context.services, context.work, notices, context.now)
    except (Conflict, StoreUnavailable):
        raise
    except Exception as bug:  # noqa: BLE001 - any bug of a game, or a game no longer installed
        _note(about, bug)
        return False
    return True


def _note(about: str, bug: Exception) -> None:
    log.error("%s cannot be told:\n%s", about, trace_of(bug))


class _Made(Protocol):
    @property
    def made_at(self) -> datetime: ...


_T = TypeVar("_T", bound=_Made)


def outlived(context: Context, things: Iterable[_T], lasts: timedelta) -> list[tuple[datetime, _T]]:
    """Return (end, thing) for each of the `things` whose time is over."""
    pauses = context.work.pauses.of(None)
    ends = ((moment_after(thing.made_at, lasts, pauses), thing) for thing in things)
    return [(end, thing) for end, thing in ends if end is not None and end <= context.now]
