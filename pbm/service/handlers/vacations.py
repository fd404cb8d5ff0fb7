"""Time off: a player's clocks stand while they are away."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotNow
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import Player
from pbm.domain.vacations import CHANGES_A_DAY, OFF, current_vacation, unfinished
from pbm.service.commands.vacations import Vacation
from pbm.service.context import Context, Handler, day_of
from pbm.service.letters import Message
from pbm.service.notices.vacations import OpponentAway, OpponentBack, VacationBegun, VacationShown
from pbm.service.steps.open_boards import opponents
from pbm.service.steps.vacations import (
    checked_end,
    days_left,
    last_day,
    line,
    over,
    usual_line,
)
from pbm.service.tokens import player_token


def vacation(context: Context, command: Vacation) -> Iterator[Message]:
    """Begin a vacation, change its end, end it, or show how things stand."""
    player = context.sender()
    before = current_vacation(context.work.pauses.of(player.id), context.now)
    if not command.text:
        yield _shown(context, player, before)
    elif command.text in OFF:
        yield from _end(context, player, before)
    else:
        yield from _begin(context, player, before, command.text)


def _shown(context: Context, player: Player, before: Pause | None) -> VacationShown:
    until = before.until if before else None
    return VacationShown(
        to=player,
        until=until,
        left=days_left(context, player, until),
        allowance=context.services.periods.vacation,
        last_day=last_day(context, player),
        reply=player_token(player.id),
    )


def _begin(context: Context, player: Player, before: Pause | None, text: str) -> Iterator[Message]:
    until = checked_end(context, player, text)
    if before and before.until == until:
        yield _shown(context, player, before)
        return
    if context.work.tally(f"vacation:{player.id}", day_of(context.now)) > CHANGES_A_DAY:
        raise _often(context, player, before)
    _clear(context, player)
    context.work.pauses.add(PauseKind.VACATION, context.now, until, player.id)
    left, changed = days_left(context, player, until), before is not None
    example = last_day(context, player)
    token = player_token(player.id)
    yield VacationBegun(player, until, left, changed, example, reply=token)
    for opponent, numbers in opponents(context, player):
        yield OpponentAway(opponent, player.userid, until, numbers, changed)


def _end(context: Context, player: Player, before: Pause | None) -> Iterator[Message]:
    if before is None:
        raise NotNow("You are not on vacation; your clocks run.", usual_line(context, player))
    _clear(context, player)
    yield over(context, player)
    for opponent, numbers in opponents(context, player):
        yield OpponentBack(opponent, player.userid, numbers)


def _often(context: Context, player: Player, before: Pause | None) -> NotNow:
    # The refused change may correct a slip: the player must not be left with a wrong end.
    ends = " You can still end it with vacation off." if before else ""
    return NotNow(
        f"Your vacation has changed {CHANGES_A_DAY} times today, and your opponents were told "
        f"each time. It can change again tomorrow.{ends}",
        line(context, player, "off" if before else ""),
    )


def _clear(context: Context, player: Player) -> None:
    """End current and planned vacations now, and have the affected clocks looked at soon."""
    for pause in unfinished(context.work.pauses.of(player.id), context.now):
        context.work.pauses.end(pause.id, context.now)
        # If its end is told at all, it is told here; the chore must not tell it again.
        context.work.pauses.told(pause.id)
    context.work.matches.look_soon(player.id, context.now)
    context.boards.forget()


HANDLERS: Mapping[type, Handler] = {
    Vacation: vacation,
}
