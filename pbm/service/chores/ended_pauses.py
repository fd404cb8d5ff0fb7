"""Pauses of a player that have ended: the player is told, once."""

from collections import Counter
from collections.abc import Callable, Iterator

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import Player
from pbm.domain.vacations import current_vacation
from pbm.service.chores.base import Chore, Due, tell
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.steps.bounces import try_again
from pbm.service.steps.vacations import over

BATCH = 100
"""Players in one transaction."""


def _ended_pauses(
    name: str, kind: PauseKind, what: str, told: Callable[[Context, Player], Iterator[Message]]
) -> Chore:
    """Return the chore that posts `told` for each active player whose pause of `kind` ended."""

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
            tell(
                context,
                notices(context, pause),
                f"for player {pause.player}, the {what} {pause.id}",
            )
        return Counter({what: len(ended)} if ended else {})

    def notices(context: Context, pause: Pause) -> Iterator[Message]:
        player = context.people([pause.player or 0]).get(pause.player or 0)
        if player is not None and player.active:
            yield from told(context, player)

    return Chore(name, due, carry_out)


def _back_from_vacation(context: Context, player: Player) -> Iterator[Message]:
    """Tell the player that their clocks run again, unless they are on vacation again."""
    if current_vacation(context.work.pauses.of(player.id), context.now) is None:
        yield over(context, player)


def _last_try(context: Context, player: Player) -> Iterator[Message]:
    """Write once more to a player who still cannot be reached, and whose clocks run again."""
    if player.addresses and player.address is None:
        yield try_again(context, player, player.home)


VACATIONS = _ended_pauses("vacations", PauseKind.VACATION, "end of vacation", _back_from_vacation)
"""Vacations that end on their date."""

UNREACHABLE = _ended_pauses("unreachable", PauseKind.UNREACHABLE, "last try to reach", _last_try)
"""Clocks that run again although their player is still unreachable."""
