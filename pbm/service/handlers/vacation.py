"""Time off: a player's clocks stand while he is away."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbm.domain.commands import Vacation
from pbm.domain.dates import written
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import Player
from pbm.domain.vacation import DAY, OFF, asked_end, cut, left, standing, unfinished
from pbm.engine import counted
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.open_boards import opponents
from pbm.service.vacation_notices import OpponentAway, OpponentBack, VacationBegun, VacationShown
from pbm.service.vacations import allowance, days_left, latest, over, reply_of
from pbm.service.windows import day_of
from pbm.service.zones import zone_of

CHANGES_A_DAY = 5
"""Vacations begun or changed in a day; each is told to all opponents."""

USUAL = timedelta(days=10)
"""How long the vacation of an example is, if that much is left."""


def vacation(context: Context, command: Vacation) -> Iterator[Notice]:
    """Begin a vacation, change its end, end it, or tell how things stand."""
    player = context.sender()
    before = standing(context.work.pauses.of(player.id), context.now)
    if not command.text:
        yield _shown(context, player, before)
    elif command.text in OFF:
        yield from _end(context, player, before)
    else:
        yield from _begin(context, player, before, command.text)


def _shown(context: Context, player: Player, before: Pause | None) -> VacationShown:
    return VacationShown(
        to=player,
        until=before.until if before else None,
        days=days_left(context, player),
        allowance=context.services.periods.vacation,
        year=context.now.year,
        reply=reply_of(player),
    )


def _begin(context: Context, player: Player, before: Pause | None, text: str) -> Iterator[Notice]:
    until = _checked_end(context, player, text)
    if before and before.until == until:
        yield _shown(context, player, before)
        return
    if context.work.tally(f"vacation:{player.id}", day_of(context.now)) > CHANGES_A_DAY:
        raise NotNow(
            f"Your vacation has changed {CHANGES_A_DAY} times today, and your opponents were told "
            "each time. It can change again tomorrow.",
            _line(context, player, ""),
        )
    _clear(context, player)
    context.work.pauses.add(PauseKind.VACATION, context.now, until, player.id)
    days, changed = days_left(context, player), before is not None
    yield VacationBegun(player, until, days, context.now.year, changed, reply_of(player))
    for opponent, boards in opponents(context, player):
        yield OpponentAway(opponent, player.userid, until, boards, changed)


def _end(context: Context, player: Player, before: Pause | None) -> Iterator[Notice]:
    if before is None:
        example = _line(context, player, _days(context, player))
        raise NotNow("You are not on vacation; your clocks run.", example)
    _clear(context, player)
    yield over(context, player)
    for opponent, boards in opponents(context, player):
        yield OpponentBack(opponent, player.userid, boards)


def _clear(context: Context, player: Player) -> None:
    """End now what lasts or was planned, and have the clocks looked at that run by that."""
    for pause in unfinished(context.work.pauses.of(player.id), context.now):
        context.work.pauses.end(pause.id, context.now)
        # It is told of here, if at all, and not once more by the chore.
        context.work.pauses.told(pause.id)
    context.work.matches.look_soon(player.id, context.now)
    context.tables.forget()


def _checked_end(context: Context, player: Player, text: str) -> datetime:
    """Return the end asked for; raise a Refusal, with a line that works today."""
    until = asked_end(text, context.now, zone_of(player))
    if until is None:
        raise NotUnderstood(
            "Until when? Say a number of days, such as 10 days, or until and a day, such as "
            "until 24 Dec or until 2026-12-24.",
            _line(context, player, _day(context, player)),
        )
    if until <= context.now:
        raise NotNow("That day has passed.", _line(context, player, _day(context, player)))
    if until > latest(context, player):
        raise _too_long(context, player)
    return until


def _too_long(context: Context, player: Player) -> Refusal:
    """Return the refusal that says how many days are left, without those planned by now."""
    year, most = context.now.year, (latest(context, player) - context.now) // DAY
    taken = cut(context.work.pauses.of(player.id), context.now)
    days = left(taken, year, allowance(context)) // DAY
    next_year = f" With those of {year + 1} that makes {counted(most, 'day')} from now."
    whole = counted(context.services.periods.vacation, "day")
    return NotNow(
        f"That is too long. Of the {whole} of vacation in a calendar year you have "
        f"{counted(days, 'day')} left in {year}.{next_year if most > days else ''}",
        _line(context, player, f"{most} days" if most else ""),
    )


def _days(context: Context, player: Player) -> str:
    """Return the words of a vacation that can begin now; "" if there is not a day left."""
    days = (min(context.now + USUAL, latest(context, player)) - context.now) // DAY
    return f"{days} days" if days else ""


def _day(context: Context, player: Player) -> str:
    """Return the words of one with its last day; "" if not even today is left."""
    zone = zone_of(player)
    end = min(context.now + USUAL, latest(context, player)).astimezone(zone)
    day = end.date() - DAY
    return f"until {written(day)}" if day >= context.now.astimezone(zone).date() else ""


def _line(context: Context, player: Player, words: str) -> str:
    """Return a whole line for the player: a reply needs no password. No words: how it stands."""
    who = "" if context.reply else f" {player.userid} your-password"
    return f"vacation{who} {words}".rstrip()
