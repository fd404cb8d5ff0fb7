"""Players who have not been reached in all the time that their clocks may stand because of it."""

from collections import Counter
from collections.abc import Iterator

from pbm.domain.pauses import Pause, PauseKind
from pbm.service.bounces import try_again
from pbm.service.chores.base import Chore, Due
from pbm.service.chores.telling import tell
from pbm.service.context import Context
from pbm.service.notices import Notice

BATCH = 100
"""Players of one transaction."""

WHAT = "last try to reach"


def _ended(context: Context) -> tuple[Pause, ...]:
    return context.work.pauses.ended(PauseKind.UNREACHABLE, context.now)


def _due(context: Context) -> Iterator[Due]:
    pauses = _ended(context)
    people = context.people(pause.player for pause in pauses if pause.player)
    for pause in pauses:
        if pause.player and pause.until:
            yield Due(pause.until, WHAT, people[pause.player].userid)


def _carry_out(context: Context) -> Counter[str]:
    ended = _ended(context)[:BATCH]
    for pause in ended:
        context.work.pauses.told(pause.id)
        tell(context, _told(context, pause), f"the last try to reach player {pause.player}")
    return Counter({WHAT: len(ended)} if ended else {})


def _told(context: Context, pause: Pause) -> Iterator[Notice]:
    """Yield the notice for a player who still plays here and cannot be reached."""
    player = context.people([pause.player or 0]).get(pause.player or 0)
    if player and player.active and player.addresses and player.address is None:
        yield try_again(context, player, player.home)


UNREACHABLE = Chore("unreachable", _due, _carry_out)
"""Clocks that run on although their player has not been reached."""
