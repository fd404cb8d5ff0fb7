"""The bell of PostgreSQL: NOTIFY in the transaction that makes work, LISTEN on a connection.

The server tells a NOTIFY when the transaction commits, and the same one only once, so neither a
crash nor a flood can do harm. Behind a pooler that gives each transaction another connection
LISTEN hears nothing, and stages go on to look by themselves.
"""

import contextlib
import logging
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from sqlalchemy import Connection, Engine, String, bindparam, event, func
from sqlalchemy import select as sql_select
from sqlalchemy.exc import SQLAlchemyError

from pbm.service.ports import Conflict, StoreUnavailable
from pbm.service.ports.mail import Wakes
from pbm.store.postgresql import before_commit
from pbm.store.prepared import Prepared
from pbm.store.waking.marks import made_in

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("pbm.wake")

_PREFIX = "pbm_"

_TOLD = ("channel", "word")

_NOTIFY = Prepared(
    lambda _: sql_select(func.pg_notify(*(bindparam(name, type_=String()) for name in _TOLD))),
    *_TOLD,
)

_AGAIN_SECONDS = 5.0
"""The pause after a connection was lost, or could not be made."""


class NoticeBell:
    """`pbm.service.ports.mail.Bell`. `word` tells the notices of this process from others'."""

    def __init__(self, engine: Engine, word: str) -> None:
        self._engine = engine
        self._word = word
        self.hears = False
        before_commit(engine, self._tell)
        event.listen(engine, "checkin", _forget)

    def _tell(self, connection: Connection) -> None:
        """Add the notices to a transaction that is about to be committed."""
        for stage in made_in(connection.info):
            _NOTIFY.ask(connection, f"{_PREFIX}{stage}", self._word)

    @contextmanager
    def listening(self, wakes: Mapping[Wakes, Callable[[], None]]) -> Iterator[None]:
        """See Bell. The connection is made again whenever it is lost."""
        ours, theirs = socket.socketpair()
        stop = threading.Event()
        thread = threading.Thread(
            target=self._listen, args=(wakes, stop, theirs), name="pbm-wake", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            stop.set()
            ours.close()
            thread.join(_AGAIN_SECONDS)
            theirs.close()

    def _listen(
        self, wakes: Mapping[Wakes, Callable[[], None]], stop: threading.Event, end: socket.socket
    ) -> None:
        """Listen until `stop` is set, which also closes the other end of `end`."""
        deaf = False
        while not stop.is_set():
            try:
                with self._connected(wakes) as connection:
                    if deaf:
                        log.info("notices of other processes are heard again")
                    deaf = False
                    self._hear(connection, wakes, end)
            except (OSError, StoreUnavailable, Conflict, SQLAlchemyError, _driver_error()) as error:
                if not deaf:  # said once, and not every few seconds of a long night
                    log.info("no notices: %s; the stages look by themselves", type(error).__name__)
                deaf = True
                stop.wait(_AGAIN_SECONDS)

    @contextmanager
    def _connected(
        self, wakes: Mapping[Wakes, Callable[[], None]]
    ) -> "Iterator[psycopg.Connection]":
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

    def _hear(
        self,
        connection: "psycopg.Connection",
        wakes: Mapping[Wakes, Callable[[], None]],
        end: socket.socket,
    ) -> None:
        """Call what the notices are for, until `end` can be read."""
        while end.fileno() not in select.select([connection.fileno(), end.fileno()], [], [])[0]:
            notices = connection.notifies(timeout=0)
            called = {notice.channel for notice in notices if notice.payload != self._word}
            for stage, wake in wakes.items():
                if f"{_PREFIX}{stage}" in called:
                    wake()


def _forget(_driver: object, record: object, *_reset: object) -> None:
    """Forget what a transaction had noted that was rolled back."""
    made_in(getattr(record, "info", {}))


def _driver_error() -> type[Exception]:
    """Return what all errors of the driver are; it is installed only where it is used."""
    import psycopg  # noqa: PLC0415

    return psycopg.Error
