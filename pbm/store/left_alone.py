"""Mailboxes whose owners want no mail from us."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from pbm.store.dialects import in_each_dialect
from pbm.store.tables import left_alone

_ADD = in_each_dialect(left_alone, lambda start: start.on_conflict_do_nothing())
_FIND = select(left_alone.c.mailbox).where(left_alone.c.mailbox == bindparam("wanted"))
_REMOVE = delete(left_alone).where(left_alone.c.mailbox == bindparam("wanted"))


class SqlLeftAlone:
    """`pbm.service.ports.LeftAlone`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, mailbox: str, now: datetime) -> None:
        add = _ADD[self._connection.dialect.name]
        self._connection.execute(add, {"mailbox": mailbox, "since": now})

    def holds(self, mailbox: str) -> bool:
        return self._connection.scalar(_FIND, {"wanted": mailbox}) is not None

    def remove(self, mailbox: str) -> None:
        self._connection.execute(_REMOVE, {"wanted": mailbox})
