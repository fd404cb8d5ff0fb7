"""Cores: a process with several busy threads keeps to one core of the machine.

The threads of a process take turns at Python's lock, which each of them releases at every system
call. On two cores every turn wakes the other core, and the thread that has just let go waits for
it. On one core it goes straight on. So a process that listens, plays and delivers needs 3.1 ms of
CPU for a move where it needs 5.2 on two cores, and plays a third more moves a second (SQLite;
figures in docs/performance.md). One that does nothing but play needs an eighth less on a core that
it does not leave, where its memory is still at hand. What works without the lock goes elsewhere:
hashes, and robots that think.
"""

import contextlib
import os
import re
import socket
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

_CLAIM = "pbm-core/"
_CLAIMED = re.compile(f" @{_CLAIM}([0-9]{{1,5}})/.*$".encode(), re.MULTILINE)

_MOST_CLAIMS = 64
"""Processes of a server that may claim one core. Where it has more, some stay on all cores."""


def usable() -> frozenset[int]:
    """Return the cores that the calling thread may run on."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        with contextlib.suppress(OSError):  # a container may forbid to ask
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
def one_of(cores: Collection[int], server: str) -> Iterator[None]:
    """Keep the calling thread, and those that it starts, to one of several cores.

    It is the one that the fewest processes of this `server`, a name without a slash, have claimed
    in this way; of several the one that the fewest of this host have.
    """
    with contextlib.ExitStack() as held:
        core = _claimed(cores, server, held) if len(cores) > 1 else None
        if core is None:
            yield
            return
        run_on({core})
        try:
            yield
        finally:
            run_on(cores)


def _claimed(cores: Collection[int], server: str, held: contextlib.ExitStack) -> int | None:
    """Return a core that is claimed until `held` is closed; None if there is none to have.

    A claim is an abstract name of a Unix socket (unix(7)), which ends with its process, however
    that ends. Those of one server are counted by taking the next free name, since its processes
    often start at once; those of others are only looked at. Containers do not see each other's,
    so of several cores the one that the system has just chosen for us, because it was idle, comes
    first.
    """
    here, claims = _core_of_now(), _claims_of_host()
    in_turn = sorted(cores, key=lambda core: (claims[core], core != here, core))
    for number in range(_MOST_CLAIMS):
        for core in in_turn:
            if _claims(f"\0{_CLAIM}{core}/{server}/{number}", held):
                return core
    return None


def _claims_of_host() -> Counter[int]:
    """Return how many claims each core has, as far as the system tells (proc_net(5))."""
    try:
        table = Path("/proc/net/unix").read_bytes()
    except OSError:
        return Counter()
    # Anybody may have sockets of any name.
    return Counter(int(core) for core in _CLAIMED.findall(table))


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
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        return int(fields[36])  # the 39th of all, two of which come before the bracket
    except (OSError, IndexError):
        return None
