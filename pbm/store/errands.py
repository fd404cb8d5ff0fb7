"""What waits for a reply from an account's address."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from pbm.domain.player import Errand, ErrandKind, PlayerId
from pbm.store.tables import errands

_ADD = insert(errands).returning(errands.c.id)
_GET = select(errands).where(errands.c.id == bindparam("wanted"))
_DONE = update(errands).where(errands.c.id == bindparam("wanted"))


class SqlErrands:
    """`pbm.service.ports.Errands`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, kind: ErrandKind, player: PlayerId, address: str, now: datetime) -> Errand:
        values = {"kind": kind.value, "player_id": player, "address": address, "made_at": now}
        errand = self._connection.execute(_ADD, values).scalar_one()
        return Errand(errand, kind, player, address, now)

    def get(self, errand: int) -> Errand | None:
        row = self._connection.execute(_GET, {"wanted": errand}).first()
        if row is None:
            return None
        return Errand(
            id=row.id,
            kind=ErrandKind(row.kind),
            player=row.player_id,
            address=row.address,
            made_at=row.made_at,
            done_at=row.done_at,
        )

    def done(self, errand: int, now: datetime) -> None:
        self._connection.execute(_DONE, {"wanted": errand, "done_at": now})
