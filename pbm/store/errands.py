"""What waits for a reply from an account's address."""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from pbm.domain.confirmations import Errand, ErrandKind
from pbm.domain.player import PlayerId
from pbm.store.dialects import AnyRow
from pbm.store.repository import Repository
from pbm.store.tables import errands

_MOST = 100

_ADD = insert(errands).returning(errands.c.id)
_GET = select(errands).where(errands.c.id == bindparam("wanted"))
_OF = (
    select(errands)
    .where(errands.c.player_id == bindparam("player"))
    .order_by(errands.c.id.desc())
    .limit(_MOST)
)
_LATEST = (
    select(errands)
    .where(errands.c.address == bindparam("wanted"))
    .order_by(errands.c.id.desc())
    .limit(1)
)
_DONE = update(errands).where(errands.c.id == bindparam("wanted"))
_FORGET = delete(errands).where(errands.c.player_id == bindparam("player"))


class SqlErrands(Repository):
    """`pbm.service.ports.Errands`."""

    def add(self, kind: ErrandKind, player: PlayerId, address: str, now: datetime) -> Errand:
        values = {"kind": kind.value, "player_id": player, "address": address, "made_at": now}
        errand = self._connection.execute(_ADD, values).scalar_one()
        return Errand(errand, kind, player, address, now)

    def get(self, errand: int) -> Errand | None:
        row = self._reader.execute(_GET, {"wanted": errand}).first()
        return None if row is None else _errand(row)

    def of(self, player: PlayerId) -> tuple[Errand, ...]:
        return tuple(map(_errand, self._reader.execute(_OF, {"player": player})))

    def latest(self, address: str) -> Errand | None:
        row = self._reader.execute(_LATEST, {"wanted": address}).first()
        return None if row is None else _errand(row)

    def done(self, errand: int, now: datetime) -> None:
        self._connection.execute(_DONE, {"wanted": errand, "done_at": now})

    def forget(self, player: PlayerId) -> None:
        self._connection.execute(_FORGET, {"player": player})


def _errand(row: AnyRow) -> Errand:
    return Errand(
        id=row.id,
        kind=ErrandKind(row.kind),
        player=row.player_id,
        address=row.address,
        made_at=row.made_at,
        done_at=row.done_at,
    )
