"""What the processes of this machine have used: CPU and memory, as Linux tells it."""

import time
from collections.abc import Iterable
from pathlib import Path

_PROC = Path("/proc")

_SCHEDULED = 2
"""With the number of a process, this names its clock of CPU (clock_getcpuclockid)."""


def cpu_seconds(pid: int) -> float:
    """Return the CPU that a process has used, in user and system mode; 0 if it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | _SCHEDULED)
    except OSError:
        return 0.0


def resident_bytes(pid: int, *, most: bool = False) -> int:
    """Return the resident memory of a process, or the most that it had; 0 if it is gone."""
    wanted = "VmHWM:" if most else "VmRSS:"
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(wanted)), 0)


def backends(database: str) -> tuple[int, ...]:
    """Return the PostgreSQL processes of this machine that work for `database`.

    None are found if the server is elsewhere. Each has the database in its title.
    """
    found = (int(entry.name) for entry in _PROC.glob("[0-9]*"))
    return tuple(
        pid
        for pid in found
        if _title(pid).startswith(b"postgres") and f" {database} ".encode() in _title(pid)
    )


def children_of(pid: int) -> tuple[int, ...]:
    """Return the processes that a process has started and that still run."""
    found = (_PROC / str(pid) / "task").glob("*/children")
    return tuple(int(child) for threads in found for child in threads.read_text().split())


def cpu_of_all(pids: Iterable[int]) -> float:
    """Return the CPU seconds of several processes."""
    return sum(map(cpu_seconds, pids))


def _title(pid: int) -> bytes:
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""
