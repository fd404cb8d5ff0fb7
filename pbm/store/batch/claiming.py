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
from typing import Protocol

from sqlalchemy import Connection, Engine, bindparam, select

from pbm.domain.mail import ReceivedMail
from pbm.service.ports import StoreUnavailable, WaitingMail
from pbm.store.asking import Row
from pbm.store.dialects import from_json
from pbm.store.engine import sqlite_file
from pbm.store.inbox import MAILS
from pbm.store.prepared import Prepared, among
from pbm.store.schedule import WAITS
from pbm.store.tables import inbox

MOST_OCTETS = 2 * 1024 * 1024
"""Octets of mails that a worker reads at once, unless the first mail alone is longer."""

_AT_ONCE = 512
"""Numbers of mails looked through at a time, for some that nobody else holds."""

_IN_ORDER = (inbox.c.state, inbox.c.id)

_NUMBERS = Prepared(
    lambda _: (
        select(inbox.c.id, inbox.c.octets)
        .where(WAITS)
        .order_by(*_IN_ORDER)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    ),
    "most",
)

_MAILS = Prepared(
    lambda dialect: MAILS.where(among(dialect, inbox.c.id, "ids"), WAITS).order_by(*_IN_ORDER),
    "ids",
)


class Claims(Protocol):
    """Says which mails a worker may play."""

    def take(self, connection: Connection, limit: int, besides: Collection[int]) -> tuple[int, ...]:
        """Return the numbers of up to `limit` waiting mails that are this worker's from now on."""

    def release(self) -> None:
        """Leave all of them to others."""

    def close(self) -> None:
        """Release what is held, for good."""


class RowClaims:
    """Claims by FOR UPDATE SKIP LOCKED, which end with the transaction."""

    def take(self, connection: Connection, limit: int, besides: Collection[int]) -> tuple[int, ...]:
        rows = _NUMBERS.rows(connection, limit + len(besides))
        return tuple(_fitting(rows, limit, besides, _already))

    def release(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class ByteClaims:
    """Claims by locks on the bytes of `file`; for the play stage of one process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def take(self, connection: Connection, limit: int, besides: Collection[int]) -> tuple[int, ...]:
        hold = partial(locked_byte, self._open())
        looked_at = limit + len(besides)
        while True:
            rows = _NUMBERS.rows(connection, looked_at)
            taken = tuple(_fitting(rows, limit, besides, hold))
            if taken or len(rows) < looked_at:
                return taken
            # Others hold all of these; behind them there are more.
            looked_at *= 4

    def release(self) -> None:
        if self._descriptor is not None:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            try:
                self._descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as reason:
                raise StoreUnavailable(f"{self._file} cannot be opened") from reason
        return self._descriptor


def claims_for(engine: Engine) -> Claims:
    """Return how the workers on the database of `engine` share out the mails."""
    if engine.dialect.name == "postgresql":
        return RowClaims()
    return ByteClaims(claims_file(sqlite_file(engine.url)))


def claims_file(database: Path) -> Path:
    """Return the file beside a SQLite database whose bytes are locked."""
    return database.with_name(f"{database.name}-claims")


def waiting_mails(connection: Connection, ids: Collection[int]) -> tuple[WaitingMail, ...]:
    """Return those of these mails that wait, in the order in which they are played."""
    return tuple(
        WaitingMail(number, ReceivedMail(sender, tuple(from_json(to)), bytes(content), received_at))
        for number, sender, to, content, received_at in _MAILS.rows(connection, ids)
    )


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


def _already(number: int) -> bool:
    """Return True: the database has locked what it found."""
    del number
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
