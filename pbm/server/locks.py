"""Locks: one server at a time for one socket, and one host at a time for one SQLite file.

A process that serves on a Unix socket locks a file beside it, PATH.lock. The system drops the lock
of a process that dies, however it dies. So a socket without a lock is stale and is taken over. One
with a lock is refused, and the lock file says who has it. TCP ports need no lock, because the
system lets nobody else bind them.

A SQLite file may be shared by any processes of one host, with any roles: they claim mails by locks,
take turns at reminding, and save under version checks (pbm/store/liveness.py). Processes on
two hosts may not share one, though a network file system would let them open it: the log of the
database is shared memory (sqlite.org/wal.html, 2.1), and locks may not reach the other host. So
each server has a shared lock on FILE-host, in which the host is named by the boot of its kernel:
containers on one kernel are one host.
"""

import contextlib
import errno
import fcntl
import os
import socket
import stat
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from pbm.config import ConfigError, Endpoint, TcpEndpoint, UnixEndpoint
from pbm.engine import frozen

_BOOT = Path("/proc/sys/kernel/random/boot_id")

_UNKNOWN = "-"

_LONGEST = 300
"""Octets of a lock file that are read."""


class Occupied(ConfigError):  # noqa: N818 - a state of the host, said in one line
    """Another process has what this one needs for itself."""


@frozen
class Holder:
    """A process: its number, when it took what it has, the name and the boot of its host."""

    pid: int
    since: datetime
    name: str
    boot: str

    def line(self) -> str:
        """Return it as the line of a lock file."""
        return f"{self.pid} {self.since.isoformat(timespec='seconds')} {self.boot} {self.name}\n"

    def __str__(self) -> str:
        return f"process {self.pid} on {self.name}, since {self.since:%Y-%m-%d %H:%M:%S} UTC"


def this_process(now: datetime) -> Holder:
    """Return the process that asks."""
    return Holder(os.getpid(), now, socket.gethostname(), _boot())


def _boot() -> str:
    """Return what names this boot of the kernel; `_UNKNOWN` where it cannot be read."""
    try:
        return _BOOT.read_text("ascii").strip() or _UNKNOWN
    except OSError:
        return _UNKNOWN


def _on_one_host(one: Holder, other: Holder) -> bool:
    """Return whether two processes run on one kernel; a service may be kept from its name."""
    if _UNKNOWN in {one.boot, other.boot}:
        return one.name == other.name
    return one.boot == other.boot


def _read(descriptor: int) -> Holder | None:
    """Return the holder that a lock file names; None if it names none."""
    words = os.pread(descriptor, _LONGEST, 0).decode("utf-8", "replace").split()
    try:
        return Holder(int(words[0]), datetime.fromisoformat(words[1]), words[3], words[2])
    except (IndexError, ValueError):
        return None


def _write(descriptor: int, holder: Holder) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, holder.line().encode(), 0)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigError(f"{path} cannot be opened: {error.strerror}.") from error


def _locked(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def holding(file: Path | None, endpoints: Iterable[Endpoint], me: Holder) -> Iterator[None]:
    """Lock the SQLite `file`, if there is one, and the `endpoints` that are paths, for the block.

    Raises Occupied if another server has one of them.
    """
    with contextlib.ExitStack() as held:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(_sharing_file(file, me))
        for endpoint in endpoints:
            if isinstance(endpoint, UnixEndpoint):
                held.enter_context(_holding_socket(endpoint, me))
        yield


@contextlib.contextmanager
def _holding_socket(endpoint: UnixEndpoint, me: Holder) -> Iterator[None]:
    """Have the path of a socket alone while the block runs; raise Occupied if another has it.

    What a killed process left there is removed. The lock file stays, or two processes could lock
    two files of the same name.
    """
    lock = _open(Path(f"{endpoint.path}.lock"))
    try:
        if not _locked(lock, fcntl.LOCK_EX):
            raise Occupied(f"{endpoint} is taken by {_read(lock) or 'another pbm'}.")
        _write(lock, me)
        _clear(endpoint.path)
        yield
    finally:
        os.close(lock)


def _clear(path: Path) -> None:
    """Remove a socket at which nobody listens; raise Occupied if somebody does, without a lock."""
    if not path.exists():
        return
    if not stat.S_ISSOCK(path.stat().st_mode):
        raise Occupied(f"{path} is there, and is no socket.")
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)  # noqa: FBT003 - socket's own
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except BlockingIOError:  # somebody listens, and is busy
            pass
        raise Occupied(f"{path} is taken by another process: ss -lxp shows which.")


def explained(error: OSError, endpoint: TcpEndpoint) -> Occupied:
    """Return the error that says why `endpoint` cannot be bound."""
    if error.errno == errno.EADDRINUSE:
        return Occupied(f"{endpoint} is taken by another process: ss -ltnp shows which.")
    if isinstance(error, socket.gaierror):
        return Occupied(
            f"{endpoint} cannot be listened at: this host does not know {endpoint.host}."
        )
    reason = os.strerror(error.errno) if error.errno else str(error)
    return Occupied(f"{endpoint} cannot be listened at: {reason}.")


@contextlib.contextmanager
def _sharing_file(file: Path, me: Holder) -> Iterator[None]:
    """Share a SQLite file with processes of this host while the block runs.

    Raises Occupied if a process of another host has it open.
    """
    beside = file.with_name(f"{file.name}-host")
    lock = _open(beside)
    try:
        # The first to come writes down its host; then all that are there share the lock.
        if _locked(lock, fcntl.LOCK_EX):
            _write(lock, me)
        if not _locked(lock, fcntl.LOCK_SH):
            fcntl.flock(lock, fcntl.LOCK_SH)  # another one is just writing its own down
        there = _read(lock)
        if there is not None and not _on_one_host(there, me):
            raise Occupied(
                f"{file} is in use by {there}, and SQLite cannot be shared between hosts. "
                "Use PostgreSQL, or stop pbm there first."
            )
        yield
    finally:
        os.close(lock)
