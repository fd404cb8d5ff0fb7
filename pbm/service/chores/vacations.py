"""Vacations that are over: their players are told that their clocks run again, and by when."""

from collections import Counter
from collections.abc import Iterator

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.vacation import standing
from pbm.service.chores.base import Chore, Due
from pbm.service.chores.telling import tell
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.vacations import over

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
        tell(context, _over(context, pause), f"the end of vacation {pause.id}")
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
