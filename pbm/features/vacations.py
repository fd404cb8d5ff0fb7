"""Vacations: the clocks of a player are stopped while they are away."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from pbm.core.command import CommandLine, Proof, Request, command
from pbm.core.context import Context
from pbm.core.letters import Message, answer, letter
from pbm.core.open_boards import to_opponents, waiting
from pbm.core.schedule import end_pauses, ended_pauses
from pbm.core.tokens import player_token
from pbm.domain.dates import written
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.pauses import (
    CHANGES_A_DAY,
    DAY,
    OFF,
    Pause,
    PauseKind,
    YearLeft,
    asked_day,
    asked_end,
    asks_for_vacation,
    current_vacation,
    cut,
    is_vacation,
    latest_end,
    left,
    left_by_year,
    unfinished,
)
from pbm.domain.player import Player
from pbm.domain.settings import zone_of
from pbm.engine import counted, fold, listing


def _read_vacation(line: CommandLine) -> Request:
    """Read `[userid password] [until DATE, N days, off]`.

    A sentence may begin with the word: "Vacation was great!" asks for nothing. "vacation 10 days"
    names nobody; the command refuses it, because it knows how many days the example can name.
    """
    unnamed = line.proven is None and is_vacation(_rest(line))
    credentials = None if unnamed else line.who()
    text = _rest(line)
    if not asks_for_vacation(text):
        raise NotUnderstood(
            "vacation is followed by a number of days, by until and a day, or by off.",
            "vacation" if line.proven else "vacation alice your-password",
        )
    return line.request(credentials, text=text)


def _rest(line: CommandLine) -> str:
    """Return the rest of the line, folded, without the full stop of a sentence."""
    return fold(" ".join(line.words.rest)).removesuffix(".")


USUAL = timedelta(days=10)
"""The length of a vacation in an example, if that much is left."""


def usual_line(context: Context, player: Player) -> str:
    """Return a line that begins a vacation; with no day left, one that shows what is left."""
    days = min(USUAL, _latest(context, player) - context.now) // DAY
    return _line(context, player, counted(days, "day") if days else "")


@command(
    "vacation", "[userid password] [until DATE, N days, off]",
    "stops your clocks while you are away", "vacation alice your-password 10 days",
    needs=Proof.PERSON, locks=True, read=_read_vacation,
    writes=lambda request: (*request.who, *request.words("text")),
    aliases=("holiday", "holidays"), boardless=True, usual=usual_line,
    text="It begins at once. Your clocks are stopped and you are not reminded; you may still "
         "play. Your opponents get one mail, and each board shows it.\n"
         "vacation alone shows whether you are on vacation, and how many days you have left: "
         "there is an allowance for each calendar year, counted in UTC.\n"
         "until DATE: to the end of that day in your time zone. DATE is written like 24 Dec, 24 "
         "December, Dec 24, 24.12. or 2026-12-24.\n"
         "N days: N times 24 hours from now; N weeks works, too.\n"
         "off: ends it now. Days you have not used are not counted. During a vacation, another "
         "day or number of days changes its end. Your opponents get a mail each time, so you can "
         f"begin or change it at most {CHANGES_A_DAY} times a day. off always works.\n"
         'More about clocks: "help time".',
)  # fmt: skip
def vacation(context: Context, text: str) -> Iterator[Message]:
    """Begin a vacation, change its end, end it, or show what is left.

    `text` says for how long, or "off"; "" only asks.
    """
    player = context.sender()
    before = current_vacation(context.work.pauses.of(player.id), context.now)
    if not text:
        yield _shown(context, player, before)
    elif text in OFF:
        yield from _end(context, player, before)
    else:
        yield from _begin(context, player, before, text)


def _shown(context: Context, player: Player, before: Pause | None) -> Message:
    until = before.until if before else None
    years, allowance = _years_left(context, player, until), context.services.periods.vacation
    last = years[-1]
    return answer(
        player, "vacations/shown", until=until, left=_in_words(years), allowance=allowance,
        new_year=last.year + 1 if allowance and not last.days else None,
        last_day=_last_day(context, player), reply=player_token(player.id),
    )  # fmt: skip


def _begin(context: Context, player: Player, before: Pause | None, text: str) -> Iterator[Message]:
    until = _checked_end(context, player, text)
    if before and before.until == until:
        yield _shown(context, player, before)
        return
    if context.today(f"vacation:{player.id}") > CHANGES_A_DAY:
        raise _often(context, player, before)
    end_pauses(context, player.id, unfinished(context.work.pauses.of(player.id), context.now))
    context.work.pauses.add(PauseKind.VACATION, context.now, until, player.id)
    changed = before is not None
    yield letter(
        player, "vacations/begun", until=until, changed=changed,
        left=_in_words(_years_left(context, player, until)),
        last_day=_last_day(context, player), reply=player_token(player.id),
    )  # fmt: skip
    yield from to_opponents(context, player, "vacations/away", until=until, changed=changed)


def _end(context: Context, player: Player, before: Pause | None) -> Iterator[Message]:
    if before is None:
        raise NotNow(
            "You are not on vacation; your clocks are running.", usual_line(context, player)
        )
    end_pauses(context, player.id, unfinished(context.work.pauses.of(player.id), context.now))
    yield _over(context, player)
    yield from to_opponents(context, player, "vacations/back")


def _over(context: Context, player: Player) -> Message:
    """Return the mail that the player's clocks run again, with the boards that wait."""
    return letter(
        player, "vacations/over", left=_in_words(_years_left(context, player)),
        waiting=waiting(context, player), reply=player_token(player.id),
    )  # fmt: skip


