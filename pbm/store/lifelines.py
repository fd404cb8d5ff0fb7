"""The lifeline of a delivering process: whether it lives, and what its relay has just taken.

A process holds a lock under its name as long as it lives and reaches the database. When it is
killed, or its connection breaks, the lock ends by itself, so others need not wait for its leases.
On SQLite it is the lock of a byte beside those of the claims, which tells also of processes in
other containers of the host. On PostgreSQL it is an advisory lock of a connection that is kept; the
server asks a silent host whether it is still there (reach.py).
"""

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pbm.service.ports import Conflict, Lifeline, StoreUnavailable
from pbm.store.batch.claiming import locked_byte, opened_for_locks
from pbm.store.database import sqlite_file
from pbm.store.outbox import NOTE_SENT
from pbm.store.postgresql import each_alone, is_cut

_FIRST_BYTE = 1 << 60
"""Where the bytes of the lifelines begin, far behind those of the mails that are claimed."""

_APPENDED = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC

_NOTES_MAY_BE_LOST = "SET synchronous_commit TO OFF"
"""With the machine of the database: then those mails go out twice."""

_FIND_BY_NUMBER = "SET enable_seqscan TO OFF"
"""A plan is kept for as long as the connection. One that was made when the outbox was small would
read all of it for every few mails, until PostgreSQL has looked at it anew."""

_HOLD = text("SELECT pg_advisory_lock(:key)")

_IS_FREE = text("SELECT pg_try_advisory_xact_lock_shared(:key)")


def open_lifeline(engine: Engine, work: str = "claims") -> Lifeline:
    """Return a lifeline of this process on the database of `engine`; nothing is held yet.

    A process has one for each kind of `work`, and on SQLite each its own file: to close a file
    drops all locks that a process has on it, whoever in it has locked them (fcntl(2)).
    """
    if engine.dialect.name == "postgresql":
        return LockLifeline(engine)
    file = sqlite_file(engine.url)
    return ByteLifeline(file.with_name(f"{file.name}-{work}"))


def _number(owner: str) -> int:
    """Return the number that stands for the name of an owner, of 48 bits."""
    return int.from_bytes(sha256(owner.encode()).digest()[:6])


class ByteLifeline:
    """A lock on a byte of `file`, which the system drops when the process ends.

    What the relay has taken is noted in a file of this process: a commit for every few mails would
    cost twice as much as all else of delivery. What is written there outlasts a kill.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None
        self._owner = ""
        self._taken: int | None = None

    def hold(self, owner: str) -> None:
        if owner != self._owner:
            locked_byte(self._open(), _FIRST_BYTE + _number(owner))
            self._owner = owner

    def is_held(self, owner: str) -> bool:
        return owner == self._owner or self._is_locked(_number(owner))

    def note_sent(self, words: Mapping[int, str], now: datetime) -> None:
        del now
        try:
            if self._taken is None:
                self._taken = os.open(self._place_of(_number(self._owner)), _APPENDED, 0o600)
            os.write(self._taken, b"".join(b"%d\n" % number for number in words))
        except OSError as reason:
            raise StoreUnavailable(f"nothing can be written beside {self._file}") from reason

    def recorded(self) -> Collection[int]:
        return ()  # the file tells

    def noted_by(self, owner: str) -> tuple[int, ...]:
        try:
            lines = self._place_of(_number(owner)).read_bytes().split(b"\n")
        except FileNotFoundError:
            return ()
        return tuple(int(line) for line in lines[:-1])  # the last one was not written whole

    def forget_noted(self, owner: str) -> None:
        if owner == self._owner:
            if self._taken is None:
                return
            os.close(self._taken)
            self._taken = None
        self._place_of(_number(owner)).unlink(missing_ok=True)

    def close(self) -> None:
        for descriptor in (self._descriptor, self._taken):
            if descriptor is not None:
                os.close(descriptor)
        self._descriptor, self._taken, self._owner = None, None, ""

    def _place_of(self, number: int) -> Path:
        """Return the file in which a process notes what its relay has taken."""
        return self._file.with_name(f"{self._file.name}-{number:012x}")

    def _is_locked(self, number: int) -> bool:
        descriptor = self._open()
        free = locked_byte(descriptor, _FIRST_BYTE + number)
        if free:
            locked_byte(descriptor, _FIRST_BYTE + number, hold=False)
        return not free

    def _open(self) -> int:
        if self._descriptor is None:
            self._descriptor = opened_for_locks(self._file)
        return self._descriptor


class LockLifeline:
    """An advisory lock of one connection, which the process keeps."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._owner = ""
        self._recorded: set[int] = set()

    def hold(self, owner: str) -> None:
        connection = self._kept()
        if owner != self._owner:
            connection.execute(_HOLD, {"key": _number(owner)})
            self._owner = owner

    def is_held(self, owner: str) -> bool:
        if owner == self._owner:
            return True
        with self._engine.begin() as connection:
            return not connection.scalar(_IS_FREE, {"key": _number(owner)})

    def note_sent(self, words: Mapping[int, str], now: datetime) -> None:
        NOTE_SENT.run(self._kept(), words, now)
        self._recorded.update(words)

    def recorded(self) -> Collection[int]:
        if self._connection is None or self._is_lost(self._connection):
            return ()  # a server that has crashed may have lost what was not synced
        return self._recorded

    def noted_by(self, owner: str) -> tuple[int, ...]:
        del owner
        return ()  # it is in the outbox

    def forget_noted(self, owner: str) -> None:
        if owner == self._owner:
            self._recorded.clear()

    def close(self) -> None:
        if self._connection is not None:
            with suppress(SQLAlchemyError, StoreUnavailable, Conflict):
                self._connection.close()
        self._connection, self._owner = None, ""
        self._recorded.clear()

    def _kept(self) -> Connection:
        """Return the connection that is kept; raise StoreUnavailable once after it was lost."""
        if self._connection is not None and self._is_lost(self._connection):
            self.close()
            raise StoreUnavailable("the connection that says that this process lives was lost")
        if self._connection is None:
            connection = each_alone(self._engine.connect())
            connection.detach()
            for setting in (_NOTES_MAY_BE_LOST, _FIND_BY_NUMBER):
                connection.exec_driver_sql(setting)
            self._connection = connection
        return self._connection

    def _is_lost(self, connection: Connection) -> bool:
        """Return whether the server has hung up, without asking it."""
        driver = None if connection.invalidated else connection.connection.dbapi_connection
        return driver is None or is_cut(driver)
