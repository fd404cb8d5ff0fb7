"""Limits of what one player may send to others in an hour, and ask of robots in a day."""

from collections.abc import Iterable

from pbm.core.budget import DAY_FACTOR, counts_at
from pbm.core.context import Context, hour_of
from pbm.domain.errors import NotNow
from pbm.domain.player import Player, PlayerId
from pbm.engine import frozen


@frozen
class Limit:
    """The most times that a player may do something in an hour, in all and to the same player.

    A day allows `DAY_FACTOR` times as much.
    """

    name: str
    most: int
    most_to_one: int


RECEIVED_AN_HOUR = 30
"""The most invitations, and the most messages, that one player gets from all others together."""


def count_each(context: Context, limit: Limit, sender: Player, others: Iterable[Player]) -> None:
    """Count one for each of `others`; raise NotNow if that is too much, in all or to one player.

    Those who block the sender are counted as well, so that a limit does not reveal them.
    """
    for other in others:
        count(context, limit, sender)
        count_to_one(context, limit, sender, other)


def count(context: Context, limit: Limit, sender: Player) -> None:
    """Count one more of `sender`; raise NotNow if that is over the limit of this hour or day."""
    if beyond := _beyond(context, f"{limit.name}:{sender.id}", limit.most):
        raise NotNow(f"{beyond[0]} {limit.name}s {beyond[1]} are the limit. Wait a little.", "help")


def count_of_all(context: Context, what: str, most: int) -> None:
    """Count one more for all players together; raise NotNow if that is over the limit."""
    if beyond := _beyond(context, f"all:{what}", most):
        raise NotNow(f"{beyond[0]} {what} {beyond[1]} are the limit here. Wait a little.", "help")


def count_to_one(context: Context, limit: Limit, sender: Player, other: Player) -> None:
    """Count one more from `sender` to `other`; raise NotNow if that is over the limit."""
    key = f"{limit.name}:{sender.id}>{other.id}"
    if beyond := _beyond(context, key, limit.most_to_one):
        raise NotNow(
            f"{beyond[0]} {limit.name}s {beyond[1]} to one player are the limit, and "
            f"{other.userid} has had them. Wait a little.",
            "help",
        )


def count_received(
    context: Context, limit: Limit, readers: Iterable[Player], deaf: frozenset[PlayerId]
) -> None:
    """Count one for each reader; raise NotNow if one has had as many as anybody gets.

    Accounts cost little, so limits of the senders alone would let many of them flood a player.
    Robots may be asked by everybody. The `deaf` block the sender, so they get nothing: that is
    not counted, but refused in the same way.
    """
    for reader in (reader for reader in readers if not reader.is_robot):
        key, more = f"{limit.name}>{reader.id}", reader.id not in deaf
        if beyond := _beyond(context, key, RECEIVED_AN_HOUR, more=more):
            when = "in this hour" if beyond[1] == "an hour" else "today"
            raise NotNow(
                f"{reader.userid} has had {beyond[0]} {limit.name}s from players {when}, and gets "
                "no more. Wait a little.",
                "help",
            )


def _beyond(context: Context, key: str, most: int, *, more: bool = True) -> tuple[int, str] | None:
    """Count one `more` under `key`, or return the bound that it is beyond, and of which time."""
    work, now = context.work, context.now
    of_hour, of_day = counts_at(key, hour_of(now))
    for count, bound, time in (of_hour, most, "an hour"), (of_day, most * DAY_FACTOR, "a day"):
        if work.tallied(*count) >= bound:
            return bound, time
    for name, window in (of_hour, of_day) if more else ():
        work.add_to_tally(name, window, 1)
    return None


def count_of_day(context: Context, player: Player, kind: str, plural: str, most: int) -> None:
    """Count one more question of this kind; raise NotNow if the player had `most` of them today."""
    if context.today(f"{kind}:{player.id}") > most:
        raise NotNow(f"{most} {plural} a day are the limit. There are more tomorrow.", "games")