def _back(context: Context, player: Player) -> Iterator[Message]:
    """Write to a player whose vacation has ended, unless they are on vacation again."""
    if current_vacation(context.work.pauses.of(player.id), context.now) is None:
        yield _over(context, player)


VACATIONS = ended_pauses("vacations", PauseKind.VACATION, "end of vacation", _back)
"""Vacations that end on their date."""


def _checked_end(context: Context, player: Player, text: str) -> datetime:
    """Return the end that `text` asks for, or raise a Refusal with a line that works today."""
    until = asked_end(text, context.now, zone_of(player))
    if until and until > context.now:
        if until > _latest(context, player):
            raise _too_long(context, player, text, until)
        return until
    example = _day_line(context, player)
    if until is None:
        raise NotUnderstood(
            "Say how long: a number of days, or until and a day, which is written like "
            f"24 Dec, 24.12. or 2026-12-24.{_none_left(context, player)}",
            example,
        )
    day = _asked_day(context, player, text)
    passed = f"That day has passed: it was {written(day)}." if day else ""
    sentence = passed or "A vacation lasts at least one day."
    raise NotNow(sentence + _none_left(context, player), example)


def _often(context: Context, player: Player, before: Pause | None) -> NotNow:
    # The refused change may be to correct a slip, so the reply says how to end the vacation.
    ends = " You can still end it with vacation off." if before else ""
    return NotNow(
        f"Your vacation has changed {CHANGES_A_DAY} times today, with a mail to your opponents "
        f"each time. You can change it again tomorrow.{ends}",
        _line(context, player, "off" if before else ""),
    )


def _too_long(context: Context, player: Player, text: str, until: datetime) -> Refusal:
    """Return a refusal: what was understood, and what is left if planned days do not count."""
    year, most = context.now.year, (_latest(context, player) - context.now) // DAY
    taken = cut(context.work.pauses.of(player.id), context.now)
    days = left(taken, year, _allowance(context)) // DAY
    more = (
        f" With the days of {year + 1} you have {counted(most, 'day')} from now."
        if most > days
        else ("" if days else _new_ones(context))
    )
    whole = counted(context.services.periods.vacation, "day")
    return NotNow(
        f"That is too long: {_understood(context, player, text, until)}. Of the {whole} of "
        f"vacation in a calendar year you have {counted(days, 'day')} left in {year}.{more}",
        _line(context, player, counted(most, "day")) if most else _day_line(context, player),
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
    if _latest(context, player) - context.now >= DAY:
        return ""
    return f" You have no whole day of vacation left in {context.now.year}.{_new_ones(context)}"


def _new_ones(context: Context) -> str:
    """Return a sentence to append, on when new days come; "" if nobody gets any."""
    year = context.now.year + 1
    return f" The next allowance starts on 1 January {year} (UTC)." if _allowance(context) else ""


def _allowance(context: Context) -> timedelta:
    """Return how long players may be on vacation in a year."""
    return timedelta(days=context.services.periods.vacation)


def _latest(context: Context, player: Player) -> datetime:
    """Return the latest end of a vacation of `player` that begins now."""
    return latest_end(context.work.pauses.of(player.id), context.now, _allowance(context))


def _last_day(context: Context, player: Player) -> date | None:
    """Return a possible last day of a vacation, for an example; None if not even today."""
    zone = zone_of(player)
    day = min(context.now + USUAL, _latest(context, player)).astimezone(zone).date() - DAY
    return day if day >= context.now.astimezone(zone).date() else None


def _line(context: Context, player: Player, words: str) -> str:
    """Return a full line; a reply needs no password. Without `words` it shows what is left."""
    who = "" if context.reply else f" {player.userid} your-password"
    return f"vacation{who} {words}".rstrip()


def _day_line(context: Context, player: Player) -> str:
    """Return a line with a vacation's last day; with no day left, one for what is left."""
    day = _last_day(context, player)
    return _line(context, player, f"until {written(day)}" if day else "")


def _years_left(
    context: Context, player: Player, until: datetime | None = None
) -> tuple[YearLeft, ...]:
    """Return what `player` has left this year, and next year if they are away into it."""
    pauses = context.work.pauses.of(player.id)
    return left_by_year(pauses, context.now, until, _allowance(context))


def _in_words(years: tuple[YearLeft, ...]) -> str:
    """Return "12 days and 5 hours of vacation left in 2026 and 25 days in 2027"."""
    first, *others = years
    this_year = f"{_time(first)} of vacation left in {first.year}"
    return listing((this_year, *(f"{_time(year)} in {year.year}" for year in others)), last="and")


def _time(year: YearLeft) -> str:
    # Hours are named because an hour of vacation costs an hour, and not the whole day.
    days = [counted(year.days, "day")] if year.days or not year.hours else []
    hours = [counted(year.hours, "hour")] if year.hours else []
    return " and ".join([*days, *hours])
