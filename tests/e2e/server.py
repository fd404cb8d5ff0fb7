"""`pbm serve` as a separate process in its own directory, and `pbm` beside it."""

import multiprocessing
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, Self, TypeVar

from pbm.cli import main
from tests.databases import migrated_file
from tests.e2e.begun import Accounts, put_begun
from tests.e2e.nursery import Born, Program, Streams

PATIENCE = 30.0
"""Seconds after which a test gives up, because busy machines start slowly."""

_SHORTEST, _LONGEST = 0.0025, 0.02
"""Seconds between two looks: a mail is answered in ten milliseconds, other things take long."""

T = TypeVar("T")

PBM = (sys.executable, "-m", "pbm")
"""How `pbm` is started where the start is tested; elsewhere it is forked, which takes no time."""


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment without settings of pbm, except those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBM_")}
    return {**kept, "PYTHONUNBUFFERED": "1", "PBM_AS_ROOT": "1", **more}


def run_pbm(
    *arguments: str,
    home: Path,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    command: tuple[str, ...] | None = None,
    program: Program = main,
) -> subprocess.CompletedProcess[str]:
    """Run `pbm` in `home` to its end, whatever its exit status.

    It is forked to be `program`, or started by `command` if that is given.
    """
    environment = environment or clean_environment()
    if command is None:
        return _run_born(arguments, home, stdin, environment, program)
    return subprocess.run(
        [*command, *arguments], cwd=home, input=stdin, capture_output=True, text=True,
        timeout=PATIENCE, env=environment, check=False,
    )  # fmt: skip


def _run_born(
    arguments: tuple[str, ...],
    home: Path,
    stdin: str,
    environment: Mapping[str, str],
    program: Program,
) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as place:
        given, out, errors = (Path(place, name) for name in ("in", "out", "errors"))
        given.write_text(stdin)
        streams = Streams(given, out, errors)
        status = Born(arguments, home, environment, streams, program).wait(PATIENCE)
        printed = (out.read_text(), errors.read_text())
        return subprocess.CompletedProcess(arguments, status, *printed)


def until(look: Callable[[], T | None], what: str) -> T:
    """Return what `look` finds as soon as it finds something, for events that nobody announces."""
    deadline, pause = time.monotonic() + PATIENCE, _SHORTEST
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        # Nobody announces it, so there is no event to wait for.
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST)
    raise AssertionError(f"waited {PATIENCE:.0f} s for {what}")


def lasting_port() -> int:
    """Return a free port that no outgoing connection takes while the server is down.

    Linux and others take ports from 32768 on, where a client could connect to itself.
    """
    # Workers of the suite have numbers in a row, and are to begin far from each other.
    for port in range(20_000 + os.getpid() * 37 % 10_000, 32_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


class Server:
    """A server in `home`; as a context manager it runs from entry to exit.

    When it is started again, it listens on the same port. It is forked to be `program`, or started
    by `command` if that is given. One that is forked has begun before, and has these `accounts`,
    unless it is told of a database or has one.
    """

    def __init__(
        self,
        home: Path,
        *options: str,
        host: str = "127.0.0.1",
        port: int = 0,
        environment: Mapping[str, str] | None = None,
        command: tuple[str, ...] | None = None,
        program: Program = main,
        accounts: Accounts = (),
    ) -> None:
        self.home = home
        self.host = host
        self.port = port
        self._options = options
        self._environment = environment or clean_environment()
        self._command = command
        self._program = program
        self._accounts = accounts
        self._process: subprocess.Popen[str] | Born | None = None
        self._reader: threading.Thread | None = None

    @property
    def address(self) -> str:
        """The SMTP listener as HOST:PORT."""
        return f"{self.host}:{self.port}"

    @property
    def log(self) -> str:
        """Everything that was written to standard error since the first start."""
        return (self.home / "serve.log").read_text()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start the server, and return it once it listens."""
        named = "--database" in self._options or "PBM_DATABASE" in self._environment
        if self._command is None and not named:
            self._begin_before(self.home / "var")
        self._process, told = self._begin("serve", "--smtp", self.address, *self._options)
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=_read, args=(told, lines))
        self._reader.start()
        line = lines.get(timeout=PATIENCE)
        if not line.startswith(f"listening smtp {self.host}:"):
            self.kill()
            raise AssertionError(f"{line!r}\n{self.log}")
        self.port = int(line.rpartition(":")[2])
        return self

    def _begin_before(self, folder: Path) -> None:
        if folder.exists():
            return
        folder.mkdir()
        if "--no-robots" in self._options:
            shutil.copyfile(migrated_file(), folder / "pbm.db")
        else:
            put_begun(folder, self._accounts)

    def _begin(self, *arguments: str) -> tuple[subprocess.Popen[str] | Born, IO[str]]:
        """Return the started process, and its standard output to read from."""
        log = self.home / "serve.log"
        if self._command is None:
            ours, theirs = multiprocessing.Pipe(duplex=False)
            with ours, theirs:
                streams = Streams(Path(os.devnull), theirs, log)
                born = Born(arguments, self.home, self._environment, streams, self._program)
                return born, os.fdopen(os.dup(ours.fileno()))
        with log.open("a") as errors:
            started = subprocess.Popen(
                [*self._command, *arguments], cwd=self.home, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=errors, text=True, env=self._environment,
            )  # fmt: skip
        assert started.stdout is not None
        return started, started.stdout

    def stop(self) -> int:
        """Ask the server to end, as a supervisor does; return its exit status."""
        assert self._process is not None
        self._process.terminate()
        return self.wait()

    def interrupt(self) -> None:
        """Send the signal of Ctrl-C."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the server with kill -9."""
        assert self._process is not None
        self._process.kill()
        self.wait()

    def abort(self) -> None:
        """End the server as systemd's watchdog does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGABRT)
        self.wait()

    def pbm(self, *arguments: str, stdin: str = "") -> str:
        """Return what `pbm` prints on standard output; check that it succeeds."""
        ended = run_pbm(
            *arguments, home=self.home, stdin=stdin, command=self._command,
            program=self._program, environment={**self._environment, "PBM_SERVER": self.address},
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def wait(self) -> int:
        """Wait for the server to end; return its exit status."""
        assert self._process is not None
        assert self._reader is not None
        status = self._process.wait(PATIENCE)
        self._reader.join()
        self._process = None
        return status

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self.kill()


def _read(stream: IO[str], lines: "queue.SimpleQueue[str]") -> None:
    """Pass lines on, and an empty line at the end, so that nobody waits for a dead process."""
    with stream:
        for line in stream:
            lines.put(line.rstrip("\n"))
    lines.put("")
