"""The scheduled jobs that write to a player whose pause has ended, once."""

from collections import Counter
from collections.abc import Callable, Iterator

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import Player
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.schedule import Due, ScheduledJob, tell

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
