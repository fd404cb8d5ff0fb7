"""The inbox: written by intake, claimed by play; and the shunt, which is a state of it."""

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from pbm.domain.mail import ReceivedMail, Source
from pbm.domain.mailboxes import mailbox
from pbm.service.ports import Conflict, ShuntedMail, StoreUnavailable, WaitingMail
from pbm.service.ports.post import IntakeUnavailable
from pbm.service.ports.waking import Wakes
from pbm.store.dialects import AnyRow, from_json, in_each_dialect, to_json
from pbm.store.prepared import Prepared
from pbm.store.repository import Repository
from pbm.store.rounds import Arrival, Shares
from pbm.store.schedule import WAITING, WAITS, SqlSchedule, state_in
from pbm.store.tables import inbox
from pbm.store.waking.marks import makes_work

DONE, SHUNTED = "done", "shunted"

_MAIL = (inbox.c.id, inbox.c.sender, inbox.c.recipients, inbox.c.content, inbox.c.received_at)

_SHUNTED = select(*_MAIL, inbox.c.error, inbox.c.shunted_at).where(inbox.c.state == SHUNTED)

FORGOTTEN = {"content": None, "sender": "", "recipients": "[]", "source": ""}
"""The secrets of a mail, erased when it is done: its text, and addresses with tokens in them."""

_WAITING = select(*_MAIL).where(WAITS).order_by(inbox.c.state, inbox.c.id).limit(bindparam("most"))

_CLAIM = _WAITING.with_for_update(skip_locked=True)

_DONE = update(inbox).where(inbox.c.id == bindparam("wanted")).values(state=DONE, **FORGOTTEN)

_COLUMNS = (
    *("state", "content_key", "sender", "recipients", "content", "received_at", "error"),
    *("source", "octets"),
)


def _putting(rows: int) -> Prepared:
    """Return what stores so many rows at once, but for repeats."""
    # Only of the first row would SQLAlchemy know the types by itself.
    values: Any = [
        {name: bindparam(f"{name}_{row}", type_=inbox.c[name].type) for name in _COLUMNS}
        for row in range(rows)
    ]
    names = [f"{name}_{row}" for row in range(rows) for name in _COLUMNS]
    put = in_each_dialect(
        inbox,
        lambda start: (
            start.inline().values(values).on_conflict_do_nothing(index_elements=["content_key"])
        ),
    )
    return Prepared(lambda dialect: put[dialect], *names)


_PUT = {rows: _putting(rows) for rows in (16, 4, 1)}
"""By the number of rows. One statement for several mails, because the driver of SQLite gives
Python's lock away for each, and gets it back only when the thread of the connections lets go."""

_OCTETS = select(func.coalesce(func.sum(inbox.c.octets), 0)).where(WAITS)

ContentKey = Callable[[ReceivedMail], str | None]
"""Names a mail by its content, so that a repeat is recognised; None if every copy is new."""

SourceOf = Callable[[ReceivedMail], Source]
"""Says whom a mail is counted for."""

MOST_OCTETS = 400 * 1024 * 1024
"""Waiting octets beyond which intake asks senders to come back later."""

_COUNTED_AGAIN = timedelta(seconds=10)


def by_envelope(mail: ReceivedMail) -> Source:
    """Count every mail for its envelope sender, and that one's domain."""
    sender = mailbox(mail.sender)
    return Source(sender, sender.rpartition("@")[2])


