"""The inbox: where play claims mails; and the shunt, which is a state of it."""

from datetime import datetime

from sqlalchemy import Update, bindparam, delete, func, select, update

from pbm.domain.mail import ReceivedMail
from pbm.engine import from_json
from pbm.service.ports import ShuntedMail, WaitingMail
from pbm.service.ports.mail import Wakes
from pbm.store.dialects import AnyRow
from pbm.store.fair_queue import WAITING, WAITS
from pbm.store.intake import OCTETS
from pbm.store.prepared import Prepared, each_of
from pbm.store.repository import Repository
from pbm.store.tables import inbox, inbox_texts
from pbm.store.waking.marks import makes_work

DONE, SHUNTED = "done", "shunted"

MAILS = select(
    *(inbox.c.id, inbox.c.sender, inbox.c.recipients, inbox_texts.c.content),
    *(inbox.c.received_at, inbox.c.network),
).join_from(inbox, inbox_texts)
"""Mails that are not done."""

_SHUNTED = MAILS.add_columns(inbox.c.error, inbox.c.shunted_at).where(inbox.c.state == SHUNTED)

FORGOTTEN = {"sender": "", "recipients": "[]", "source": "", "network": ""}
"""The secrets in the row of a mail, erased when it is done: addresses with tokens in them."""

_WAITING = MAILS.where(WAITS).order_by(inbox.c.state, inbox.c.id).limit(bindparam("most"))

_CLAIM = _WAITING.with_for_update(skip_locked=True, of=inbox)


def _played(dialect: str) -> Update:
    """Return what marks mails done, each with its outcome."""
    is_meant, outcome = each_of(dialect, inbox.c.id, "outcomes")
    return (
        update(inbox)
        .where(is_meant)
        .values(state=DONE, played_at=bindparam("now"), outcome=outcome, **FORGOTTEN)
    )


PLAYED = Prepared(_played, "outcomes", "now")

_WIPE = delete(inbox_texts).where(inbox_texts.c.id == bindparam("wanted"))


class SqlInbox(Repository):
    """`pbm.service.ports.Inbox`."""

    def claim(self, limit: int) -> tuple[WaitingMail, ...]:
        rows = self._connection.execute(_CLAIM, {"most": limit})
        return tuple(WaitingMail(row.id, _mail(row)) for row in rows)

    def peek(self, limit: int) -> tuple[WaitingMail, ...]:
        rows = self._connection.execute(_WAITING, {"most": limit})
        return tuple(WaitingMail(row.id, _mail(row)) for row in rows)

    def done(self, mail: int, outcome: str = "", now: datetime | None = None) -> None:
        PLAYED.run(self._connection, {mail: outcome}, now)
        self._connection.execute(_WIPE, {"wanted": mail})

    def shunt(self, mail: int, error: str, now: datetime) -> None:
        self._connection.execute(
            update(inbox)
            .where(inbox.c.id == mail)
            .values(state=SHUNTED, error=error, shunted_at=now)
        )

    def waiting(self) -> int:
        statement = select(func.count()).where(WAITS)
        return int(self._connection.execute(statement).scalar_one())

    def waiting_octets(self) -> int:
        return int(self._connection.execute(OCTETS).scalar_one())

    def oldest(self) -> datetime | None:
        statement = select(func.min(inbox.c.received_at)).where(WAITS)
        found: datetime | None = self._connection.scalar(statement)
        return found


class SqlShunt(Repository):
    """`pbm.service.ports.Shunt`."""

    def listing(self) -> tuple[ShuntedMail, ...]:
        rows = self._connection.execute(_SHUNTED.order_by(inbox.c.id))
        return tuple(_shunted(row) for row in rows)

    def get(self, mail: int) -> ShuntedMail | None:
        row = self._connection.execute(_SHUNTED.where(inbox.c.id == mail)).first()
        return None if row is None else _shunted(row)

    def retry(self, mail: int) -> None:
        self._leave(mail, state=WAITING)
        makes_work(self._connection, Wakes.PLAY)

    def drop(self, mail: int) -> None:
        # The row stays with its content key: a repeat must not bring the mail back to life.
        if self._leave(mail, state=DONE, **FORGOTTEN):
            self._connection.execute(_WIPE, {"wanted": mail})

    def _leave(self, mail: int, **values: object) -> bool:
        """Change the mail if it is in the shunt; return whether it was."""
        left = self._connection.execute(
            update(inbox)
            .where(inbox.c.id == mail, inbox.c.state == SHUNTED)
            .values(error="", shunted_at=None, **values)
        )
        return left.rowcount == 1


def _mail(row: AnyRow) -> ReceivedMail:
    return ReceivedMail(
        sender=row.sender,
        recipients=tuple(from_json(row.recipients)),
        content=bytes(row.content),
        received_at=row.received_at,
        network=row.network,
    )


def _shunted(row: AnyRow) -> ShuntedMail:
    return ShuntedMail(row.id, _mail(row), row.error, row.shunted_at)
