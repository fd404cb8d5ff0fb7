"""Mail that does not arrive: it comes back, or no relay takes it.

Addresses that mails come back from are switched off, and on again. The clocks of a player whose
addresses all fail are stopped, for a limited time (pbm.domain.bounces). They run again when the
player writes; pbm.dispatch.carry_out decides what counts as that. The clock of a player whose mail
no relay takes is stopped until one does, because nobody can be warned by such a mail. If the relay
cannot be reached at all, everybody's clocks are stopped instead (pbm.core.heartbeat).
"""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from pbm.core.context import Context, Services, context_without_mail, day_of, hour_of
from pbm.core.delivery import short_error
from pbm.core.heartbeat import WORTH_A_WORD
from pbm.core.letters import Letter, Message, letter
from pbm.core.open_boards import to_opponents, waiting
from pbm.core.outbox import post
from pbm.core.schedule import ScheduledJob, end_pauses, ended_pauses
from pbm.core.tokens import player_token
from pbm.domain.addresses import fold_address
from pbm.domain.bounces import (
    AGAIN,
    QueuedMail,
    are_ours,
    counts,
    held_until,
    is_dead,
    status_said,
    stopped_for,
)
from pbm.domain.mail import Report, bounce_address
from pbm.domain.observer import Handed
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import Player, PlayerId
from pbm.engine import counted
from pbm.store.time import StoppedClock
from pbm.store.unit import OpenUnit

log = logging.getLogger("pbm.bounces")

UNTAKEN_AFTER = timedelta(minutes=10)
"""The age of a mail at which it counts as not taken: a few tries of delivery."""

QUEUE_SEEN = timedelta(minutes=15)
"""The time after which a mail that was seen in the queue of this host counts as gone."""

LATELY = timedelta(days=1)
"""The span in which most other mails must also have failed for the fault to be the server's."""


def take_report(context: Context, report: Report) -> Iterator[Message]:
    """Count a failure that is reported for one of our mails, once; ignore all other reports."""
    error = f"The mail bounced {report.status}".rstrip()
    mint = context.services.mint
    made = (word for name in report.names for word in mint.return_words(name))
    for word in (report.word,) if report.word else made:
        services = context.services
        sender = bounce_address(word, services.address, at_provider=services.at_provider)
        if returned := context.work.outbox.returned(sender, error, context.now):
            address, made_at = returned
            context.work.add_to_tally("returned", day_of(context.now), 1)
            _hold_clocks(context, address, made_at, context.now + AGAIN)
            yield from note_failure(context, address, report.status, relayed=True)
            return


def _hold_clocks(context: Context, address: str, made_at: datetime, until: datetime) -> None:
    """Stop the clocks of those to whom a mail made at `made_at` has not come, within the bound."""
    pauses = context.work.pauses
    for player in context.work.players.by_address(address):
        if not player.active or player.address is None:
            continue
        known = pauses.of(player.id)
        held = next((pause for pause in known if _is_returned(pause, made_at)), None)
        began = held.began_at if held else made_at
        end = held_until([pause for pause in known if pause is not held], began, until)
        if held and held.until and held.until < end:
            pauses.end(held.id, end)
        elif held is None and began < end:
            held = pauses.add(PauseKind.RETURNED, began, end, player.id)
        if held and end - began < WORTH_A_WORD:
            pauses.told(held.id)


def note_queued(
    open_unit: OpenUnit, services: Services, queue: Sequence[QueuedMail], now: datetime
) -> None:
    """Stop the clocks of players whose mail waits in the `queue` of this host: it is not taken.

    The clocks run again a little after it has gone out.
    """
    local = bounce_address("", services.address).partition("@")[0]
    late: dict[str, datetime] = {}
    for mail in queue:
        if mail.arrived_at <= now - UNTAKEN_AFTER and mail.sender.startswith(local):
            to = mail.recipient.lower()
            late[to] = min(mail.arrived_at, late.get(to, now))
    if not late:
        return
    oldest = min(queue, key=lambda mail: mail.arrived_at)
    with open_unit() as work:
        context = context_without_mail(services, work, now)
        for address, arrived_at in late.items():
            _hold_clocks(context, address, arrived_at, now + QUEUE_SEEN)
        if work.tally("queued", hour_of(now)) == 1:
            log.warning(
                "%s in the queue of this host's Postfix, the oldest since %s: %s",
                counted(len(queue), "mail"), f"{oldest.arrived_at:%Y-%m-%d %H:%M} UTC",
                short_error(oldest.reason) or "it was not tried",
            )  # fmt: skip
        work.commit()


def _is_returned(pause: Pause, moment: datetime) -> bool:
    return pause.kind is PauseKind.RETURNED and pause.covers(moment)


