"""On which cores of the machine a process runs.

The threads of a process take turns at Python's lock, which each of them lets go at every system
call. On two cores every turn wakes the other core, and the thread that has just let go waits for
it. On one core it goes straight on. So a process that listens, plays and delivers needs 3.1 ms of
CPU for a move where it needs 5.2 on two cores, and plays a third more moves a second (SQLite;
figures in docs/performance.md). One that does nothing but play needs an eighth less on a core that
it does not leave, where its memory is still at hand. What works without the lock goes elsewhere:
hashes, and robots that think.
"""

import contextlib
import os
import socket
from collections.abc import Collection, Iterator
from pathlib import Path

_MOST_CLAIMS = 64
"""Processes that may claim one core. On a machine with more of them, some stay on all cores."""


def usable() -> frozenset[int]:
    """Return the cores that the calling thread may run on."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


def run_on(cores: Collection[int], process: int = 0) -> None:
    """Let a process, or the calling thread, run on these cores only.

    What it starts later does, too. Where the system does not allow this, nothing changes.
    """
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(process, cores)


@contextlib.contextmanager
def one_of(cores: Collection[int]) -> Iterator[None]:
    """Keep the calling thread, and those that it starts, to one of several cores.

    It is the one that the fewest processes of this host have claimed in this way.
    """
    with contextlib.ExitStack() as held:
        core = _claimed(cores, held) if len(cores) > 1 else None
        if core is None:
            yield
            return
        run_on({core})
        try:
            yield
        finally:
            run_on(cores)


def _claimed(cores: Collection[int], held: contextlib.ExitStack) -> int | None:
    """Return a core that is claimed until `held` is closed; None if there is none to have.

    A claim is an abstract name of a Unix socket (unix(7)), which ends with its process, however
    that ends. Containers do not see each other's, so the core that the system has just chosen for
    us, because it was idle, comes first.
    """
    here = _core_of_now()
    in_turn = sorted(cores, key=lambda core: (core != here, core))
    for number in range(_MOST_CLAIMS):
        for core in in_turn:
            if _claims(f"\0pbm-core-{core}-{number}", held):
                return core
    return None


def _claims(name: str, held: contextlib.ExitStack) -> bool:
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(name)
    except OSError:
        claim.close()
        return False
    held.enter_context(claim)
    return True


def _core_of_now() -> int | None:
    """Return the core that this process runs on, if the system tells (proc(5))."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[36])  # the 39th of all, two of which stand before the bracket
