"""Mailboxes whose owners want no mail from us."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import bindparam, delete, or_, select, update

from pbm.domain.confirmations import Declined
from pbm.store.dialects import in_each_dialect
from pbm.store.repository import Repository
from pbm.store.tables import left_alone

_ADD = in_each_dialect(
    left_alone,
    lambda start: start.on_conflict_do_update(
        index_elements=["mailbox"],
        set_={
            "since": start.excluded.since,
            "proven": or_(left_alone.c.proven, start.excluded.proven),
            "asking_until": None,
        },
    ),
)
_FIND = select(left_alone.c.proven, left_alone.c.asking_until, left_alone.c.asking_again).where(
    left_alone.c.mailbox == bindparam("wanted")
)
_SAVE = update(left_alone).where(left_alone.c.mailbox == bindparam("wanted"))
_REMOVE = delete(left_alone).where(left_alone.c.mailbox == bindparam("wanted"))


class SqlLeftAlone(Repository):
    """`pbm.service.ports.LeftAlone`."""

    def add(self, mailbox: str, now: datetime, *, proven: bool) -> None:
        add = _ADD[self._connection.dialect.name]
        self._connection.execute(add, {"mailbox": mailbox, "since": now, "proven": proven})

    def find(self, mailbox: str) -> Declined | None:
        row = self._reader.execute(_FIND, {"wanted": mailbox}).first()
        return None if row is None else Declined(*row)

    def save(self, mailbox: str, declined: Declined) -> None:
        self._connection.execute(_SAVE, {"wanted": mailbox, **asdict(declined)})

    def remove(self, mailbox: str) -> None:
        self._connection.execute(_REMOVE, {"wanted": mailbox})