class SqlLetterbox:
    """`pbm.service.ports.post.Letterbox`. Each `put` is one transaction, one sync of the disk.

    Once `most_waiting` mails or `most_octets` of them wait, no more are taken until play has
    caught up. The `shares` are less than that, so no source can keep the others out.
    """

    def __init__(
        self,
        engine: Engine,
        content_key: ContentKey,
        most_waiting: int,
        most_octets: int = MOST_OCTETS,
        source_of: SourceOf = by_envelope,
        shares: Shares = Shares(),  # noqa: B008 - frozen
    ) -> None:
        self._engine = engine
        self._errors: type[Exception] = engine.dialect.loaded_dbapi.Error
        self._content_key = content_key
        self._most_waiting = most_waiting
        self._source_of = source_of
        self._shares = shares
        self._octets = _Octets(most_octets)

    def put(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        if not mails:
            return frozenset()
        # All that needs no lock comes before the transaction.
        sources = [self._source_of(mail) for mail in mails]
        rows = [
            _row(mail, source, self._content_key(mail))
            for mail, source in zip(mails, sources, strict=True)
        ]
        arrivals = [
            Arrival(source.sender, source.group, len(mail.content))
            for mail, source in zip(mails, sources, strict=True)
        ]
        try:
            with self._engine.begin() as connection:
                schedule = SqlSchedule(connection, arrivals)
                self._check_mails(schedule)
                self._octets.check(connection, mails)
                slots = schedule.give(self._shares)
                _insert(connection, rows, slots)
        except (StoreUnavailable, Conflict, SQLAlchemyError, ValueError, self._errors) as reason:
            raise IntakeUnavailable("The database cannot store mails now.") from reason
        return frozenset(place for place, slot in enumerate(slots) if slot is None)

    def _check_mails(self, schedule: SqlSchedule) -> None:
        if schedule.waiting(self._most_waiting) >= self._most_waiting:
            raise IntakeUnavailable(f"{self._most_waiting} mails or more wait to be played.")


def _insert(
    connection: Connection, rows: Sequence[tuple[object, ...]], slots: Sequence[int | None]
) -> None:
    placed = deque(
        (state_in(slot), *row) for row, slot in zip(rows, slots, strict=True) if slot is not None
    )
    if placed:
        makes_work(connection, Wakes.PLAY)
    for size, put in _PUT.items():
        while len(placed) >= size:
            put.run(connection, *chain.from_iterable(placed.popleft() for _ in range(size)))


class _Octets:
    """Knows whether there is room for more octets, and seldom adds up those that wait.

    It remembers a number that is not less, to which it adds what comes. Only when that fills the
    room is it counted anew; while there is no room, once in `_COUNTED_AGAIN`.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._at_most = most + 1
        self._counted_at: datetime | None = None

    def check(self, connection: Connection, mails: Sequence[ReceivedMail]) -> None:
        """Raise IntakeUnavailable if there is no room for `mails`, or else count them in."""
        now, coming = mails[-1].received_at, sum(len(mail.content) for mail in mails)
        if self._at_most + coming > self._most:
            self._count(connection, now)
        if self._at_most + coming > self._most:
            raise IntakeUnavailable(f"{self._at_most} octets wait to be played.")
        self._at_most += coming
        self._counted_at = None

    def _count(self, connection: Connection, now: datetime) -> None:
        if self._counted_at is None or abs(now - self._counted_at) >= _COUNTED_AGAIN:
            self._at_most = connection.scalar(_OCTETS) or 0
            self._counted_at = now


class SqlInbox(Repository):
    """`pbm.service.ports.Inbox`."""

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
        statement = select(func.count()).where(WAITS)
        return int(self._connection.execute(statement).scalar_one())

    def waiting_octets(self) -> int:
        return int(self._connection.execute(_OCTETS).scalar_one())

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
        self._leave(mail, state=DONE, **FORGOTTEN)

    def _leave(self, mail: int, **values: object) -> None:
        self._connection.execute(
            update(inbox)
            .where(inbox.c.id == mail, inbox.c.state == SHUNTED)
            .values(error="", shunted_at=None, **values)
        )


def _mail(row: AnyRow) -> ReceivedMail:
    return ReceivedMail(
        sender=row.sender,
        recipients=tuple(from_json(row.recipients)),
        content=bytes(row.content),
        received_at=row.received_at,
    )


def _shunted(row: AnyRow) -> ShuntedMail:
    return ShuntedMail(row.id, _mail(row), row.error, row.shunted_at)


def _row(mail: ReceivedMail, source: Source, content_key: str | None) -> tuple[object, ...]:
    """Return the row of a mail without its state, in the order of `_COLUMNS`."""
    return (
        content_key,
        mail.sender,
        to_json(mail.recipients),
        mail.content,
        mail.received_at,
        "",
        source.sender,
        len(mail.content),
    )
