"""Scheduled jobs and follow-up jobs, which are done in batches."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import TypeVar

from pbm.core.bugs import isolate_bugs, trace_of
from pbm.core.context import Context
from pbm.core.letters import Message
from pbm.core.outbox import post
from pbm.domain.invitations import Invitation, Seek
from pbm.domain.pauses import Pause, PauseKind, moment_after
from pbm.domain.player import Player, PlayerId
from pbm.engine import frozen
from pbm.store.time import FollowUp


@frozen
class Due:
    """Something that is due: since when, what, and whom or which board it is about."""

    at: datetime
    what: str
    player: str = ""
    board: int | None = None


@frozen
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
    """Post the messages, which are made only here, so that a bug in one delays nothing else.

    After a bug all of them are lost, the log says what they were `about`, and False is returned.
    """
    with isolate_bugs() as bugs, context.work.savepoint(), context.services.time_limited():
        post(context, messages)
    for bug in bugs:
        log.error("%s cannot be told:\n%s", about, trace_of(bug))
    return not bugs


_T = TypeVar("_T", Invitation, Seek)


def outlived(
    context: Context, since: Callable[[datetime, int], Iterable[_T]], lasts: timedelta, most: int
) -> list[tuple[datetime, _T]]:
    """Return (end, thing) for each thing whose time is over; `since` finds those that may be."""
    pauses = context.work.pauses.of(None)
    made = since(context.now - lasts, most)
    ends = ((moment_after(thing.made_at, lasts, pauses), thing) for thing in made)
    return [(end, thing) for end, thing in ends if end is not None and end <= context.now]


BATCH = 100
"""Things that end in one transaction."""

_ALL = 1_000_000

_Ended = TypeVar("_Ended")


def endings(
    name: str,
    what: str,
    find: Callable[[Context, int], list[tuple[datetime, _Ended]]],
    end: Callable[[Context, _Ended], None],
    mails: Callable[[Context, _Ended], Iterator[Message]],
    whose: Callable[[_Ended], tuple[PlayerId, int | None]],
    about: Callable[[_Ended], str],
) -> ScheduledJob:
    """Return the job that ends each thing whose time is over, and posts the mails about it.

    `find` returns (end, thing) for so many at the most; a bug in the `mails` leaves a thing ended.
    `whose` returns the player of a thing, and its number. `about` is for the log.
    """

    def due(context: Context) -> Iterator[Due]:
        over = find(context, _ALL)
        people = context.people(whose(thing)[0] for _, thing in over)
        for at, thing in over:
            player, number = whose(thing)
            yield Due(at, what, people[player].userid, number)

    def carry_out(context: Context) -> Counter[str]:
        over = find(context, BATCH)
        for _, thing in over:
            end(context, thing)
            tell(context, mails(context, thing), about(thing))
        return +Counter({what: len(over)})

    return ScheduledJob(name, due, carry_out)


def ended_pauses(
    name: str, kind: PauseKind, what: str, mails: Callable[[Context, Player], Iterator[Message]]
) -> ScheduledJob:
    """Return the job that posts `mails` for each active player whose pause of `kind` has ended."""

    def find(context: Context, most: int) -> list[tuple[datetime, Pause]]:
        pauses = context.work.pauses.ended(kind, context.now)
        return [(pause.until, pause) for pause in pauses if pause.until][:most]

    def mails_of(context: Context, pause: Pause) -> Iterator[Message]:
        player = context.person(pause.player or 0)
        if player.active:
            yield from mails(context, player)

    return endings(
        name, what, find, lambda context, pause: context.work.pauses.told(pause.id), mails_of,
        whose=lambda pause: (pause.player or 0, None),
        about=lambda pause: f"for player {pause.player}, the {what} {pause.id}",
    )  # fmt: skip


def end_pauses(context: Context, player: PlayerId, pauses: Iterable[Pause]) -> None:
    """End these pauses of a player now, and have their clocks looked at soon.

    The caller writes to the player, so the job does not.
    """
    for pause in pauses:
        context.work.pauses.end(pause.id, context.now)
        context.work.pauses.told(pause.id)
    context.work.matches.look_soon(player, context.now)
    context.boards.forget()


READERS = 12
"""Readers to whom one part of a follow-up job writes; for the largest boards it takes 0.1
seconds."""


@frozen
class JobPart:
    """The messages of one part, and how far the follow-up job is; None if it is done."""

    messages: tuple[Message, ...]
    up_to: int | None


Do = Callable[[Context, FollowUp], JobPart]
"""Does a part of a follow-up job in the context's unit of work, and returns its messages."""
