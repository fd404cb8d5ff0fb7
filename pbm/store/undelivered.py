"""Mails to players that no relay has taken, and what has become of mail to a player since then."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import and_, bindparam, case, exists, func, literal, or_, select

from pbm.domain.bounces import Returns
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerId, PlayerState
from pbm.store.driver.dialects import UtcTime
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.outbox import DEAD, SENT, WAITING
from pbm.store.repository import Repository
from pbm.store.tables import addresses, outbox, pauses, players


@dataclass(frozen=True, slots=True)
class StoppedClock:
    """A pause without an end because mail is not taken, and the mails to its player.

    The newest one that was `taken`, and the oldest one that `waits`. Of those that were given up:
    when the newest `lost` one was made, and when one was last `tried`.
    """

    pause: int
    player: PlayerId
    began_at: datetime
    taken: datetime | None
    waits: datetime | None
    lost: datetime | None
    tried: datetime | None


_UNTAKEN = outbox.c.state.in_((WAITING, DEAD))

_OURS = pauses.c.kind == PauseKind.UNDELIVERED.value

_FAR = literal(datetime.max.replace(tzinfo=UTC), UtcTime)

# Joined: SQLite would look through all pauses for each mail.
_NOTED = (
    select(pauses.c.player_id, func.max(func.coalesce(pauses.c.until, _FAR)).label("until"))
    .where(_OURS)
    .group_by(pauses.c.player_id)
    .subquery()
)

_OLDEST = func.min(outbox.c.created_at), func.max(outbox.c.error)

_FIND = (
    select(players.c.id, *_OLDEST)
    .select_from(outbox)
    .join(addresses, addresses.c.address == outbox.c.recipient)
    .join(players)
    .outerjoin(_NOTED, _NOTED.c.player_id == players.c.id)
    .where(
        _UNTAKEN,
        outbox.c.created_at.between(bindparam("after"), bindparam("before")),
        addresses.c.off_at.is_(None),
        players.c.state == PlayerState.ACTIVE.value,
        or_(_NOTED.c.until.is_(None), _NOTED.c.until < outbox.c.created_at),
    )
    .group_by(players.c.id)
    .order_by(players.c.id)
    .limit(bindparam("most"))
)

_TAKEN = and_(outbox.c.state == SENT, outbox.c.error == "")  # and it has not come back

_WAITS, _LOST = outbox.c.state == WAITING, outbox.c.state == DEAD

# A mail that is sent keeps the end of its last lease, which is a little later, so the index on
# what is due finds the recent ones.
_FATES = (
    select(
        outbox.c.recipient,
        func.max(case((_TAKEN, outbox.c.sent_at))).label("taken"),
        func.min(case((_WAITS, outbox.c.created_at))).label("waits"),
        func.max(case((_LOST, outbox.c.created_at))).label("lost"),
        func.max(case((_LOST, outbox.c.next_try_at))).label("tried"),
    )
    .where(or_(_UNTAKEN, and_(_TAKEN, outbox.c.next_try_at > bindparam("since"))))
    .group_by(outbox.c.recipient)
    .subquery()
)

_PAUSE = pauses.c.id, pauses.c.player_id, pauses.c.began_at

_BECAME = func.max(_FATES.c.taken), func.min(_FATES.c.waits), func.max(_FATES.c.lost)

_STOPPED = (
    select(*_PAUSE, *_BECAME, func.max(_FATES.c.tried))
    .select_from(pauses)
    .join(addresses, addresses.c.player_id == pauses.c.player_id)
    .outerjoin(_FATES, _FATES.c.recipient == addresses.c.address)
    .where(_OURS, pauses.c.until.is_(None))
    .group_by(*_PAUSE)
    .order_by(pauses.c.id)
)


_RETURNED = and_(outbox.c.state == SENT, outbox.c.error != "")

# A mail that is sent keeps the end of its last lease, a little later, for which there is an index.
_RETURNS = (
    select(
        outbox.c.recipient,
        func.count(),
        func.sum(case((_RETURNED, 1), else_=0)),
        func.max(case((_RETURNED, outbox.c.error), else_="")),
    )
    .where(outbox.c.state == SENT, outbox.c.next_try_at > bindparam("since"))
    .group_by(outbox.c.recipient)
)


class UndeliveredMail(Repository):
    """Players to whom mail is on its way that no relay takes."""

    def returns(self, since: datetime) -> tuple[Returns, ...]:
        """Return how many mails sent since then came back, by provider, most first."""
        found: dict[str, tuple[int, int, str]] = {}
        for recipient, sent, back, error in self._connection.execute(_RETURNS, {"since": since}):
            provider = recipient.rpartition("@")[2].lower()
            before = found.get(provider, (0, 0, ""))
            found[provider] = before[0] + back, before[1] + sent, max(before[2], error)
        returned = [Returns(name, *counts) for name, counts in found.items() if counts[0]]
        return tuple(sorted(returned, key=lambda each: (-each.returned, each.provider)))

    def find(
        self, after: datetime, before: datetime, most: int
    ) -> Sequence[tuple[PlayerId, datetime, str]]:
        """Return active players whose clocks run though a mail made in that time is not taken.

        With each, when the oldest such mail was made, and what the relay said.
        """
        found = self._connection.execute(_FIND, {"after": after, "before": before, "most": most})
        return [(player, made_at, error) for player, made_at, error in found]

    def stopped(self, since: datetime) -> Sequence[StoppedClock]:
        """Return those whose clocks are stopped, with the mails taken after `since`."""
        return [StoppedClock(*row) for row in self._connection.execute(_STOPPED, {"since": since})]

    def try_again(self, player: PlayerId, made_after: datetime, now: datetime) -> int:
        """Make the mails to `player` due that were given up; return how many."""
        theirs = select(addresses.c.address).where(addresses.c.player_id == player)
        lost = _LOST, outbox.c.created_at >= made_after, outbox.c.recipient.in_(theirs)
        makes_work(self._connection, Wakes.DELIVER)
        return self._update(outbox, *lost, state=WAITING, next_try_at=now)

    def fates(self, since: datetime) -> tuple[int, int, bool]:
        """Return at how many players' addresses mails failed since then, and how many were tried.

        Strangers' addresses do not count: anybody can make the server write to a dead one. The
        third is whether the relay has taken any mail.
        """
        # A mail that is sent or given up keeps the end of its last lease, which is a little later,
        # so the index on what is due finds the recent ones.
        failed = or_(outbox.c.state == DEAD, outbox.c.error != "")
        tried = (
            select(func.max(case((failed, 1), else_=0)).label("failed"))
            .where(
                outbox.c.state.in_((SENT, DEAD)),
                outbox.c.next_try_at > since,
                outbox.c.recipient.in_(select(addresses.c.address)),
            )
            .group_by(outbox.c.recipient)
            .subquery()
        )
        taken = exists().where(outbox.c.state == SENT, outbox.c.next_try_at > since)
        counts = func.coalesce(func.sum(tried.c.failed), 0), func.count(tried.c.failed)
        row = self._connection.execute(select(*counts, taken)).one()
        return int(row[0]), int(row[1]), bool(row[2])
