"""Strangers: whether they may be written to, by their answers, counts and bans."""

import hashlib
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from pbm.core.budget import DAY_FACTOR, counts_at
from pbm.core.context import Context, hour_of
from pbm.domain.addresses import domain_sold, mailbox, patterns_of
from pbm.domain.errors import NotAllowed
from pbm.domain.player import PlayerId, PlayerState, fold_userid
from pbm.store.unit import Count, UnitOfWork, find_tallies


def is_banned(work: UnitOfWork, address: str) -> bool:
    """Return whether mails from `address` are not to be executed or answered."""
    return work.bans.any_of(patterns_of(address))


def may_open_account(work: UnitOfWork, address: str) -> bool:
    """Return whether an account may be opened for `address`.

    It may not if it is banned, or leads to a mailbox of an account that the operator has disabled.
    """
    disabled = work.players.of_mailbox(address, PlayerState.DISABLED)
    return not disabled and not is_banned(work, address)


def check_free(work: UnitOfWork, userid: str, mine: PlayerId = 0) -> None:
    """Raise NotAllowed, without naming the player whose userid is `userid` or looks like it.

    A player may take back a userid of `mine`.
    """
    if (like := work.players.lookalike(userid, mine)) is not None:
        same = fold_userid(userid) == fold_userid(like)
        why = "is taken" if same else "looks like that of another player"
        raise NotAllowed(f"That userid {why}. Choose another.")


log = logging.getLogger("pbm.play")

MAILS_A_DAY = 3
"""Mails to one mailbox in 24 hours while it does not belong to a player."""

WORDS_A_DAY = 2
"""Those that may be anything but a question to confirm, so that one is left for it."""

DOMAIN_AN_HOUR = 60
"""Mails to strangers of one domain in an hour; a day has three hours' worth of all these."""

NETWORK_AN_HOUR = 60
"""Such mails in answer to one network, if it is known; otherwise one host could use up all."""

SERVER_AN_HOUR = 300
"""Mails to strangers in an hour in all."""

FIRST_OF_NETWORK = 3
"""Mails in answer to one network that go out although others have used up the bounds of the hour.
In all they are `SERVER_AN_HOUR` at most."""

_DAY_OF_HOURS = 25
"""Tallies of an hour each that together cover the last 24 hours."""


def may_write(
    context: Context, address: str, most: int = MAILS_A_DAY, *, invited: bool = False
) -> bool:
    """Count one more mail to a stranger; return False, and count nothing, if it may not go out.

    `most` is how many the mailbox may have got in 24 hours, with this one. A mail to somebody who
    is `invited` is no answer: it is counted by its sender, and takes nothing from newcomers.
    """
    work, hour = context.work, hour_of(context.now)
    who = _digest(mailbox(address))
    declined = work.left_alone.find(who)
    if declined and declined.is_silent(context.now):
        context.outcomes.silenced("left-alone")
        return False
    if _lately(context, f"stranger:{who}") >= most:
        context.outcomes.silenced("mailbox-had-enough")
        return False
    counts = () if invited else counts_of(work, address, context.network, hour)
    if not (counts or invited):
        _note_silence(context)
        return False
    for key, window in ((f"stranger:{who}", hour), *counts):
        work.tally(key, window)
    return True


def counts_of(work: UnitOfWork, address: str, network: str, hour: datetime) -> tuple[Count, ...]:
    """Return the tallies of one more mail to a stranger, or none if their bounds are reached."""
    domain = _digest(domain_sold(address))
    place = f"strangers-from:{network or domain}"
    usual = {
        place: NETWORK_AN_HOUR, f"strangers-of:{domain}": DOMAIN_AN_HOUR,
        "strangers": SERVER_AN_HOUR,
    }  # fmt: skip
    bounds: dict[Count, int] = {}
    for key, most in usual.items():
        of_hour, of_day = counts_at(key, hour)
        bounds |= {of_hour: most, of_day: most * DAY_FACTOR}
    first = {(place, hour): FIRST_OF_NETWORK, ("strangers-first", hour): SERVER_AN_HOUR}
    return next((tuple(each) for each in (bounds, first) if _within(work, each)), ())


def is_quiet(work: UnitOfWork, hour: datetime) -> bool:
    """Return whether so few mails to strangers have gone out that no bound can be reached."""
    least = min(DOMAIN_AN_HOUR, NETWORK_AN_HOUR)
    of_hour, of_day = counts_at("strangers", hour)
    found = work.look(find_tallies, (of_hour, of_day))
    return found.get(of_hour, 0) < least and found.get(of_day, 0) < least * DAY_FACTOR


def _within(work: UnitOfWork, bounds: Mapping[Count, int]) -> bool:
    return all(work.tallied(*count) < most for count, most in bounds.items())


def _lately(context: Context, key: str) -> int:
    """Return the count under `key` in the last 24 hours, and a little more."""
    hour = hour_of(context.now)
    hours = (hour - timedelta(hours=back) for back in range(_DAY_OF_HOURS))
    return sum(context.work.tallied(key, window) for window in hours)


def _note_silence(context: Context) -> None:
    """Count a mail that strangers do not get; warn the operator once an hour."""
    context.outcomes.silenced("strangers-had-enough")
    if context.work.tally("strangers-unanswered", hour_of(context.now)) == 1:
        log.warning(
            "strangers get no more answers in this hour: there were %d for a domain, %d for a "
            "network, or %d in all, or %d times as many today", DOMAIN_AN_HOUR, NETWORK_AN_HOUR,
            SERVER_AN_HOUR, DAY_FACTOR,
        )  # fmt: skip


def leave_alone(context: Context, address: str, *, proven: bool) -> None:
    """Write no more to the mailbox of `address`, as its owner wants.

    `proven`: they said so in a reply to a mail that only they got.
    """
    context.work.left_alone.add(_digest(mailbox(address)), context.now, proven=proven)


def asks_again(context: Context) -> None:
    """Let the server write to the author, who has written a signup, if they had said no before.

    Anybody can forge a signup. So it lifts only a no that anybody could have forged as well; after
    a proven no, a signup is answered at times, and lifts nothing.
    """
    left_alone, who = context.work.left_alone, _digest(mailbox(context.author))
    declined = left_alone.find(who)
    if declined is None:
        return
    asking = declined.asking(context.now)
    if asking is None:
        left_alone.remove(who)
    else:
        left_alone.save(who, asking)


def has_said_yes(context: Context, address: str) -> None:
    """Forget that the owner of `address` ever said no: they have opened an account."""
    context.work.left_alone.remove(_digest(mailbox(address)))


def _digest(text: str) -> str:
    """Return the hash that is stored in place of a name."""
    return hashlib.sha256(text.encode()).hexdigest()


def may_introduce(context: Context) -> bool:
    """Count an introduction for the author; return False if they may not get one now."""
    who = f"introduced:{_digest(mailbox(context.author))}"
    if _lately(context, who) or not may_write(context, context.author, WORDS_A_DAY):
        context.outcomes.silenced("introduced-before")
        return False
    context.work.tally(who, hour_of(context.now))
    return True
