"""The inbox: where play claims mails; and the shunt, which is a state of it.

Shunting or retrying a mail changes one word, its bytes are never copied, and its content key keeps
guarding against a repeat of the same mail.

While several workers play at once, a worker claims the mails that it plays. On PostgreSQL it locks
their rows. SQLite locks only the whole database, so there it locks their bytes (liveness.py).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import (
    Connection,
    Engine,
    bindparam,
    delete,
    func,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.sql import Select

from pbm.domain.mail import Fate, ReceivedMail
from pbm.engine import from_json, frozen
from pbm.store.driver.dialects import AnyRow, among
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.errors import Conflict
from pbm.store.intake import OCTETS, WAITING, WAITS
from pbm.store.liveness import ByteLocks, byte_locks
from pbm.store.repository import Repository, writes
from pbm.store.tables import inbox, inbox_texts


@frozen
class WaitingMail:
    """A row of the inbox that has been claimed."""

    id: int
    mail: ReceivedMail


@frozen
class ShuntedMail:
    """A mail that met a bug: the raw bytes, and the traceback with its secrets masked."""

    id: int
    mail: ReceivedMail
    error: str
    shunted_at: datetime


DONE, SILENCED, SHUNTED = "done", "silenced", "shunted"

MAILS = select(
    *(inbox.c.id, inbox.c.sender, inbox.c.recipients, inbox_texts.c.content),
    *(inbox.c.received_at, inbox.c.network, inbox.c.listener),
).join_from(inbox, inbox_texts)
"""Mails that are not done."""

_SHUNTED = MAILS.add_columns(inbox.c.error, inbox.c.shunted_at).where(inbox.c.state == SHUNTED)

FORGOTTEN = {"sender": "", "recipients": "[]", "source": "", "network": ""}
"""The secrets in the row of a mail, erased when it is done: addresses with tokens in them."""

_WAITING = MAILS.where(WAITS).order_by(inbox.c.state, inbox.c.id).limit(bindparam("most"))

_CLAIM = _WAITING.with_for_update(skip_locked=True, of=inbox)


PLAYED = update(inbox).where(inbox.c.id == bindparam("mail")).values(FORGOTTEN)
"""Marks a mail done, with its outcome."""

_WIPE = delete(inbox_texts).where(among(inbox_texts.c.id, "ids"))

_COUNT_WAITING = select(func.count()).where(among(inbox.c.id, "ids"), WAITS)


class Inbox(Repository):
    """Mails taken and not yet played; intake has `Put` them there."""

    def claim(self, limit: int) -> tuple[WaitingMail, ...]:
        """Return up to `limit` waiting mails that no other worker holds.

        Sources take turns, so the single mail of one comes before the second of another; within
        a source the oldest is first, and so it is across sources that had the same. They are held
        until the unit of work ends; on PostgreSQL by FOR UPDATE SKIP LOCKED.
        """
        rows = self._connection.execute(_CLAIM, {"most": limit})
        return tuple(map(_waiting_of, rows))

    def done(self, mail: int, outcome: str = "", now: datetime | None = None) -> None:
        """Mark it played, with this outcome, and delete its bytes.

        Its content key stays, so a repeat does nothing.
        """
        self._unit.write(store_played, (mail, outcome, now))

    def shunt(self, mail: int, error: str, now: datetime) -> None:
        """Move it to the shunt."""
        self._update(inbox, inbox.c.id == mail, state=SHUNTED, error=error, shunted_at=now)

    def waiting(self) -> int:
        """Return how many wait."""
        return self._count(WAITS)

    def waiting_octets(self) -> int:
        """Return how long the waiting mails are together."""
        return int(self._connection.execute(OCTETS).scalar_one())

    def oldest(self) -> datetime | None:
        """Return when the longest-waiting mail was received; None if none waits."""
        statement = select(func.min(inbox.c.received_at)).where(WAITS)
        found: datetime | None = self._connection.scalar(statement)
        return found


@writes(inbox, inbox_texts)
def store_played(
    connection: Connection, played: Sequence[tuple[int, str, datetime | None]]
) -> None:
    """Mark mails done, each with its outcome, and delete their texts."""
    rows = [
        {"mail": mail, "state": _state_after(outcome), "outcome": outcome, "played_at": now}
        for mail, outcome, now in played
    ]
    connection.execute(PLAYED, rows)
    connection.execute(_WIPE, {"ids": [mail for mail, *_ in played]})


def _state_after(outcome: str) -> str:
    return SILENCED if outcome.startswith(Fate.SILENCED.value) else DONE


def check_waiting(connection: Connection, mails: Sequence[int]) -> None:
    """Raise Conflict unless these mails still wait."""
    if connection.scalar(_COUNT_WAITING, {"ids": mails}) != len(mails):
        raise Conflict("another worker has played the same mail")


class Shunt(Repository):
    """Mails that met a bug, kept until the operator has decided."""

    def listing(self) -> tuple[ShuntedMail, ...]:
        rows = self._connection.execute(_SHUNTED.order_by(inbox.c.id))
        return tuple(_shunted(row) for row in rows)

    def count(self) -> int:
        """Return how many there are."""
        return self._count(inbox.c.state == SHUNTED)

    def get(self, mail: int) -> ShuntedMail | None:
        row = self._connection.execute(_SHUNTED.where(inbox.c.id == mail)).first()
        return None if row is None else _shunted(row)

    def retry(self, mail: int) -> None:
        """Move it back to the inbox."""
        self._leave(mail, state=WAITING)
        makes_work(self._connection, Wakes.PLAY)

    def drop(self, mail: int) -> None:
        # The row stays with its content key: a repeat must not bring the mail back to life.
        if self._leave(mail, state=DONE, **FORGOTTEN):
            self._connection.execute(_WIPE, {"ids": [mail]})

    def _leave(self, mail: int, **values: object) -> bool:
        """Change the mail if it is in the shunt; return whether it was."""
        there = inbox.c.id == mail, inbox.c.state == SHUNTED
        return self._update(inbox, *there, error="", shunted_at=None, **values) == 1


def _mail(row: AnyRow) -> ReceivedMail:
    return ReceivedMail(
        sender=row.sender,
        recipients=tuple(from_json(row.recipients)),
        content=bytes(row.content),
        received_at=row.received_at,
        network=row.network,
        listener=row.listener,
    )


def _shunted(row: AnyRow) -> ShuntedMail:
    return ShuntedMail(row.id, _mail(row), row.error, row.shunted_at)


MOST_READ = 2 * 1024 * 1024
"""Octets of mails that a worker reads at once, unless the first mail alone is longer."""

_AT_ONCE = 512
"""Numbers of mails looked through at a time, for some that nobody else holds."""

_IN_ORDER = (inbox.c.state, inbox.c.id)

_ENVELOPE = (
    *(inbox.c.sender, inbox.c.recipients, inbox.c.received_at, inbox.c.network),
    inbox.c.listener,
)

_OF_WAITING = (*_IN_ORDER, *_ENVELOPE, inbox.c.octets)

_FIRST = select(*_OF_WAITING).where(WAITS).order_by(*_IN_ORDER).limit(bindparam("looked_at"))

_NUMBERS = _FIRST.with_only_columns(inbox.c.id, inbox.c.octets)

_MAILS = MAILS.where(among(inbox.c.id, "ids"), WAITS).order_by(*_IN_ORDER)


def _locked() -> Select[Any]:
    """Return what locks the first mails that nobody else has, and reads those that fit."""
    locked = _FIRST.with_for_update(skip_locked=True).cte("locked")
    order = (locked.c.state, locked.c.id)
    counted = (
        select(
            locked,
            func.row_number().over(order_by=order).label("place"),
            func.sum(locked.c.octets).over(order_by=order).label("so_far"),
        )
        .where(not_(among(locked.c.id, "besides")))
        .cte("counted")
    )
    # As a join it would be planned for a tenth of all that wait, since the limit is not known.
    content = select(inbox_texts.c.content).where(inbox_texts.c.id == counted.c.id)
    return (
        select(
            *(counted.c.id, counted.c.sender, counted.c.recipients),
            content.scalar_subquery().label("content"),
            *(counted.c.received_at, counted.c.network, counted.c.listener),
        )
        .where(
            counted.c.place <= bindparam("most"),
            or_(counted.c.place == 1, counted.c.so_far <= MOST_READ),
        )
        .order_by(counted.c.place)
    )


_LOCKED = _locked()


Anew = Callable[[], Connection]
"""Ends a transaction that has only read, and begins another."""


class Claims(Protocol):
    """Says which mails a worker may play."""

    def take(
        self, connection: Connection, limit: int, besides: Collection[int], anew: Anew
    ) -> tuple[WaitingMail, ...]:
        """Return up to `limit` waiting mails that are this worker's from now on."""

    def release(self) -> None:
        """Leave all of them to others."""


