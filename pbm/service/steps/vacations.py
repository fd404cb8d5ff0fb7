"""Vacations: how long one may last, and what the player is told about it."""

from datetime import date, datetime, timedelta

from pbm.domain.dates import written
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.player import Player
from pbm.domain.vacations import (
    DAY,
    YearLeft,
    asked_day,
    asked_end,
    cut,
    latest_end,
    left,
    left_by_year,
)
from pbm.engine import counted
from pbm.service.context import Context
from pbm.service.notices.vacations import VacationOver
from pbm.service.steps.open_boards import waiting
from pbm.service.tokens import player_token
from pbm.service.zones import zone_of


def days_left(
    context: Context, player: Player, until: datetime | None = None
) -> tuple[YearLeft, ...]:
    """Return what `player` has left this year, and next year if they are away into it."""
    pauses = context.work.pauses.of(player.id)
    return left_by_year(pauses, context.now, until, allowance(context))


def latest(context: Context, player: Player) -> datetime:
    """Return the latest end of a vacation of `player` that begins now."""
    return latest_end(context.work.pauses.of(player.id), context.now, allowance(context))


def allowance(context: Context) -> timedelta:
    """Return how long players may be on vacation in a year."""
    return timedelta(days=context.services.periods.vacation)


def over(context: Context, player: Player) -> VacationOver:
    """Return the notice that the player's clocks run again, with the boards that wait."""
    told = waiting(context, player)
    people = context.people({p for board in told.boards for p in board.match.players})
    return VacationOver(
        player, days_left(context, player), told.boards, people, told.more,
        reply=player_token(player.id),
    )  # fmt: skip


USUAL = timedelta(days=10)
"""The length of a vacation in an example, if that much is left."""


def checked_end(context: Context, player: Player, text: str) -> datetime:
    """Return the end that `text` asks for, or raise a Refusal with a line that works today."""
    until = asked_end(text, context.now, zone_of(player))
    if until is None:
        sentence = (
            "Until when? Say a number of days, or until and a day, which is written like "
            "24 Dec, 24.12. or 2026-12-24."
        )
        raise NotUnderstood(sentence + _none_left(context, player), _day_line(context, player))
    if until <= context.now:
        day = _asked_day(context, player, text)
        sentence = (
            f"That day has passed: it was {written(day)}."
            if day
            else "A vacation lasts at least one day."
        )
        raise NotNow(sentence + _none_left(context, player), _day_line(context, player))
    if until > latest(context, player):
        raise _too_long(context, player, text, until)
    return until


def last_day(context: Context, player: Player) -> date | None:
    """Return a possible last day of a vacation, for an example; None if not even today."""
    zone = zone_of(player)
    day = min(context.now + USUAL, latest(context, player)).astimezone(zone).date() - DAY
    return day if day >= context.now.astimezone(zone).date() else None


def usual_line(context: Context, player: Player) -> str:
    """Return a line that begins a vacation; with no day left, one that shows how it stands."""
    return line(context, player, _days(min(context.now + USUAL, latest(context, player)), context))


def line(context: Context, player: Player, words: str) -> str:
    """Return a full line; a reply needs no password. Without `words` it shows how it stands."""
    who = "" if context.reply else f" {player.userid} your-password"
    return f"vacation{who} {words}".rstrip()


def _too_long(context: Context, player: Player, text: str, until: datetime) -> Refusal:
    """Return a refusal: what was understood, and what is left if planned days do not count."""
    year, most = context.now.year, (latest(context, player) - context.now) // DAY
    taken = cut(context.work.pauses.of(player.id), context.now)
    days = left(taken, year, allowance(context)) // DAY
    more = (
        f" With those of {year + 1} that makes {counted(most, 'day')} from now."
        if most > days
        else ("" if days else _new_ones(context))
    )
    whole = counted(context.services.periods.vacation, "day")
    return NotNow(
        f"That is too long: {_understood(context, player, text, until)}. Of the {whole} of "
        f"vacation in a calendar year you have {counted(days, 'day')} left in {year}.{more}",
        line(context, player, _days(latest(context, player), context))
        if most
        else _day_line(context, player),
    )


def _understood(context: Context, player: Player, text: str, until: datetime) -> str:
    """Return "until 24 Dec 2026 it is more than 34 days" or "it is 42 days"."""
    days, beyond = divmod(until - context.now, DAY)
    day = _asked_day(context, player, text)
    return (
        f"{f'until {written(day)} ' if day else ''}it is {'more than ' if beyond else ''}"
        f"{counted(days, 'day')}"
    )


def _asked_day(context: Context, player: Player, text: str) -> date | None:
    return asked_day(text, context.now.astimezone(zone_of(player)).date())


def _none_left(context: Context, player: Player) -> str:
    """Return a sentence to append, that no day is left; "" if one is."""
    if latest(context, player) - context.now >= DAY:
        return ""
    return f" You have no whole day of vacation left in {context.now.year}.{_new_ones(context)}"


def _new_ones(context: Context) -> str:
    """Return a sentence to append, on when new days come; "" if nobody gets any."""
    year = context.now.year + 1
    return f" New ones come on 1 January {year} (UTC)." if allowance(context) else ""


def _days(until: datetime, context: Context) -> str:
    """Return the words for a vacation of whole days that ends by `until`; "" if none fits."""
    days = (until - context.now) // DAY
    return counted(days, "day") if days else ""


def _day_line(context: Context, player: Player) -> str:
    """Return a line with a vacation's last day; with no day left, one for how it stands."""
    day = last_day(context, player)
    return line(context, player, f"until {written(day)}" if day else "")
