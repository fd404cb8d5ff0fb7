"""`pbm serve` as a process of its own, in a directory of its own, and `pbm` beside it."""

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeVar

PATIENCE = 30.0
"""Seconds after which a test gives up; busy machines start slowly."""

T = TypeVar("T")

PBM = (sys.executable, "-m", "pbm")


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment without settings of pbm, but for those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBM_")}
    return {**kept, "PYTHONUNBUFFERED": "1", **more}


def run_pbm(
    *arguments: str,
    home: Path,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    command: tuple[str, ...] = PBM,
) -> subprocess.CompletedProcess[str]:
    """Run `pbm` in `home` to its end; nothing is said about its status."""
    return subprocess.run(
        [*command, *arguments], cwd=home, input=stdin, capture_output=True, text=True,
        timeout=PATIENCE, env=environment or clean_environment(), check=False,
    )  # fmt: skip


def until(look: Callable[[], T | None], what: str) -> T:
    """Return what `look` finds, as soon as it finds it: for what tells nobody of itself."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {PATIENCE:.0f} s for {what}")


def lasting_port() -> int:
    """Return a free port that no outgoing connection will take while the server is down.

    Linux and others take those from 32768 on; a client that calls there may meet itself.
    """
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


class Server:
    """A server in `home`; as a context manager it runs from entry to exit.

    Started again it listens on the port that it had.
    """

    def __init__(
        self,
        home: Path,
        *options: str,
        port: int = 0,
        environment: Mapping[str, str] | None = None,
        command: tuple[str, ...] = PBM,
    ) -> None:
        self.home = home
        self.port = port
        self._options = options
        self._environment = environment or clean_environment()
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    @property
    def address(self) -> str:
        """HOST:PORT of the SMTP listener."""
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Everything that was written to standard error, by all starts."""
        return (self.home / "serve.log").read_text()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start, and return when it listens."""
        with (self.home / "serve.log").open("a") as log:
            self._process = subprocess.Popen(
                [*self._command, "serve", "--smtp", self.address, *self._options],
                cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                text=True, env=self._environment,
            )  # fmt: skip
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=_read, args=(self._process.stdout, lines))
        self._reader.start()
        line = lines.get(timeout=PATIENCE)
        if not line.startswith("listening smtp 127.0.0.1:"):
            self.kill()
            raise AssertionError(f"{line!r}\n{self.log}")
        self.port = int(line.rpartition(":")[2])
        return self

    def stop(self) -> int:
        """Ask it to end, as a supervisor does; return its exit status."""
        assert self._process is not None
        self._process.terminate()
        return self.wait()

    def interrupt(self) -> None:
        """Say Ctrl-C."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """Kill -9."""
        assert self._process is not None
        self._process.kill()
        self.wait()

    def pbm(self, *arguments: str, stdin: str = "") -> str:
        """Return what `pbm` says on standard output; it must succeed."""
        ended = run_pbm(
            *arguments, home=self.home, stdin=stdin, command=self._command,
            environment={**self._environment, "PBM_SERVER": self.address},
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def wait(self) -> int:
        """Return the exit status, when it has ended."""
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
    """Pass lines on, and an empty one at the end, so that nobody waits for a dead process."""
    with stream:
        for line in stream:
            lines.put(line.rstrip("\n"))
    lines.put("")