def note_undelivered(
    open_unit: OpenUnit, services: Services, undelivered: Sequence[Handed], now: datetime
) -> None:
    """Count the mails that the relay refused, or that were tried for days in vain."""
    with open_unit() as work:
        context = context_without_mail(services, work, now)
        for each in undelivered:
            status = status_said(each.words)
            post(context, note_failure(context, each.recipient, status, relayed=False))
        work.commit()


def note_failure(
    context: Context, address: str, status: str, *, relayed: bool
) -> Iterator[Message]:
    """Count that a mail to `address` failed for good, and switch the address off if it is dead.

    An address counts once a day. A failure that says nothing about the address may not count.
    `relayed`: our relay had taken the mail.
    """
    if not counts(status, context.now):
        return
    failed, tried, taken = context.work.undelivered.fates(context.now - LATELY)
    if are_ours(failed, tried, taken=taken or relayed):
        # Write to the operator, once a day, that the addresses are probably not at fault.
        if context.today("most-mails-fail") == 1:
            log.warning("mails to %d of %d addresses have failed: is it the relay?", failed, tried)
            yield from context.to_operator("bounces/most_mails_fail", failed=failed, tried=tried)
        return
    if context.today(f"returned:{fold_address(address)}") > 1:
        return
    for player, days in context.work.players.count_failure(address).items():
        if is_dead(days, status):
            yield from _switch_off(context, player, address, status)


def _switch_off(context: Context, number: PlayerId, address: str, status: str) -> Iterator[Message]:
    context.work.players.switch_off(number, address, context.now)
    player = context.person(number)
    if not player.active:
        return
    if player.address is None:
        yield from _stop_clocks(context, player, status)
        return
    pauses = context.work.pauses.of(number)
    end_pauses(context, number, [pause for pause in pauses if _is_returned(pause, context.now)])
    yield letter(player, "bounces/address_failed", failed=address)


def _stop_clocks(context: Context, player: Player, status: str) -> Iterator[Message]:
    """Stop the clocks of `player`, who has no working address left, and write about it."""
    work, now = context.work, context.now
    pauses = work.pauses.of(player.id)
    # Nothing is sent any more that could end a pause which lasts until a mail is taken.
    held = [p for p in pauses if p.kind is PauseKind.UNDELIVERED and p.until is None]
    held += [pause for pause in pauses if _is_returned(pause, now)]
    end_pauses(context, player.id, held)
    for pause in pauses:
        if pause.kind is PauseKind.RETURNED:
            work.pauses.told(pause.id)  # the mail about the end of the next pause is enough
    time = stopped_for(pauses, now)
    until = now + time if time else None
    if until:
        work.pauses.add(PauseKind.UNREACHABLE, now, until, player.id)
    log.warning("no address of %s can be reached any more", player.userid)
    yield from context.to_operator(
        "bounces/player_unreachable", userid=player.userid, failed=player.off, status=status,
        until=until,
    )  # fmt: skip
    yield from to_opponents(context, player, "bounces/opponent_unreachable", until=until)


def returned(context: Context, player: Player) -> tuple[Player, list[Message]]:
    """Return the proven sender as they are now, and the mails about their return.

    Something changes only if mails to the address have failed, or if the player has no address
    that works.
    """
    if context.author not in player.troubles and player.address is not None:
        return player, []
    messages = list(heard_from(context, player))
    return context.person(player.id), messages


def heard_from(context: Context, player: Player) -> Iterator[Message]:
    """Switch on the address that `player` has proven to have written from.

    If that address is not of the account, and all of the account's are off, the first of these is
    switched on. Otherwise no answer could reach the player.
    """
    works = context.author if context.author in player.addresses else None
    if works is None and player.address is None:
        works = next(iter(player.addresses), None)
    if works is None:
        return
    sharers = (each.id for each in context.work.players.by_address(works))
    for sharer in dict.fromkeys((player.id, *sharers)):
        context.work.players.switch_on(sharer, works)
        yield from run_again(context, sharer)


def run_again(context: Context, number: PlayerId) -> Iterator[Message]:
    """Start a player's clocks if they were stopped because the player was unreachable."""
    player = context.person(number)
    current = (pause for pause in context.work.pauses.of(number) if pause.covers(context.now))
    pauses = [pause for pause in current if pause.kind is PauseKind.UNREACHABLE]
    if not pauses:
        return
    end_pauses(context, number, pauses)
    yield letter(
        player, "bounces/reachable_again", waiting=waiting(context, player),
        reply=player_token(number),
    )  # fmt: skip
    yield from to_opponents(context, player, "bounces/opponent_reachable")


def _try_again(context: Context, player: Player, address: str, *, asked: bool) -> Letter:
    """Return a mail to an address that is off, in case somebody reads it after all.

    `asked`: a mail came from there that proved nothing. Otherwise the clocks run again.
    """
    return letter(
        address, "bounces/tried_again", player=player, asked=asked,
        waiting=waiting(context, player), reply=player_token(player.id),
    )  # fmt: skip


