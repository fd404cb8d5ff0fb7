"""The tables about time: pauses of clocks, heartbeats, announcements, and jobs done in parts.

The clocks of a player stand as well while no relay takes the mail to them. A mail that is sent or
given up keeps the end of its last lease, which is a little later, so the index on what is due finds
the recent ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, and_, bindparam, case, exists, func, insert, literal, or_, select

from pbm.domain.bounces import Returns
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import PlayerId, PlayerState
from pbm.engine import from_json, frozen, to_json
from pbm.store.driver.dialects import UtcTime, among, replace_row
from pbm.store.driver.dialects import insert as upsert
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.outbox import DEAD, SENT, WAITING
from pbm.store.repository import Repository, columns_of
from pbm.store.tables import (
    addresses,
    announcements,
    matches,
    outbox,
    pauses,
    players,
    pulses,
    seats,
    sequels,
)


class FollowUpKind(StrEnum):
    """The kinds of work that go on after the mail that began it."""

    BOARD = "board"
    BROADCAST = "broadcast"
    LEAVING = "leaving"
    SEEK = "seek"
    LEAGUE = "league"


@frozen
class FollowUp:
    """Work that a mail began: whatever it is about, all up to `done_up_to` is done.

    `player` is who began it, None for the operator and for time; `number` is the board, or the
    season, that it is about, if any. `facts` are plain values, whose names each kind knows.
    """

    id: int
    kind: FollowUpKind
    player: PlayerId | None
    number: int | None
    facts: Mapping[str, Any]
    done_up_to: int = 0


@frozen
class Pulse:
    """A sign of life: the next one comes by `good_until`, or there is an outage.

    `failing`: no sign is given, because the part does not work just now.
    """

    name: str
    at: datetime
    good_until: datetime
    failing: bool = False


class News(StrEnum):
    """The news for all players: a text of the operator, or that all clocks stop or run again."""

    WRITTEN = "written"
    OUTAGE = "outage"
    STOPPED = "stopped"  # the operator has stopped all clocks
    RESUMED = "resumed"
    CORRECTED = "corrected"  # the clock of the server was wrong, and so were deadlines


@frozen
class Announcement:
    """News on its way to all players; those up to `told_up_to` have been told.

    What is WRITTEN has a `subject` and a `text`, all else a `pause`.
    """

    id: int
    news: News
    pause: Pause | None
    told_up_to: PlayerId
    subject: str = ""
    text: str = ""


@frozen
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


_PAUSES = select(*columns_of(Pause, pauses, player=pauses.c.player_id)).order_by(
    pauses.c.began_at, pauses.c.id
)

DURING = _PAUSES.where(
    or_(among(pauses.c.player_id, "players"), pauses.c.player_id.is_(None)),
    or_(pauses.c.until.is_(None), pauses.c.until > bindparam("since")),
)
"""The pauses of `players` and of everybody that were not over by `since`."""


class Pauses(Repository):
    """The spans in which clocks stand, of a player or of everybody."""

    def add(
        self,
        kind: PauseKind,
        began_at: datetime,
        until: datetime | None,
        player: PlayerId | None = None,
    ) -> Pause:
        added = insert(pauses).values(
            kind=kind.value, began_at=began_at, until=until, player_id=player, told=False
        )
        found = self._connection.execute(added.returning(pauses.c.id)).scalar_one()
        return Pause(kind, began_at, until, player, found)

    def end(self, pause: int, until: datetime) -> None:
        """Give a pause another end, which must be told again.

        A caller that makes the end earlier, or known, also calls `Matches.look_soon`.
        """
        self._update(pauses, pauses.c.id == pause, until=until, told=False)

    def of(self, player: PlayerId | None) -> tuple[Pause, ...]:
        """Return the pauses of a player, or those of everybody, in the order of their beginning."""
        return pauses_in(self._unit.read(_PAUSES.where(pauses.c.player_id == player)))

    def ended(self, kind: PauseKind, now: datetime) -> tuple[Pause, ...]:
        """Return the pauses whose end has come by `now` and is untold, the earliest first."""
        untold = pauses.c.kind == kind.value, pauses.c.told.is_(False), pauses.c.until <= now
        ended = _PAUSES.where(*untold).order_by(None).order_by(pauses.c.until, pauses.c.id)
        return pauses_in(self._connection.execute(ended))

    def told(self, pause: int) -> None:
        """Remember that the end has been told."""
        self._update(pauses, pauses.c.id == pause, told=True)


def of_match(
    there: Iterable[Pause], players: Iterable[PlayerId], since: datetime
) -> tuple[Pause, ...]:
    """Return the pauses that stop these players or everybody and were not over by `since`."""
    concerned = {None, *players}
    return tuple(
        pause
        for pause in there
        if pause.player in concerned and (pause.until is None or pause.until > since)
    )


def pauses_in(rows: Iterable[Sequence[Any]]) -> tuple[Pause, ...]:
    """Return the pauses of rows."""
    return tuple(Pause(PauseKind(kind), *rest) for kind, *rest in rows)


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
        to, failed = outbox.c.recipient, or_(outbox.c.state == DEAD, outbox.c.error != "")
        recent = outbox.c.next_try_at > since
        taken = exists().where(outbox.c.state == SENT, recent).correlate(None)
        counts = func.count(case((failed, to)).distinct()), func.count(to.distinct())
        tried = outbox.c.state.in_((SENT, DEAD)), recent, to.in_(select(addresses.c.address))
        row = self._connection.execute(select(*counts, taken).where(*tried)).one()
        return row[0], row[1], bool(row[2])


_ALL = select(*columns_of(Pulse, pulses)).order_by(pulses.c.name)

_NEXT = (
    select(
        *columns_of(Announcement, announcements, pause=announcements.c.pause_id),
        *columns_of(Pause, pauses, player=pauses.c.player_id),
    )
    .outerjoin_from(announcements, pauses)
    .order_by(announcements.c.id)
    .limit(1)
)


class Pulses(Repository):
    """Signs of life of the parts of the server, by name."""

    def all(self) -> tuple[Pulse, ...]:
        return tuple(Pulse(*row) for row in self._connection.execute(_ALL))

    def held(self) -> tuple[Pulse, ...]:
        """Return all of them; nobody else can change one until the unit of work ends."""
        rows = self._connection.execute(_ALL.with_for_update())
        return tuple(Pulse(*row) for row in rows)

    def beat(self, name: str, at: datetime, good_for: timedelta) -> None:
        """Store a sign of life, in place of an earlier one."""
        row = {"name": name, "at": at, "good_until": at + good_for, "failing": False}
        replace_row(self._connection, pulses, row)

    def forget(self, name: str) -> None:
        """Remove the sign of a part that is no longer used."""
        self._delete(pulses, pulses.c.name == name)

    def set_failing(self, name: str, at: datetime, *, failing: bool) -> None:
        """Store whether a part is failing; one that was never seen is stored as of `at`."""
        seen = upsert(self._connection, pulses).values(
            name=name, at=at, good_until=at, failing=failing
        )
        self._connection.execute(
            seen.on_conflict_do_update(index_elements=["name"], set_={"failing": failing})
        )


class Announcements(Repository):
    """News for everybody, told in parts, in the order in which they were made."""

    def add(
        self, news: News, pause: int | None, now: datetime, *, subject: str = "", text: str = ""
    ) -> None:
        """Announce `news`; of a pause, in place of news of it that is still on its way."""
        if pause is not None:
            self._delete(announcements, announcements.c.pause_id == pause)
        row = {
            "news": news.value, "pause_id": pause, "made_at": now, "told_up_to": 0,
            "subject": subject, "text": text,
        }  # fmt: skip
        self._connection.execute(insert(announcements), row)

    def next(self) -> Announcement | None:
        """Return the oldest one that has not been told to everybody."""
        row = self._connection.execute(_NEXT).first()
        if row is None:
            return None
        number, news, has_pause, told_up_to, subject, text, *pause = row
        about = pauses_in([pause])[0] if has_pause else None
        return Announcement(number, News(news), about, told_up_to, subject, text)

    def progress(self, announcement: int, told_up_to: PlayerId) -> None:
        self._update(announcements, announcements.c.id == announcement, told_up_to=told_up_to)

    def done(self, announcement: int) -> None:
        self._delete(announcements, announcements.c.id == announcement)

    def audience(self, after: PlayerId, limit: int) -> Sequence[PlayerId]:
        """Return active players with open boards whose id is above `after`, in order."""
        playing = (
            select(seats.c.player_id)
            .join_from(seats, matches)
            .where(matches.c.over.is_(False), seats.c.player_id > after)
        )
        active = players.c.state == PlayerState.ACTIVE.value
        found = select(players.c.id).where(players.c.id > after, active, players.c.id.in_(playing))
        return self._connection.scalars(found.order_by(players.c.id).limit(limit)).all()


_ANY = select(sequels.c.id).limit(1)

_FOLLOW_UPS = select(*columns_of(FollowUp, sequels, player=sequels.c.player_id))


class FollowUps(Repository):
    """The follow-up jobs, the oldest first."""

    def add(
        self,
        kind: FollowUpKind,
        player: PlayerId | None,
        now: datetime,
        *,
        number: int | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        row = {
            "kind": kind.value, "player_id": player, "number": number,
            "facts": to_json(facts or {}), "made_at": now, "done_up_to": 0,
        }  # fmt: skip
        self._connection.execute(insert(sequels), row)
        makes_work(self._connection, Wakes.PLAY)

    def wait(self) -> bool:
        """Return whether there is one, without claiming it."""
        return self._connection.scalar(_ANY) is not None

    def not_begun(self, kind: FollowUpKind, number: int) -> FollowUp | None:
        """Return the newest one of this kind and board if nothing of it is done, and none does it.

        It is ours until the transaction ends.
        """
        same = sequels.c.kind == kind.value, sequels.c.number == number
        newest = self._first(_FOLLOW_UPS.where(*same).order_by(sequels.c.id.desc()))
        return None if newest is None or newest.done_up_to else newest

    def change(self, follow_up: int, facts: Mapping[str, Any]) -> None:
        self._update(sequels, sequels.c.id == follow_up, facts=to_json(facts))

    def claim(self) -> FollowUp | None:
        """Return the oldest one that no other worker has; it is ours until the transaction ends."""
        return self._first(_FOLLOW_UPS.order_by(sequels.c.id))

    def progress(self, follow_up: int, done_up_to: int) -> None:
        self._update(sequels, sequels.c.id == follow_up, done_up_to=done_up_to)

    def done(self, follow_up: int) -> None:
        self._delete(sequels, sequels.c.id == follow_up)

    def _first(self, query: Select[Any]) -> FollowUp | None:
        # SQLite ignores the lock: it has one writer at a time.
        found = query.limit(1).with_for_update(skip_locked=True)
        row = self._connection.execute(found).first()
        if row is None:
            return None
        number, kind, player, board, facts, done_up_to = row
        return FollowUp(number, FollowUpKind(kind), player, board, from_json(facts), done_up_to)
