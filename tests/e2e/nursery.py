"""Processes of `pbm` that are born with its modules imported.

A worker of the suite starts `pbm` some thirty times, and importing it takes longer than most tests.
So one process imports it, and each `pbm` is forked from that one before anything has run in it:
it has a working directory, environment, standard streams and end of its own, as any other has.
Where the start itself is what is tested, `python -m pbm` is started (tests/e2e/server.py, PBM).
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

from pbm.cli import main

Program = Callable[[list[str]], Any]
"""What a process is to be, from its arguments on: a function of a module, which is imported."""

MOTHER = multiprocessing.get_context("forkserver")
MOTHER.set_forkserver_preload(["tests.e2e.mother"])


@dataclass(frozen=True, slots=True)
class Other:
    """A process, and what it says."""

    process: ForkServerProcess
    told: Connection

    def kill(self) -> None:
        """End it with kill -9, and return once it is gone."""
        self.process.kill()
        self.process.join()


@dataclass(frozen=True, slots=True)
class Streams:
    """Where a process reads its standard input from, and where its output and errors go."""

    given: Path
    out: Path | Connection
    errors: Path


@contextmanager
def another(program: Callable[..., None], *arguments: object) -> Iterator[Other]:
    """Let another process be `program`, with a connection to this one and these arguments.

    It is killed at the end, if it still runs.
    """
    ours, theirs = multiprocessing.Pipe()
    process = MOTHER.Process(target=program, args=(theirs, *arguments), daemon=True)
    with ours:
        with theirs:
            process.start()
        try:
            yield Other(process, ours)
        finally:
            process.kill()
            process.join()


class Born:
    """A running `pbm`, with what the tests need of `subprocess.Popen`."""

    def __init__(
        self, arguments: tuple[str, ...], home: Path, environment: Mapping[str, str],
        streams: Streams, program: Program = main,
    ) -> None:  # fmt: skip
        life = (program, arguments, home, dict(environment), streams)
        self._process: ForkServerProcess = MOTHER.Process(target=_live, args=life, daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it with kill -9."""
        self._process.kill()

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Return its exit status; raise TimeoutExpired if it still runs after so many seconds."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutExpired("pbm", timeout)
        return self._process.exitcode


def _live(
    program: Program,
    arguments: tuple[str, ...],
    home: Path,
    environment: Mapping[str, str],
    streams: Streams,
) -> None:
    """Be a `program` with these arguments from its first instruction to its exit."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(home)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(streams.given, os.O_RDONLY), 0)
    for number, there in ((1, streams.out), (2, streams.errors)):
        os.dup2(there.fileno() if isinstance(there, Connection) else _appending(there), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - they stay open to its end
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    program([*arguments])


def _appending(file: Path) -> int:
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