class RowClaims:
    """Claims by FOR UPDATE SKIP LOCKED, which end with the transaction."""

    def take(
        self, connection: Connection, limit: int, besides: Collection[int], anew: Anew
    ) -> tuple[WaitingMail, ...]:
        del anew
        looked_at = limit + len(besides)
        values = {"looked_at": looked_at, "besides": besides, "most": limit}
        return tuple(map(_waiting_of, connection.execute(_LOCKED, values).all()))

    def release(self) -> None:
        """Do nothing."""


class ByteClaims:
    """Claims by locks on bytes; for the play stage of one process.

    They only share out the work, without locking the database while play works: that a mail is
    played once is decided in the transaction at the end.
    """

    def __init__(self, locks: ByteLocks) -> None:
        self._locks = locks

    def take(
        self, connection: Connection, limit: int, besides: Collection[int], anew: Anew
    ) -> tuple[WaitingMail, ...]:
        ids = self._held(connection, limit, besides)
        # Read from the moment on when they are ours: until then another may have played them.
        connection = anew()
        return (
            tuple(map(_waiting_of, connection.execute(_MAILS, {"ids": ids}).all())) if ids else ()
        )

    def release(self) -> None:
        self._locks.free_mails()

    def _held(
        self, connection: Connection, limit: int, besides: Collection[int]
    ) -> tuple[int, ...]:
        """Lock up to `limit` waiting mails, and return their numbers."""
        looked_at = limit + len(besides)
        while True:
            rows = connection.execute(_NUMBERS, {"looked_at": looked_at}).all()
            taken = tuple(_fitting(rows, limit, besides, self._locks.take_mail))
            if taken or len(rows) < looked_at:
                return taken
            # Others hold all of these; behind them there are more.
            looked_at *= 4


def claims_for(engine: Engine) -> Claims:
    """Return how the workers on the database of `engine` share out the mails."""
    if engine.dialect.name == "postgresql":
        return RowClaims()
    return ByteClaims(byte_locks(engine))


def _waiting_of(row: AnyRow) -> WaitingMail:
    return WaitingMail(row.id, _mail(row))


def _fitting(
    rows: Iterable[AnyRow], limit: int, besides: Collection[int], hold: Callable[[int], bool]
) -> Iterator[int]:
    """Yield the numbers of the first `limit` mails that can be held, fewer if they are long."""
    taken = octets = 0
    for number, length in rows:
        if taken == limit or (taken and octets + length > MOST_READ):
            return
        if number not in besides and hold(number):
            taken, octets = taken + 1, octets + length
            yield number
