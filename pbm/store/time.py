"""The tables about time: pauses of clocks, heartbeats, announcements, and jobs done in parts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, bindparam, insert, or_, select

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import PlayerId, PlayerState
from pbm.engine import from_json, to_json
from pbm.store.driver.dialects import among, replace_row
from pbm.store.driver.dialects import insert as upsert
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.repository import Repository, columns_of
from pbm.store.tables import announcements, matches, pauses, players, pulses, seats, sequels


class FollowUpKind(StrEnum):
    """The kinds of work that go on after the mail that began it."""

    BOARD = "board"
    BROADCAST = "broadcast"
    LEAVING = "leaving"
    SEEK = "seek"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Work that a mail began: whatever it is about, all up to `done_up_to` is done.

    `player` is who began it, None for the operator and for time; `number` is the board that it is
    about, if any. `facts` are plain values, whose names each kind knows.
    """

    id: int
    kind: FollowUpKind
    player: PlayerId | None
    number: int | None
    facts: Mapping[str, Any]
    done_up_to: int = 0


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


_PAUSES = select(*columns_of(Pause, pauses, player=pauses.c.player_id)).order_by(
    pauses.c.began_at, pauses.c.id
)

_PAUSES_OF = _PAUSES.where(pauses.c.player_id == bindparam("player"))
_OF_EVERYBODY = _PAUSES.where(pauses.c.player_id.is_(None))

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
        if player is None:
            return pauses_in(self._unit.read(_OF_EVERYBODY))
        return pauses_in(self._unit.read(_PAUSES_OF, {"player": player}))

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
        return _pulses(self._connection.execute(_ALL))

    def held(self) -> tuple[Pulse, ...]:
        """Return all of them; nobody else can change one until the unit of work ends."""
        return _pulses(self._connection.execute(_ALL.with_for_update()))

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


def _pulses(rows: Iterable[Iterable[Any]]) -> tuple[Pulse, ...]:
    return tuple(Pulse(*row) for row in rows)


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
