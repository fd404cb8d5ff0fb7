"""What a program may use up, and how the operating system is told."""

import math
import os
from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024

PROCESSES = 32
"""Processes and threads that it may have at once."""

_ADDRESSES = 8
"""So many times its memory may be reserved: the runtimes of Java and Node.js do so."""

_FIXED = {"FSIZE": 16 * MIB, "NOFILE": 64, "CORE": 0}
"""The octets of a file that it writes, its open files, and no dump of its memory."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use up for one move, besides the seconds that it is given to think.

    `start_seconds` is until it is ready, `slack_seconds` how late an answer may come on a busy
    host, `quit_seconds` how long it may go on after its answer or the end of its stdout. `memory`
    are octets that each of its processes may hold. `output` are octets that it may write in all, to
    stdout and to stderr each.
    """

    start_seconds: float = 10.0
    slack_seconds: float = 1.0
    quit_seconds: float = 1.0
    memory: int = 1024 * MIB
    output: int = 64 * 1024

    def resources(self, think_seconds: float) -> dict[str, int]:
        """Return the limits of setrlimit(2), by their names without RLIMIT_.

        The seconds of CPU are those of one core for all the time that it has. Memory is
        RLIMIT_DATA, what a process alone can write to, as RLIMIT_AS counts what is only reserved.
        Processes are counted by user (RLIMIT_NPROC), so those that there are already come on top;
        for root that one does not hold.
        """
        seconds = self.start_seconds + think_seconds + self.slack_seconds + self.quit_seconds
        found = {"CPU": math.ceil(seconds), "DATA": self.memory, "AS": _ADDRESSES * self.memory}
        running = _running()
        return found | _FIXED | ({"NPROC": running + PROCESSES} if running else {})


def _running() -> int:
    """Return how many processes and threads the user has; 0 if the system has no /proc."""
    threads = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == os.geteuid():
                threads += (process / "task").stat().st_nlink - 2
        except OSError:
            continue  # it has ended meanwhile
    return threads