def _last_try(context: Context, player: Player) -> Iterator[Message]:
    """Write once more to a player who still cannot be reached, and whose clocks run again."""
    if player.addresses and player.address is None:
        yield _try_again(context, player, player.home, asked=False)


UNREACHABLE = ended_pauses("unreachable", PauseKind.UNREACHABLE, "last try to reach", _last_try)
"""Clocks that run again although their player is still unreachable."""


def answer_unreachable(context: Context) -> Iterator[Message]:
    """Ask an unproven sender whether they read the address that they wrote from and that is off.

    No other answer goes there, and this one at most once a day: anybody can forge such a mail.
    """
    if all(context.author not in player.off for player in context.known):
        return
    # The address of a player who gave their password in that mail is on again by now.
    for player in context.work.players.by_address(context.author):
        key = f"tried:{player.id}"
        if player.address is None and context.today(key) == 1:
            yield _try_again(context, player, context.author, asked=True)


LOOKED_BACK = timedelta(days=7)
"""The greatest age of such a mail, a little more than delivery tries one."""

BATCH = 100
"""Players in one transaction."""


def _log_returns(context: Context) -> None:
    """Log how many mails came back within a day, once in each hour in which others did."""
    work, today = context.work, day_of(context.now)
    for day in (today - LATELY, today):
        back, logged = work.tallied("returned", day), work.tallied("returned-logged", day)
        if back > logged and work.tally("returns-logged", hour_of(context.now)) == 1:
            work.add_to_tally("returned-logged", day, back - logged)
            found = work.undelivered.returns(context.now - LATELY)
            level = logging.WARNING if any(each.are_most for each in found) else logging.INFO
            log.log(level, "mails that came back within a day: %s", "; ".join(map(str, found)))


def _carry_out(context: Context) -> Counter[str]:
    _log_returns(context)
    done = Counter({"clocks stopped": _stop_untaken(context)})
    for clock in context.work.undelivered.stopped(context.now - AGAIN):
        done += _look_at(context, clock)
    return +done


def _stop_untaken(context: Context) -> int:
    """Stop the clocks of players whose mail is not taken, and log it; return how many they are.

    Stop none while the relay is down, or has just come back and the mails of that time are on
    their way: such an outage is everybody's.
    """
    work, now = context.work, context.now
    outages = [p.until for p in work.pauses.of(None) if p.kind is PauseKind.OUTAGE and p.until]
    back = max((until for until in outages if until <= now), default=now - LOOKED_BACK)
    if back > now - UNTAKEN_AFTER or any(pulse.failing for pulse in work.pulses.all()):
        return 0
    untaken = work.undelivered.find(now - LOOKED_BACK, now - UNTAKEN_AFTER, BATCH)
    for player, made_at, _ in untaken:
        work.pauses.add(PauseKind.UNDELIVERED, max(made_at, back), None, player)
    if untaken and work.tally("undelivered", hour_of(now)) == 1:
        log.warning(
            "mail to %s is not taken by the relay, so their clocks are stopped; see pbm outbox "
            "list: %s", counted(len(untaken), "player"), untaken[0][2] or "it was not tried",
        )  # fmt: skip
    return len(untaken)


def _look_at(context: Context, clock: StoppedClock) -> Counter[str]:
    """Let a clock run again once mail is taken; until then, try again what was given up."""
    work, now = context.work, context.now
    reached = clock.taken if clock.taken and clock.taken >= clock.began_at else None
    if clock.waits and not (reached and clock.waits > reached):
        return Counter()
    lost = clock.lost is not None and clock.lost >= clock.began_at
    done = Counter[str]()
    if lost and (reached or (clock.tried and clock.tried <= now - AGAIN)):
        done["mails tried again"] = work.undelivered.try_again(clock.player, clock.began_at, now)
    if reached or not lost:
        until = reached or now
        work.pauses.end(clock.pause, until)
        if until - clock.began_at < WORTH_A_WORD and not lost:
            work.pauses.told(clock.pause)
        work.matches.look_soon(clock.player, now)
        done["clocks started"] = 1
    return done


UNDELIVERED = ScheduledJob("undelivered", lambda _: iter(()), _carry_out)
"""Clocks that are stopped while mail to their players is not taken."""


def _held_up(context: Context, player: Player) -> Iterator[Message]:
    """Tell a player whose clocks ran on the deadlines that count; earlier mails had others."""
    boards = waiting(context, player)
    if boards.boards:
        yield letter(player, "bounces/held_up", waiting=boards, reply=player_token(player.id))


HELD_UP = ended_pauses("held up", PauseKind.UNDELIVERED, "mail that was held up", _held_up)
"""Clocks that run again, of players who have been reached."""

RETURNED = ended_pauses("returned", PauseKind.RETURNED, "mail that came back", _held_up)
"""Clocks that run again after a mail that did not arrive: the next one is tried, with deadlines."""
