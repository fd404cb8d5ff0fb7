"""How much one player may write to others in an hour, and ask of robots in a day."""

from collections.abc import Iterable
from dataclasses import dataclass

from pbm.domain.errors import NotNow
from pbm.domain.invitations import SEEKS_HEARD, SEEKS_TOLD
from pbm.domain.player import Player, PlayerId
from pbm.service.context import Context, day_of, hour_of


@dataclass(frozen=True, slots=True)
class Bound:
    """What one player may do in an hour: so many in all, so many that reach the same player."""

    name: str
    most: int
    most_to_one: int


INVITATIONS = Bound("invitation", 30, 10)

MESSAGES = Bound("message", 30, 10)

CHATS = Bound("chat", 60, 30)

OFFERS = Bound("offer", 30, 10)

HEARD_AN_HOUR = 30
"""Invitations, and messages, that reach one player from all others together."""

TAKEN = Bound("seek", 10, 3)
"""Seeks of others that one player accepts."""


def count_each(context: Context, bound: Bound, sender: Player, others: Iterable[Player]) -> None:
    """Count one for each of `others`; raise NotNow if that is too much, in all or to one.

    Blocked or not, it counts the same: a bound tells nobody who hears them.
    """
    for other in others:
        count(context, bound, sender)
        count_to_one(context, bound, sender, other)


def count(context: Context, bound: Bound, sender: Player) -> None:
    """Count one more of `sender`; raise NotNow if they had their share of this hour."""
    counted = context.work.tally(f"{bound.name}:{sender.id}", hour_of(context.now))
    if counted > bound.most:
        raise NotNow(f"{bound.most} {bound.name}s an hour are the limit. Wait a little.", "help")


def count_to_one(context: Context, bound: Bound, sender: Player, other: Player) -> None:
    """Count one more that goes to `other`; raise NotNow if they got their share from `sender`."""
    key = f"{bound.name}:{sender.id}>{other.id}"
    if context.work.tally(key, hour_of(context.now)) > bound.most_to_one:
        raise NotNow(
            f"{bound.most_to_one} {bound.name}s an hour to one player are the limit, and "
            f"{other.userid} has had them. Wait a little.",
            "help",
        )


def count_heard(
    context: Context, bound: Bound, readers: Iterable[Player], deaf: frozenset[PlayerId]
) -> None:
    """Count one for each reader; raise NotNow if one has had as many as reach anybody in an hour.

    Accounts cost little, so bounds of the senders alone would let many of them flood a player.
    Robots may be asked by everybody. The `deaf` block the sender, whose mails do not reach them:
    those are not counted, and are refused like any.
    """
    for reader in (reader for reader in readers if not reader.is_robot):
        key, hour = f"{bound.name}>{reader.id}", hour_of(context.now)
        if context.work.tallied(key, hour) >= HEARD_AN_HOUR:
            raise NotNow(
                f"{reader.userid} has had {HEARD_AN_HOUR} {bound.name}s from players in this hour, "
                "and gets no more. Wait a little.",
                "help",
            )
        if reader.id not in deaf:
            context.work.tally(key, hour)


def may_be_told(context: Context, seeker: PlayerId) -> bool:
    """Count one more seek of `seeker` that others get mails of; return False if it is too many."""
    return context.work.tally(f"seeks-told:{seeker}", day_of(context.now)) <= SEEKS_TOLD


def may_hear(context: Context, reader: PlayerId) -> bool:
    """Count one more mail of a seek to `reader`; return False if it is one too many today."""
    return context.work.tally(f"seeks-heard:{reader}", day_of(context.now)) <= SEEKS_HEARD


def count_of_day(context: Context, player: Player, kind: str, plural: str, most: int) -> None:
    """Count one more question of this kind; raise NotNow if the player had `most` of them today."""
    if context.work.tally(f"{kind}:{player.id}", day_of(context.now)) > most:
        raise NotNow(f"{most} {plural} a day are the limit. There are more tomorrow.", "games")
