"""Signs of life of the parts of the server, and news for everybody who plays."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import PlayerId, PlayerState
from pbm.service.ports import Announcement, News, Pulse
from pbm.store.dialects import in_each_dialect, replacing
from pbm.store.prepared import Prepared
from pbm.store.repository import Repository
from pbm.store.tables import announcements, matches, pauses, players, pulses, seats

_ALL = select(pulses.c.name, pulses.c.at, pulses.c.good_until, pulses.c.failing).order_by(
    pulses.c.name
)

_READ = Prepared(lambda _: _ALL)

_BEAT = replacing(pulses)

_SET_FAILING = in_each_dialect(
    pulses,
    lambda start: start.on_conflict_do_update(
        index_elements=["name"], set_={"failing": start.excluded.failing}
    ),
)

_NEXT = (
    select(
        announcements.c.id,
        announcements.c.news,
        announcements.c.told_up_to,
        announcements.c.subject,
        announcements.c.text,
        pauses.c.id.label("pause"),
        pauses.c.kind,
        pauses.c.began_at,
        pauses.c.until,
    )
    .outerjoin_from(announcements, pauses)
    .order_by(announcements.c.id)
    .limit(1)
)

_PROGRESS = update(announcements).where(announcements.c.id == bindparam("wanted"))
_SUPERSEDE = delete(announcements).where(announcements.c.pause_id == bindparam("wanted"))
_DONE = delete(announcements).where(announcements.c.id == bindparam("wanted"))

_AUDIENCE = (
    select(players.c.id)
    .where(
        players.c.id > bindparam("after"),
        players.c.state == PlayerState.ACTIVE.value,
        players.c.id.in_(
            select(seats.c.player_id)
            .join_from(seats, matches)
            .where(matches.c.over.is_(False), seats.c.player_id > bindparam("after"))
        ),
    )
    .order_by(players.c.id)
    .limit(bindparam("most"))
)


class SqlPulses(Repository):
    """`pbm.service.ports.Pulses`."""

    def all(self) -> tuple[Pulse, ...]:
        return _pulses(_READ.rows(self._connection))

    def held(self) -> tuple[Pulse, ...]:
        return _pulses(self._connection.execute(_ALL.with_for_update()))

    def beat(self, name: str, at: datetime, good_for: timedelta) -> None:
        row = {"name": name, "at": at, "good_until": at + good_for, "failing": False}
        self._connection.execute(_BEAT[self._connection.dialect.name], row)

    def set_failing(self, name: str, at: datetime, *, failing: bool) -> None:
        row = {"name": name, "at": at, "good_until": at, "failing": failing}
        self._connection.execute(_SET_FAILING[self._connection.dialect.name], row)


class SqlAnnouncements(Repository):
    """`pbm.service.ports.Announcements`."""

    def add(
        self, news: News, pause: int | None, now: datetime, *, subject: str = "", text: str = ""
    ) -> None:
        if pause is not None:
            self._connection.execute(_SUPERSEDE, {"wanted": pause})
        row = {
            "news": news.value, "pause_id": pause, "made_at": now, "told_up_to": 0,
            "subject": subject, "text": text,
        }  # fmt: skip
        self._connection.execute(insert(announcements), row)

    def next(self) -> Announcement | None:
        row = self._connection.execute(_NEXT).first()
        if row is None:
            return None
        pause = None
        if row.pause is not None:
            pause = Pause(PauseKind(row.kind), row.began_at, row.until, None, row.pause)
        return Announcement(row.id, News(row.news), pause, row.told_up_to, row.subject, row.text)

    def progress(self, announcement: int, told_up_to: PlayerId) -> None:
        self._connection.execute(_PROGRESS, {"wanted": announcement, "told_up_to": told_up_to})

    def done(self, announcement: int) -> None:
        self._connection.execute(_DONE, {"wanted": announcement})

    def audience(self, after: PlayerId, limit: int) -> Sequence[PlayerId]:
        return self._connection.scalars(_AUDIENCE, {"after": after, "most": limit}).all()


def _pulses(rows: Iterable[Iterable[Any]]) -> tuple[Pulse, ...]:
    return tuple(Pulse(*row) for row in rows)
