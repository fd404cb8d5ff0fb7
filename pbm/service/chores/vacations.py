"""Vacations that are over: their players are told that their clocks run again, and by when."""

import logging
from collections import Counter
from collections.abc import Iterator

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.vacation import standing
from pbm.service.chores.base import Chore, Due
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.ports import Conflict, StoreUnavailable
from pbm.service.post import post
from pbm.service.vacations import over

log = logging.getLogger("pbm.remind")

BATCH = 100
"""Players of one transaction."""


def _ended(context: Context) -> tuple[Pause, ...]:
    return context.work.pauses.ended(PauseKind.VACATION, context.now)


def _due(context: Context) -> Iterator[Due]:
    pauses = _ended(context)
    people = context.people({pause.player for pause in pauses if pause.player})
    for pause in pauses:
        if pause.player and pause.until:
            yield Due(pause.until, "end of vacation", people[pause.player].userid)


def _carry_out(context: Context) -> Counter[str]:
    ended = _ended(context)[:BATCH]
    for pause in ended:
        context.work.pauses.told(pause.id)
        try:
            with context.work.savepoint():
                post(context.services, context.work, _over(context, pause), context.now)
        except (Conflict, StoreUnavailable):
            raise
        except Exception as bug:  # noqa: BLE001 - any bug: it must not hold up all others
            kind = type(bug).__name__
            log.error("the end of vacation %s: a bug, %s", pause.id, kind)  # noqa: TRY400 - no values
    return Counter({"end of vacation": len(ended)} if ended else {})


def _over(context: Context, pause: Pause) -> Iterator[Notice]:
    """Yield the notice for a player who still plays here and is not on vacation again."""
    player = context.people([pause.player or 0]).get(pause.player or 0)
    if player is None or not player.active:
        return
    if standing(context.work.pauses.of(player.id), context.now) is None:
        yield over(context, player)


VACATIONS = Chore("vacations", _due, _carry_out)
"""Vacations that end by their date."""
