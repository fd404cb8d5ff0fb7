"""What time brings, and what a mail began: scheduled jobs and follow-up jobs, done in batches."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from pbm.domain.pauses import Pause, PauseKind, moment_after
from pbm.domain.player import Player
from pbm.service.bugs import trace_of
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.outbox import post
from pbm.service.ports import Conflict, FollowUp, StoreUnavailable


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


def tell(context: Context, messages: Iterable[Message], about: str) -> bool:
    """Post the messages, which are made only here, so that a bug in one holds up nobody else.

    After a bug all of them are lost, the log says what they were `about`, and False is returned.
    """
    try:
        with context.work.savepoint(), context.services.bounded():
            post(context.services, context.work, messages, context.now)
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


BATCH = 100
"""Players in one transaction."""


def ended_pauses(
    name: str, kind: PauseKind, what: str, mails: Callable[[Context, Player], Iterator[Message]]
) -> ScheduledJob:
    """Return the job that posts `mails` for each active player whose pause of `kind` has ended."""

    def due(context: Context) -> Iterator[Due]:
        pauses = context.work.pauses.ended(kind, context.now)
        people = context.people(pause.player for pause in pauses if pause.player)
        for pause in pauses:
            if pause.player and pause.until:
                yield Due(pause.until, what, people[pause.player].userid)

    def carry_out(context: Context) -> Counter[str]:
        ended = context.work.pauses.ended(kind, context.now)[:BATCH]
        for pause in ended:
            context.work.pauses.told(pause.id)
            about = f"for player {pause.player}, the {what} {pause.id}"
            tell(context, _mails(context, pause), about)
        return Counter({what: len(ended)} if ended else {})

    def _mails(context: Context, pause: Pause) -> Iterator[Message]:
        player = context.people([pause.player or 0]).get(pause.player or 0)
        if player is not None and player.active:
            yield from mails(context, player)

    return ScheduledJob(name, due, carry_out)


READERS = 12
"""Readers to whom one part of a follow-up job writes; for the largest boards it takes 0.1
seconds."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a part has led to, and how far the follow-up job has got; None: it is done."""

    messages: tuple[Message, ...]
    up_to: int | None


Do = Callable[[Context, FollowUp], Part]
"""Does a part of a follow-up job in the context's unit of work, and returns what to post."""
