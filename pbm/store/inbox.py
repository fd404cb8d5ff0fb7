"""The inbox: written by intake, claimed by play; and the shunt, which is a state of it."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from pbm.domain.mail import ReceivedMail
from pbm.service.ports import Conflict, ShuntedMail, StoreUnavailable, WaitingMail
from pbm.service.ports.post import IntakeUnavailable
from pbm.store.dialects import AnyRow, from_json, in_each_dialect, to_json
from pbm.store.tables import inbox

WAITING, DONE, SHUNTED = "waiting", "done", "shunted"

_MAIL = (inbox.c.id, inbox.c.sender, inbox.c.recipients, inbox.c.content, inbox.c.received_at)

_SHUNTED = select(*_MAIL, inbox.c.error, inbox.c.shunted_at).where(inbox.c.state == SHUNTED)

_FORGOTTEN = {"content": None, "sender": "", "recipients": "[]"}
"""The secrets of a mail, erased when it is done: its text, and addresses with tokens in them."""

_WAITING = (
    select(*_MAIL).where(inbox.c.state == WAITING).order_by(inbox.c.id).limit(bindparam("most"))
)

_CLAIM = _WAITING.with_for_update(skip_locked=True)

_DONE = update(inbox).where(inbox.c.id == bindparam("wanted")).values(state=DONE, **_FORGOTTEN)

_PUT = in_each_dialect(
    inbox, lambda start: start.on_conflict_do_nothing(index_elements=["content_key"])
)

# Counts no further than it must, so a long queue does not make each mail slower.
_BEYOND = (
    select(inbox.c.id)
    .where(inbox.c.state == WAITING)
    .order_by(inbox.c.id)
    .offset(bindparam("beyond"))
    .limit(1)
)

ContentKey = Callable[[ReceivedMail], str | None]
"""Names a mail by its content, so that a repeat is recognised; None if every copy is new."""


class SqlLetterbox:
    """`pbm.service.ports.post.Letterbox`. Each `put` is one transaction, one sync of the disk.

    Once `most_waiting` mails wait, no more are taken until play has caught up.
    """

    def __init__(self, engine: Engine, content_key: ContentKey, most_waiting: int) -> None:
        self._engine = engine
        self._content_key = content_key
        self._most_waiting = most_waiting

    def put(self, mails: Sequence[ReceivedMail]) -> None:
        if not mails:
            return
        rows = [_row(mail, self._content_key(mail)) for mail in mails]
        try:
            with self._engine.begin() as connection:
                self._check_waiting(connection)
                connection.execute(_PUT[connection.dialect.name], rows)
        except (StoreUnavailable, Conflict, SQLAlchemyError) as reason:
            raise IntakeUnavailable("The database cannot store mails now.") from reason

    def _check_waiting(self, connection: Connection) -> None:
        if connection.scalar(_BEYOND, {"beyond": self._most_waiting - 1}) is not None:
            raise IntakeUnavailable(f"{self._most_waiting} mails or more wait to be played.")


class SqlInbox:
    """`pbm.service.ports.Inbox`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def claim(self, limit: int) -> tuple[WaitingMail, ...]:
        rows = self._connection.execute(_CLAIM, {"most": limit})
        return tuple(WaitingMail(row.id, _mail(row)) for row in rows)

    def peek(self, limit: int) -> tuple[WaitingMail, ...]:
        rows = self._connection.execute(_WAITING, {"most": limit})
        return tuple(WaitingMail(row.id, _mail(row)) for row in rows)

    def done(self, mail: int) -> None:
        self._connection.execute(_DONE, {"wanted": mail})

    def shunt(self, mail: int, error: str, now: datetime) -> None:
        self._connection.execute(
            update(inbox)
            .where(inbox.c.id == mail)
            .values(state=SHUNTED, error=error, shunted_at=now)
        )

    def waiting(self) -> int:
        statement = select(func.count()).where(inbox.c.state == WAITING)
        return int(self._connection.execute(statement).scalar_one())

    def oldest(self) -> datetime | None:
        statement = select(func.min(inbox.c.received_at)).where(inbox.c.state == WAITING)
        found: datetime | None = self._connection.scalar(statement)
        return found


class SqlShunt:
    """`pbm.service.ports.Shunt`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def listing(self) -> tuple[ShuntedMail, ...]:
        rows = self._connection.execute(_SHUNTED.order_by(inbox.c.id))
        return tuple(_shunted(row) for row in rows)

    def get(self, mail: int) -> ShuntedMail | None:
        row = self._connection.execute(_SHUNTED.where(inbox.c.id == mail)).first()
        return None if row is None else _shunted(row)

    def retry(self, mail: int) -> None:
        self._leave(mail, state=WAITING)

    def drop(self, mail: int) -> None:
        # The row stays with its content key: a repeat must not bring the mail back to life.
        self._leave(mail, state=DONE, **_FORGOTTEN)

    def _leave(self, mail: int, **values: object) -> None:
        self._connection.execute(
            update(inbox)
            .where(inbox.c.id == mail, inbox.c.state == SHUNTED)
            .values(error="", shunted_at=None, **values)
        )


def _row(mail: ReceivedMail, content_key: str | None) -> dict[str, object]:
    return {
        "state": WAITING,
        "content_key": content_key,
        "sender": mail.sender,
        "recipients": to_json(mail.recipients),
        "content": mail.content,
        "received_at": mail.received_at,
        "error": "",
    }


def _mail(row: AnyRow) -> ReceivedMail:
    return ReceivedMail(
        sender=row.sender,
        recipients=tuple(from_json(row.recipients)),
        content=bytes(row.content),
        received_at=row.received_at,
    )


def _shunted(row: AnyRow) -> ShuntedMail:
    return ShuntedMail(row.id, _mail(row), row.error, row.shunted_at)
