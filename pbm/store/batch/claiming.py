"""Which waiting mails are whose, while several workers play at once.

On PostgreSQL a worker locks the rows. SQLite locks only the whole database, and play is not to
lock that while it works. So there each mail has a byte in a file beside the database, and a worker
locks the bytes of the mails that it plays (fcntl(2), advisory record locks). The file stays
empty: a byte need not exist to be locked. The system drops the locks of a process that dies, so
nothing has to be cleared up. They only share out the work: that a mail is played once is decided
in the transaction at the end.
"""

import fcntl
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, bindparam, func, not_, or_, select
from sqlalchemy.sql import Select

from pbm.domain.mail import ReceivedMail
from pbm.engine import from_json
from pbm.service.ports import StoreUnavailable, WaitingMail
from pbm.store.asking import Row
from pbm.store.database import sqlite_file
from pbm.store.fair_queue import WAITS
from pbm.store.inbox import MAILS
from pbm.store.prepared import Prepared, among
from pbm.store.tables import inbox, inbox_texts

MOST_OCTETS = 2 * 1024 * 1024
"""Octets of mails that a worker reads at once, unless the first mail alone is longer."""

_AT_ONCE = 512
"""Numbers of mails looked through at a time, for some that nobody else holds."""

_IN_ORDER = (inbox.c.state, inbox.c.id)

_ENVELOPE = (inbox.c.sender, inbox.c.recipients, inbox.c.received_at, inbox.c.network)

_OF_WAITING = (*_IN_ORDER, *_ENVELOPE, inbox.c.octets)

_FIRST = select(*_OF_WAITING).where(WAITS).order_by(*_IN_ORDER).limit(bindparam("looked_at"))

_NUMBERS = Prepared(lambda _: _FIRST.with_only_columns(inbox.c.id, inbox.c.octets), "looked_at")

_MAILS = Prepared(
    lambda dialect: MAILS.where(among(dialect, inbox.c.id, "ids"), WAITS).order_by(*_IN_ORDER),
    "ids",
)


def _locked(dialect: str) -> Select[Any]:
    """Return what locks the first mails that nobody else has, and reads those that fit."""
    locked = _FIRST.with_for_update(skip_locked=True).cte("locked")
    order = (locked.c.state, locked.c.id)
    counted = (
        select(
            locked,
            func.row_number().over(order_by=order).label("place"),
            func.sum(locked.c.octets).over(order_by=order).label("so_far"),
        )
        .where(not_(among(dialect, locked.c.id, "besides")))
        .cte("counted")
    )
    # As a join it would be planned for a tenth of all that wait, since the limit is not known.
    content = select(inbox_texts.c.content).where(inbox_texts.c.id == counted.c.id)
    return (
        select(
            *(counted.c.id, counted.c.sender, counted.c.recipients),
            content.scalar_subquery().label("content"),
            *(counted.c.received_at, counted.c.network),
        )
        .where(
            counted.c.place <= bindparam("most"),
            or_(counted.c.place == 1, counted.c.so_far <= MOST_OCTETS),
        )
        .order_by(counted.c.place)
    )


_LOCKED = Prepared(_locked, "looked_at", "besides", "most")


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

    def close(self) -> None:
        """Release what is held, for good."""


class RowClaims:
    """Claims by FOR UPDATE SKIP LOCKED, which end with the transaction."""

    def take(
        self, connection: Connection, limit: int, besides: Collection[int], anew: Anew
    ) -> tuple[WaitingMail, ...]:
        del anew
        looked_at = limit + len(besides)
        return tuple(map(_mail, _LOCKED.rows(connection, looked_at, besides, limit)))

    def release(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class ByteClaims:
    """Claims by locks on the bytes of `file`; for the play stage of one process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def take(
        self, connection: Connection, limit: int, besides: Collection[int], anew: Anew
    ) -> tuple[WaitingMail, ...]:
        ids = self._held(connection, limit, besides)
        # Read from the moment on when they are ours: until then another may have played them.
        connection = anew()
        return tuple(map(_mail, _MAILS.rows(connection, ids))) if ids else ()

    def release(self) -> None:
        if self._descriptor is not None:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _held(
        self, connection: Connection, limit: int, besides: Collection[int]
    ) -> tuple[int, ...]:
        """Lock up to `limit` waiting mails, and return their numbers."""
        hold = partial(locked_byte, self._open())
        looked_at = limit + len(besides)
        while True:
            rows = _NUMBERS.rows(connection, looked_at)
            taken = tuple(_fitting(rows, limit, besides, hold))
            if taken or len(rows) < looked_at:
                return taken
            # Others hold all of these; behind them there are more.
            looked_at *= 4

    def _open(self) -> int:
        if self._descriptor is None:
            self._descriptor = opened_for_locks(self._file)
        return self._descriptor


def claims_for(engine: Engine) -> Claims:
    """Return how the workers on the database of `engine` share out the mails."""
    if engine.dialect.name == "postgresql":
        return RowClaims()
    return ByteClaims(claims_file(sqlite_file(engine.url)))


def claims_file(database: Path) -> Path:
    """Return the file beside a SQLite database whose bytes are locked."""
    return database.with_name(f"{database.name}-claims")


def _mail(row: Row) -> WaitingMail:
    number, sender, to, content, received_at, network = row
    return WaitingMail(
        number, ReceivedMail(sender, tuple(from_json(to)), bytes(content), received_at, network)
    )


def opened_for_locks(file: Path) -> int:
    """Return the descriptor of a file whose bytes are locked; raise StoreUnavailable."""
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as reason:
        told = f"{file} cannot be opened: {reason.strerror}"
        raise StoreUnavailable(f"the database cannot be used now: {told}") from reason


def locked_byte(descriptor: int, number: int, *, hold: bool = True) -> bool:
    """Lock a byte, or let go of it; return False if another process has locked it."""
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB if hold else fcntl.LOCK_UN, 1, number)
    except BlockingIOError:
        return False
    except PermissionError:
        # POSIX lets a system say either.
        return False
    return True


def _fitting(
    rows: Iterable[Row], limit: int, besides: Collection[int], hold: Callable[[int], bool]
) -> Iterator[int]:
    """Yield the numbers of the first `limit` mails that can be held, fewer if they are long."""
    taken = octets = 0
    for number, length in rows:
        if taken == limit or (taken and octets + length > MOST_OCTETS):
            return
        if number not in besides and hold(number):
            taken, octets = taken + 1, octets + length
            yield number
