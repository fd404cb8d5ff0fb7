"""Liveness: whether the owner of some work lives.

A process locks what it works on, and its own name, for as long as it lives and reaches the
database. When it is killed, or its connection breaks, its locks end by themselves, so others need
not wait for its leases.

On SQLite these are locks on bytes of the file FILE-claims (fcntl(2), advisory record locks), which
hold for processes in other containers of the host too. The file stays empty: a byte need not exist
to be locked. A mail has the byte of its number, a name one far behind those. On PostgreSQL mails
are locked as rows, and a name is an advisory lock of a connection that is kept; the server asks a
silent host whether it is still there (database.py).
"""

import fcntl
import os
import threading
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from pbm.store.driver.database import is_cut, sqlite_file
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.outbox import NOTE_SENT
from pbm.system import sync


class Notes(Protocol):
    """Notes of mails that the relay of this process has just taken, before they are recorded."""

    def note_sent(self, words: Mapping[int, str], now: datetime, *, on_disk: bool) -> None:
        """Remember that the relay has taken these mails, and in which `words`.

        It outlasts the process; on SQLite a power cut too, if it is to be `on_disk`.
        Raises StoreUnavailable if the database is away.
        """

    def recorded(self) -> Collection[int]:
        """Return the noted mails that the outbox tells of already, as far as that is certain."""


class Lifeline(Notes, Protocol):
    """Says of a delivering process that it lives and reaches the database.

    Belongs to one thread at a time. Every method raises StoreUnavailable if the database is away.
    """

    def hold(self, owner: str) -> None:
        """Say from now on that `owner`, a name of this process, lives; quick if that is so already.

        A process that has lost the database must take another name: others may have its leases.
        """

    def is_held(self, owner: str) -> bool:
        """Return whether that process lives and reaches the database."""

    def noted_by(self, owner: str) -> tuple[int, ...]:
        """Return the mails that the relay of `owner` had taken, as far as the outbox does not tell.

        Some may be recorded all the same, or be others by now: only what it leases is meant.
        """

    def forget_noted(self, owner: str) -> None:
        """Forget that, because it is recorded."""

    def close(self) -> None:
        """Say no more that this process lives."""


_NAMES = 1 << 60
"""The byte where those of names begin."""

_APPENDED = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC

_NOTES_MAY_BE_LOST = "SET synchronous_commit TO OFF"
"""With the machine of the database: then those mails go out twice."""

_FIND_BY_NUMBER = "SET enable_seqscan TO OFF"
"""A plan is kept for as long as the connection. One that was made when the outbox was small would
read all of it for every few mails, until PostgreSQL has looked at it anew."""

_HOLD = text("SELECT pg_advisory_lock(:key)")

_IS_FREE = text("SELECT pg_try_advisory_xact_lock_shared(:key)")


def open_lifeline(engine: Engine) -> Lifeline:
    """Return a lifeline of this process on the database of `engine`; nothing is held yet."""
    if engine.dialect.name == "postgresql":
        return LockLifeline(engine)
    return ByteLifeline(byte_locks(engine))


def byte_locks(engine: Engine) -> "ByteLocks":
    """Return the locks of this process beside the SQLite file of `engine`, until it is disposed.

    To close a file drops all locks that a process has on it, so it is opened once.
    """
    locks = _LOCKS.get(engine)
    if locks is None:
        file = sqlite_file(engine.url)
        locks = _LOCKS.setdefault(engine, ByteLocks(file.with_name(f"{file.name}-claims")))
        event.listen(engine, "engine_disposed", locks.close)
    return locks


_LOCKS: WeakKeyDictionary[Engine, "ByteLocks"] = WeakKeyDictionary()


