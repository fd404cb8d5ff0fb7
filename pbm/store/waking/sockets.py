"""The bell of SQLite: a datagram to every process that runs the stage.

Beside the database is a folder with a socket for each stage of each process, named STAGE.WORD. It
is for the user that owns the database, who can write there, because SQLite itself has to. A
process that dies leaves its socket; the next one that rings finds nobody behind it and removes it.
A datagram that finds the queue of a socket full is not needed: a call waits there already. Where
no socket can be made, such as on some network drives, stages go on to look by themselves.
"""

import contextlib
import logging
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, event

from pbm.service.ports.mail import Wakes
from pbm.store.waking.marks import made_in

log = logging.getLogger("pbm.wake")

_COMMITTED = "pbm_committed"

_LONGEST = 100
"""Octets of a path that every system takes for a socket's."""


class SocketBell:
    """`pbm.service.ports.mail.Bell`, for the database in `file`. `word` is the process's own."""

    def __init__(self, engine: Engine, file: Path, word: str) -> None:
        # Absolute, because a process may change its directory.
        self._folder = Path(f"{file.absolute()}-wake")
        self._word = word
        self.hears = False
        event.listen(engine, "commit", _note_commit)
        event.listen(engine, "checkin", self._tell)

    def _tell(self, _driver: object, record: object, *_reset: object) -> None:
        """Ring for what was made, once the transaction is over and others can see it."""
        info = getattr(record, "info", {})
        made, committed = made_in(info), info.pop(_COMMITTED, False)
        if made and committed:
            # Without a folder nobody listens.
            with contextlib.suppress(OSError):
                self._ring({f"{stage}" for stage in made})

    def _ring(self, stages: set[str]) -> None:
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
        if len(os.fsencode(self._folder)) + 40 <= _LONGEST:
            yield lambda name: f"{self._folder}/{name}"
            return
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield lambda name: f"/proc/self/fd/{folder}/{name}"
        finally:
            os.close(folder)

    @contextmanager
    def listening(self, wakes: Mapping[Wakes, Callable[[], None]]) -> Iterator[None]:
        """See Bell."""
        with ExitStack() as stack:
            try:
                sockets = {stack.enter_context(self._bound(name)): wakes[name] for name in wakes}
            except OSError as error:
                log.info("no sockets in %s: %s; the stages look by themselves", self._folder, error)
                yield
                return
            ours, theirs = socket.socketpair()
            thread = threading.Thread(
                target=_listen, args=(sockets, theirs), name="pbm-wake", daemon=True
            )
            thread.start()
            self.hears = True
            try:
                yield
            finally:
                self.hears = False
                ours.close()
                thread.join()
                theirs.close()

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


def _note_commit(connection: Connection) -> None:
    connection.info[_COMMITTED] = True


def _listen(sockets: Mapping[socket.socket, Callable[[], None]], end: socket.socket) -> None:
    """Call what stands beside a socket that has datagrams, until `end` can be read."""
    while True:
        ready, _, _ = select.select([end, *sockets], [], [])
        if end in ready:
            return
        for called in ready:
            # As many calls as there are: they are one.
            with contextlib.suppress(BlockingIOError):
                while True:
                    called.recv(1)
            sockets[called]()
