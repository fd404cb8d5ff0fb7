"""Mail that no relay takes: the clock of its player is stopped until one does.

Nobody can be warned by such a mail, whatever the relay said to it. If the relay cannot be reached
at all, everybody's clocks are stopped instead (pbm.service.heartbeat).
"""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from pbm.domain.pauses import PauseKind
from pbm.domain.player import Player
from pbm.engine import counted
from pbm.service.context import Context, hour_of
from pbm.service.heartbeat import WORTH_A_WORD
from pbm.service.letters import Message, letter
from pbm.service.matches import waiting
from pbm.service.ports.mail import StoppedClock
from pbm.service.schedule import ScheduledJob, ended_pauses
from pbm.service.tokens import player_token

log = logging.getLogger("pbm.remind")

LATE = timedelta(minutes=10)
"""The age of a mail at which it counts as not taken: a few tries of delivery."""

LOOKED_BACK = timedelta(days=7)
"""The greatest age of such a mail, a little more than delivery tries one."""

AGAIN = timedelta(days=1)
"""The time between two tries of mails that were given up, while their player's clock is stopped."""

BATCH = 100
"""Players in one transaction."""


def _carry_out(context: Context) -> Counter[str]:
    done = Counter({"clocks stopped": _stop_clocks(context)})
    for clock in context.work.undelivered.stopped(context.now - AGAIN):
        done += _look_at(context, clock)
    return +done


def _stop_clocks(context: Context) -> int:
    """Stop the clocks of players whose mail is not taken, and log it; return how many they are.

    Stop none while the relay is down, or has just come back and the mails of that time are on
    their way: such an outage is everybody's.
    """
    work, now = context.work, context.now
    outages = [p.until for p in work.pauses.of(None) if p.kind is PauseKind.OUTAGE and p.until]
    back = max((until for until in outages if until <= now), default=now - LOOKED_BACK)
    if back > now - LATE or any(pulse.failing for pulse in work.pulses.all()):
        return 0
    untaken = work.undelivered.find(now - LOOKED_BACK, now - LATE, BATCH)
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
        yield letter(player, "undelivered/held_up", waiting=boards, reply=player_token(player.id))


HELD_UP = ended_pauses("held up", PauseKind.UNDELIVERED, "mail that was held up", _held_up)
"""Clocks that run again, of players who have been reached."""