class ByteLocks:
    """Locks on the bytes of `file`, which the system drops when the process ends."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._opening = threading.Lock()
        self._descriptor: int | None = None
        self._names: set[int] = set()

    def take_mail(self, number: int) -> bool:
        """Lock a mail; return False if another process has it."""
        return self._take(number)

    def free_mails(self) -> None:
        """Unlock all mails."""
        if self._descriptor is not None:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, _NAMES, 0)

    def take_name(self, number: int) -> None:
        """Lock a name of this process."""
        self._take(_NAMES + number)
        self._names.add(number)

    def free_name(self, number: int) -> None:
        """Unlock a name."""
        self._names.discard(number)
        if self._descriptor is not None:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, _NAMES + number)

    def is_named(self, number: int) -> bool:
        """Return whether a process has locked this name."""
        if number in self._names:
            return True
        if not self._take(_NAMES + number):
            return True
        self.free_name(number)
        return False

    def close(self, *_engine: object) -> None:
        """Unlock everything."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None
        self._names.clear()

    def _take(self, byte: int) -> bool:
        try:
            fcntl.lockf(self._open(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):  # POSIX lets a system raise either
            return False
        return True

    def _open(self) -> int:
        with self._opening:
            if self._descriptor is None:
                try:
                    self._descriptor = os.open(
                        self.file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
                    )
                except OSError as reason:
                    raise StoreUnavailable(
                        "the database cannot be used now: "
                        f"{self.file} cannot be opened: {reason.strerror}"
                    ) from reason
            return self._descriptor


def _number(owner: str) -> int:
    """Return the number that stands for the name of an owner, of 48 bits."""
    return int.from_bytes(sha256(owner.encode()).digest()[:6])


class ByteLifeline:
    """The lock of a name on SQLite, and a file of notes.

    What the relay has taken is noted in a file of this process: a commit for every few mails would
    cost twice as much as all else of delivery. What is written there outlasts a kill.
    """

    def __init__(self, locks: ByteLocks) -> None:
        self._locks = locks
        self._owner = ""
        self._taken: int | None = None

    def hold(self, owner: str) -> None:
        if owner != self._owner:
            self._locks.take_name(_number(owner))
            self._owner = owner

    def is_held(self, owner: str) -> bool:
        return self._locks.is_named(_number(owner))

    def note_sent(self, words: Mapping[int, str], now: datetime, *, on_disk: bool) -> None:
        del now
        try:
            if self._taken is None:
                self._taken = os.open(self._place_of(_number(self._owner)), _APPENDED, 0o600)
            os.write(self._taken, b"".join(b"%d\n" % number for number in words))
            if on_disk:
                os.fdatasync(self._taken)
                sync(self._locks.file.parent)
        except OSError as reason:
            raise StoreUnavailable(f"nothing can be written beside {self._locks.file}") from reason

    def recorded(self) -> Collection[int]:
        return ()  # the file tells

    def noted_by(self, owner: str) -> tuple[int, ...]:
        try:
            lines = self._place_of(_number(owner)).read_bytes().split(b"\n")
        except FileNotFoundError:
            return ()
        # The last one was not written whole. A power cut may leave zeros in place of others.
        return tuple(int(line) for line in lines[:-1] if line.isdigit())

    def forget_noted(self, owner: str) -> None:
        if owner == self._owner:
            if self._taken is None:
                return
            os.close(self._taken)
            self._taken = None
        self._place_of(_number(owner)).unlink(missing_ok=True)

    def close(self) -> None:
        if self._taken is not None:
            os.close(self._taken)
        if self._owner:
            self._locks.free_name(_number(self._owner))
        self._taken, self._owner = None, ""

    def _place_of(self, number: int) -> Path:
        """Return the file in which a process notes what its relay has taken."""
        file = self._locks.file
        return file.with_name(f"{file.name}-{number:012x}")


class LockLifeline:
    """The lock of a name on PostgreSQL: an advisory lock of a connection that is kept."""

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

    def note_sent(self, words: Mapping[int, str], now: datetime, *, on_disk: bool) -> None:  # noqa: ARG002 - PostgreSQL writes it within a second
        told = {"ids": list(words), "said": list(words.values()), "now": now}
        self._kept().execute(NOTE_SENT, told)
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
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            connection.detach()
            for setting in (_NOTES_MAY_BE_LOST, _FIND_BY_NUMBER):
                connection.exec_driver_sql(setting)
            self._connection = connection
        return self._connection

    def _is_lost(self, connection: Connection) -> bool:
        """Return whether the server has hung up, without asking it."""
        driver = None if connection.invalidated else connection.connection.dbapi_connection
        return driver is None or is_cut(driver)
