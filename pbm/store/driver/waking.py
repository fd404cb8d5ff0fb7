"""Waking: a transaction that makes work for a stage wakes the processes that run this stage.

A repository notes what it makes (`makes_work`). What was noted is told when the transaction
commits, and never of one that is rolled back. A call may be lost, and where nothing can be heard
(behind a pooler that gives each transaction another connection, on some network drives), stages go
on to look by themselves.

On PostgreSQL the transaction says NOTIFY, which its server tells when it commits. On SQLite, where
all processes are on one machine, datagrams go to the sockets in a folder beside the database: one
for each stage of each process, named STAGE.WORD. A process that dies leaves its sockets; the next
one that calls finds nobody behind them and removes them. A datagram that finds the queue of a
socket full is not needed, because a call waits there already.
"""

import contextlib
import logging
import os
import secrets
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from sqlalchemy import Connection, Engine, String, bindparam, event, func
from sqlalchemy import select as sql_select
from sqlalchemy.exc import SQLAlchemyError

from pbm.store.driver.database import sqlite_file
from pbm.store.errors import Conflict, StoreUnavailable

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("pbm.wake")


class Wakes(StrEnum):
    """A stage that others make work for; the value is the name of its role."""

    PLAY = "play"
    DELIVER = "deliver"
    THINK = "think"


class Bell(Protocol):
    """Hears when another process has committed work for a stage.

    Every transaction that makes work rings by itself once it is committed. A call may be lost, if
    a process dies or a connection breaks: so each stage looks by itself as well, seldom while the
    bell `hears`, and often while it does not.
    """

    @property
    def hears(self) -> bool:
        """True while the calls of other processes arrive."""

    def listening(
        self, wakes: Mapping[Wakes, Callable[[], None]]
    ) -> AbstractContextManager[object]:
        """While the block runs, call what stands beside a stage soon after work is made for it.

        It is called in another thread, once for many calls that came together, and not for what
        this process has committed itself.
        """


Calls = Mapping[Wakes, Callable[[], None]]

_MADE, _COMMITTED = "pbm_made", "pbm_committed"

_PREFIX = "pbm_"

_NOTIFY = sql_select(
    func.pg_notify(bindparam("channel", type_=String), bindparam("word", type_=String))
)

_AGAIN_SECONDS = 5.0
"""The pause after a connection was lost, or could not be made."""

_LONGEST_PATH = 100
"""Octets of a path that every system takes for a socket's."""


def makes_work(connection: Connection, stage: Wakes) -> None:
    """Note that the open transaction of `connection` makes work for `stage`."""
    connection.info.setdefault(_MADE, set()).add(stage)


def open_bell(engine: Engine) -> Bell:
    """Return the bell of a process, rung by each transaction of `engine` that makes work."""
    word = secrets.token_hex(6)
    if engine.dialect.name == "postgresql":
        return NoticeBell(engine, word)
    return SocketBell(engine, sqlite_file(engine.url), word)


