"""Processes of the tests: started, awaited and ended in one way.

A worker of the suite starts `pbm` some thirty times, and importing it takes longer than most tests.
So one process imports it (mother.py), and each `pbm` is forked from that one before anything has
run in it: it has a working directory, environment, standard streams and end of its own, as any
other has. Where the start itself is tested, the command PBM is started.
"""

import ctypes
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from subprocess import CompletedProcess, Popen, TimeoutExpired
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, Any, Self, TypeVar

from pbm.cli import main

PATIENCE = 30.0
"""Seconds after which a test gives up, because busy machines start slowly."""

PBM = (sys.executable, "-m", "pbm")
"""The command that starts `pbm`."""

_SHORTEST, _LONGEST = 0.0025, 0.02
"""Seconds between two looks: a mail is answered in ten milliseconds, other things take long."""

_NOTHING = Path(os.devnull)

T = TypeVar("T")

Program = Callable[[list[str]], Any]
"""A process by its arguments: a function of a module, which is imported."""

MOTHER = multiprocessing.get_context("forkserver")
MOTHER.set_forkserver_preload(["tests.mother"])


@dataclass(frozen=True, slots=True)
class Streams:
    """The files of a process: standard input, output, and errors. Without `out`, a pipe."""

    out: Path | None = None
    errors: Path = _NOTHING
    given: Path = _NOTHING

    def opened(self, pipe: int) -> tuple[int, int, int]:
        """Open them; output goes to the `pipe` if it has no file."""
        out = _appending(self.out) if self.out else os.dup(pipe)
        return os.open(self.given, os.O_RDONLY), out, _appending(self.errors)


class Process:
    """A process that was started; as a context manager it is killed at the end, if it still runs.

    `stdout` reads its standard output, if that has no file.
    """

    def __init__(self, handle: Popen[str] | ForkServerProcess, stdout: IO[str]) -> None:
        assert handle.pid is not None
        self.pid = handle.pid
        self.stdout = stdout
        self._handle = handle

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        if isinstance(self._handle, Popen):
            return self._handle.poll() is None
        return self._handle.is_alive()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self, seconds: float | None = PATIENCE) -> int:
        """Return its exit status; raise TimeoutExpired if it still runs after so many seconds."""
        if isinstance(self._handle, Popen):
            return self._handle.wait(seconds)
        self._handle.join(seconds)
        if self._handle.exitcode is None:
            raise TimeoutExpired("pbm", seconds or 0)
        return self._handle.exitcode

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and return its exit status."""
        self.send(number)
        return self.wait()

    def kill(self) -> None:
        """End it with kill -9, and return once it is gone."""
        if self.runs:
            self.end(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        self.stdout.close()


def start(
    *words: str | Path,
    home: Path = Path("/"),
    environment: Mapping[str, str] | None = None,
    streams: Streams = Streams(),
) -> Process:
    """Start a command in `home`."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with ours, theirs:
        files = streams.opened(theirs.fileno())
        try:
            given, out, errors = files
            handle = Popen(
                words, cwd=home, env=environment, stdin=given, stdout=out, stderr=errors, text=True
            )
        finally:
            for file in files:
                os.close(file)
        return Process(handle, os.fdopen(os.dup(ours.fileno())))


def fork(
    *arguments: str,
    home: Path,
    environment: Mapping[str, str] | None = None,
    streams: Streams = Streams(),
    program: Program = main,
) -> Process:
    """Fork a process that is `program` with these arguments, in `home`."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with ours, theirs:
        life = (program, arguments, home, environment or clean_environment(), streams, theirs)
        handle = MOTHER.Process(target=_live, args=life, daemon=True)
        handle.start()
        return Process(handle, os.fdopen(os.dup(ours.fileno())))


def run(
    *words: str | Path,
    home: Path = Path("/"),
    environment: Mapping[str, str] | None = None,
    stdin: str = "",
    seconds: float = PATIENCE,
    program: Program | None = None,
) -> CompletedProcess[str]:
    """Run a command to its end, or a `program` with these arguments, whatever its exit status."""
    with TemporaryDirectory() as place:
        streams = Streams(*(Path(place, name) for name in ("out", "errors", "in")))
        streams.given.write_text(stdin)
        with (
            fork(
                *map(str, words),
                home=home,
                environment=environment,
                streams=streams,
                program=program,
            )
            if program
            else start(*words, home=home, environment=environment, streams=streams)
        ) as process:
            status = process.wait(seconds)
        printed = (Path(place, name).read_text() for name in ("out", "errors"))
        return CompletedProcess(words, status, *printed)


def run_pbm(
    *arguments: str,
    home: Path,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    command: Sequence[str] = (),
    program: Program = main,
) -> CompletedProcess[str]:
    """Run `pbm` in `home` to its end: forked, or by a command."""
    return run(
        *command, *arguments, home=home, environment=environment or clean_environment(),
        stdin=stdin, program=None if command else program,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Other:
    """A process that is a function of a test, and a connection to it."""

    process: ForkServerProcess
    told: Connection

    def kill(self) -> None:
        """End it with kill -9, and return once it is gone."""
        self.process.kill()
        self.process.join()


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
        other = Other(process, ours)
        try:
            yield other
        finally:
            other.kill()


def _live(
    program: Program,
    arguments: tuple[str, ...],
    home: Path,
    environment: Mapping[str, str],
    streams: Streams,
    pipe: Connection,
) -> None:
    """Be a `program` with these arguments from its first instruction to its exit."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(home)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate(streams.opened(pipe.fileno())):
        os.dup2(file, number)
        os.close(file)
    pipe.close()
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - they stay open to its end
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    program([*arguments])


def _appending(file: Path) -> int:
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment without settings of pbm, except those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBM_")}
    return {**kept, "PYTHONUNBUFFERED": "1", "PBM_AS_ROOT": "1", **more}


def until(
    look: Callable[[], T | None], what: str | Callable[[], str], seconds: float = PATIENCE
) -> T:
    """Return what `look` finds as soon as it finds something, for events that nobody announces."""
    deadline, pause = time.monotonic() + seconds, _SHORTEST
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        # Nobody announces it, so there is no event to wait for.
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST)
    missing = what if isinstance(what, str) else what()
    raise AssertionError(f"waited {seconds:.0f} s for {missing}")


def lasting_port(above: int = 0) -> int:
    """Return a free port `above` another that no outgoing connection takes while a server is down.

    Linux and others take ports from 32768 on, where a client could connect to itself.
    """
    # Workers of the suite have numbers in a row, and are to begin far from each other.
    for port in range(max(above + 1, 20_000 + os.getpid() * 37 % 10_000), 32_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


_CLONE_NEWNET = 0x40000000


@contextmanager
def in_network(space: Path) -> Iterator[None]:
    """Be in a network namespace: sockets that this thread makes meanwhile belong there."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open() as home:
        with space.open() as there:
            if libc.setns(there.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        try:
            yield
        finally:
            assert libc.setns(home.fileno(), _CLONE_NEWNET) == 0
