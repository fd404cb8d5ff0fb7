"""The spans in which clocks stand."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, insert, or_, select, update

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import PlayerId
from pbm.store.prepared import Prepared, among
from pbm.store.repository import Repository
from pbm.store.tables import pauses

_ALL = select(
    pauses.c.kind, pauses.c.began_at, pauses.c.until, pauses.c.player_id, pauses.c.id
).order_by(pauses.c.began_at, pauses.c.id)

_OF = Prepared(lambda _: _ALL.where(pauses.c.player_id == bindparam("player")), "player")
_OF_EVERYBODY = Prepared(lambda _: _ALL.where(pauses.c.player_id.is_(None)))

_DURING = Prepared(
    lambda dialect: _ALL.where(
        or_(among(dialect, pauses.c.player_id, "players"), pauses.c.player_id.is_(None)),
        or_(pauses.c.until.is_(None), pauses.c.until > bindparam("since")),
    ),
    "players",
    "since",
)

_ENDED = (
    _ALL.where(
        pauses.c.kind == bindparam("wanted"),
        pauses.c.told.is_(False),
        pauses.c.until <= bindparam("now"),
    )
    .order_by(None)
    .order_by(pauses.c.until, pauses.c.id)
)

_ADD = insert(pauses).returning(pauses.c.id)
_CHANGE = update(pauses).where(pauses.c.id == bindparam("wanted"))


class SqlPauses(Repository):
    """`pbm.service.ports.Pauses`."""

    def add(
        self,
        kind: PauseKind,
        began_at: datetime,
        until: datetime | None,
        player: PlayerId | None = None,
    ) -> Pause:
        values = {
            "kind": kind.value,
            "began_at": began_at,
            "until": until,
            "player_id": player,
            "told": False,
        }
        found = self._connection.execute(_ADD, values).scalar_one()
        return Pause(kind, began_at, until, player, found)

    def end(self, pause: int, until: datetime) -> None:
        self._connection.execute(_CHANGE, {"wanted": pause, "until": until, "told": False})

    def of(self, player: PlayerId | None) -> tuple[Pause, ...]:
        connection = self._reader
        if player is None:
            return _pauses(_OF_EVERYBODY.rows(connection))
        return _pauses(_OF.rows(connection, player))

    def ended(self, kind: PauseKind, now: datetime) -> tuple[Pause, ...]:
        return _pauses(self._connection.execute(_ENDED, {"wanted": kind.value, "now": now}))

    def told(self, pause: int) -> None:
        self._connection.execute(_CHANGE, {"wanted": pause, "told": True})


def find_pauses(
    connection: Connection, players: Iterable[PlayerId], since: datetime
) -> Callable[[], tuple[Pause, ...]]:
    """Ask for the pauses of `players` and of everybody that were not over by `since`."""
    asked = _DURING.ask(connection, players, since)
    return lambda: _pauses(asked.rows)


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


def _pauses(rows: Iterable[Sequence[Any]]) -> tuple[Pause, ...]:
    return tuple(
        Pause(PauseKind(kind), began_at, until, player, number)
        for kind, began_at, until, player, number in rows
    )
