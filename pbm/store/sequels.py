"""Work that a mail has begun and that goes on in parts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from pbm.domain.player import PlayerId
from pbm.engine import from_json, to_json
from pbm.service.ports import Sequel, SequelKind
from pbm.service.ports.mail import Wakes
from pbm.store.dialects import AnyRow
from pbm.store.prepared import Prepared
from pbm.store.repository import Repository
from pbm.store.tables import sequels
from pbm.store.waking.marks import makes_work

_ANY = Prepared(lambda _: select(sequels.c.id).limit(1))

# SQLite ignores the lock: it has one writer at a time.
_CLAIM = select(sequels).order_by(sequels.c.id).limit(1).with_for_update(skip_locked=True)
_NEWEST = (
    select(sequels)
    .where(sequels.c.kind == bindparam("kind"), sequels.c.number == bindparam("number"))
    .order_by(sequels.c.id.desc())
    .limit(1)
    .with_for_update(skip_locked=True)
)
_PROGRESS = update(sequels).where(sequels.c.id == bindparam("wanted"))
_DONE = delete(sequels).where(sequels.c.id == bindparam("wanted"))


class SqlSequels(Repository):
    """`pbm.service.ports.Sequels`."""

    def add(
        self,
        kind: SequelKind,
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
        return bool(_ANY.rows(self._connection))

    def not_begun(self, kind: SequelKind, number: int) -> Sequel | None:
        found = {"kind": kind.value, "number": number}
        row = self._connection.execute(_NEWEST, found).first()
        return None if row is None or row.done_up_to else _sequel(row)

    def change(self, sequel: int, facts: Mapping[str, Any]) -> None:
        self._connection.execute(_PROGRESS, {"wanted": sequel, "facts": to_json(facts)})

    def claim(self) -> Sequel | None:
        row = self._connection.execute(_CLAIM).first()
        return None if row is None else _sequel(row)

    def progress(self, sequel: int, done_up_to: int) -> None:
        self._connection.execute(_PROGRESS, {"wanted": sequel, "done_up_to": done_up_to})

    def done(self, sequel: int) -> None:
        self._connection.execute(_DONE, {"wanted": sequel})


def _sequel(row: AnyRow) -> Sequel:
    return Sequel(
        row.id, SequelKind(row.kind), row.player_id, row.number, from_json(row.facts),
        row.done_up_to,
    )  # fmt: skip