class SocketBell:
    """The bell of SQLite, for the database in `file`. `word` is the process's own."""

    def __init__(self, engine: Engine, file: Path, word: str) -> None:
        # Absolute, because a process may change its directory.
        self._folder = Path(f"{file.absolute()}-wake")
        self._word = word
        self.hears = False
        event.listen(engine, "commit", _note_commit)
        event.listen(engine, "checkin", self._tell)

    def _tell(self, _driver: object, record: object, *_reset: object) -> None:
        """Ring for what was made, once the transaction is over and others can see it."""
        made, committed = _made_in(record), getattr(record, "info", {}).pop(_COMMITTED, False)
        if made and committed:
            # Without a folder nobody listens.
            with contextlib.suppress(OSError):
                self._ring(made)

    def _ring(self, stages: set[Wakes]) -> None:
        names = [name.partition(".") for name in os.listdir(self._folder)]  # noqa: PTH208 - quicker
        called = ["".join(name) for name in names if name[0] in stages and name[2] != self._word]
        if called:
            sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            with sender, self._addresses() as address:
                sender.settimeout(0)
                for name in called:
                    self._call(sender, address(name), name)

    def _call(self, sender: socket.socket, address: str, name: str) -> None:
        try:
            sender.sendto(b"", address)
        except ConnectionRefusedError:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            # Its queue is full, or the process has just gone.
            log.debug("%s does not hear: %s", name, error.strerror)

    @contextmanager
    def _addresses(self) -> Iterator[Callable[[str], str]]:
        """Yield what makes the address of a socket from its name, also if the path is too long."""
        if len(os.fsencode(self._folder)) + 40 <= _LONGEST_PATH:
            yield lambda name: f"{self._folder}/{name}"
            return
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield lambda name: f"/proc/self/fd/{folder}/{name}"
        finally:
            os.close(folder)

    @contextmanager
    def listening(self, wakes: Calls) -> Iterator[None]:
        """See Bell."""
        with ExitStack() as stack:
            try:
                sockets = {stack.enter_context(self._bound(name)): wakes[name] for name in wakes}
            except OSError as error:
                log.info("no sockets in %s: %s; the stages look by themselves", self._folder, error)
                yield
                return
            self.hears = True
            try:
                with _beside(lambda end: _hear_sockets(sockets, end)):
                    yield
            finally:
                self.hears = False

    @contextmanager
    def _bound(self, stage: Wakes) -> Iterator[socket.socket]:
        """Yield the socket on which this process is called for `stage`."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        name = f"{stage}.{self._word}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
            bound.settimeout(0)
            with self._addresses() as address:
                bound.bind(address(name))
            try:
                yield bound
            finally:
                (self._folder / name).unlink(missing_ok=True)


def _hear_sockets(sockets: Mapping[socket.socket, Callable[[], None]], end: socket.socket) -> None:
    """Call what stands beside a socket that has datagrams, until `end` can be read."""
    while end not in (ready := select.select([end, *sockets], [], [])[0]):
        for called in ready:
            # As many calls as there are: they are one.
            with contextlib.suppress(BlockingIOError):
                while True:
                    called.recv(1)
            sockets[called]()


class NoticeBell:
    """The bell of PostgreSQL. `word` tells the notices of this process from others'."""

    def __init__(self, engine: Engine, word: str) -> None:
        self._engine = engine
        self._word = word
        self.hears = False
        event.listen(engine, "commit", self._tell)
        event.listen(engine, "checkin", lambda _driver, record, *_reset: _made_in(record))

    def _tell(self, connection: Connection) -> None:
        """Add the notices to a transaction that is about to be committed."""
        for stage in _made_in(connection):
            told = {"channel": f"{_PREFIX}{stage}", "word": self._word}
            connection.execute(_NOTIFY, told)

    @contextmanager
    def listening(self, wakes: Calls) -> Iterator[None]:
        """See Bell. The connection is made again whenever it is lost."""
        with _beside(lambda end: self._listen(wakes, end)):
            yield

    def _listen(self, wakes: Calls, end: socket.socket) -> None:
        """Listen until `end` can be read."""
        deaf = False
        while not deaf or not select.select([end], [], [], _AGAIN_SECONDS)[0]:
            try:
                with self._connected(wakes) as connection:
                    if deaf:
                        log.info("notices of other processes are heard again")
                    deaf = False
                    self._hear(connection, wakes, end)
                    return
            except (OSError, StoreUnavailable, Conflict, SQLAlchemyError, _driver_error()) as error:
                if not deaf:  # said once, and not every few seconds of a long night
                    log.info("no notices: %s; the stages look by themselves", type(error).__name__)
                deaf = True

    @contextmanager
    def _connected(self, wakes: Calls) -> "Iterator[psycopg.Connection]":
        """Open a connection that hears; wake all, because earlier notices were not heard."""
        pooled = self._engine.raw_connection()
        connection = cast("psycopg.Connection", pooled.driver_connection)
        pooled.detach()
        try:
            connection.rollback()
            connection.autocommit = True
            for stage in wakes:
                connection.execute(f"LISTEN {_PREFIX}{stage}".encode())
            self.hears = True
            for wake in wakes.values():
                wake()
            yield connection
        finally:
            self.hears = False
            with contextlib.suppress(_driver_error()):
                connection.close()

    def _hear(self, connection: "psycopg.Connection", wakes: Calls, end: socket.socket) -> None:
        """Call what the notices are for, until `end` can be read."""
        while end.fileno() not in select.select([connection.fileno(), end.fileno()], [], [])[0]:
            notices = connection.notifies(timeout=0)
            called = {notice.channel for notice in notices if notice.payload != self._word}
            for stage, wake in wakes.items():
                if f"{_PREFIX}{stage}" in called:
                    wake()


@contextmanager
def _beside(run: Callable[[socket.socket], None]) -> Iterator[None]:
    """Call `run` in a thread; the socket that it gets can be read once the block ends."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=run, args=(theirs,), name="pbm-wake", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ours.close()
        thread.join(_AGAIN_SECONDS)
        theirs.close()


def _made_in(holder: object) -> set[Wakes]:
    """Return what was noted in the `info` of a connection, and forget it."""
    made: set[Wakes] = getattr(holder, "info", {}).pop(_MADE, set())
    return made


def _note_commit(connection: Connection) -> None:
    connection.info[_COMMITTED] = True


def _driver_error() -> type[Exception]:
    """Return what all errors of the driver are; it is installed only where it is used."""
    import psycopg  # noqa: PLC0415

    return psycopg.Error
