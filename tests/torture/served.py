"""The processes of a server under torture: started, killed, and started again.

Each serves as `pbm serve` does.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from pbm.cli import main
from tests.processes import PATIENCE, Process, Streams, fork, until
from tests.torture.kinds import install
from tests.torture.points import POINTS, Point, arm

KILLED = (-signal.SIGKILL, 255)
"""The second is said of a process that was killed before its parent had noted that it lives."""

_PAUSE = 0.3
"""Seconds between the end of a process that has ended by itself and the next start."""

_NOTICED = 5.0
"""Seconds after which a process has long noticed that its database is back."""

_NAMED = 0.5
"""The share of the processes that must die at a named point."""


def serve(arguments: list[str], deadly: tuple[Point, int] | None) -> None:
    """Be a server from now on, which dies at a named point if one is given."""
    threading.Thread(target=_end_with_the_torture, daemon=True).start()
    install(Path.cwd())
    if deadly:
        arm(*deadly)
    main(["serve", *arguments])


def _end_with_the_torture() -> None:
    """End this process once the torture is over, however it has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _listens(process: Process) -> bool:
    """Return whether a process handles SIGTERM, or has ended."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except FileNotFoundError:
        return True
    signals = dict(line.split(":", 1) for line in status.splitlines())
    caught = int(signals["SigCgt"], 16)
    return "Z" in signals["State"] or bool(caught >> (signal.SIGTERM - 1) & 1)


@dataclass(frozen=True)
class End:
    """A process that ended by itself: its exit status, and from when to when it ran."""

    status: int
    began: float
    ended: float

    def is_fault(self, away: Iterable[tuple[float, float]]) -> bool:
        """Return whether it had no reason: its database was not away shortly before.

        `away` says from when to when the database was away. Status 1 says that something outside
        does not work; any other status is a bug.
        """
        since = max(self.began, self.ended - _NOTICED)
        return self.status != 1 or not any(a <= self.ended and b >= since for a, b in away)


@dataclass
class Served:
    """One process of a layout, which is started again whenever it ends."""

    home: Path
    roles: tuple[str, ...]
    port: int
    environment: Mapping[str, str]
    chance: Random
    kills: Counter[str] = field(default_factory=Counter)
    """The number of kills, by place."""
    ends: list[End] = field(default_factory=list)
    """Those that ended by themselves."""
    _process: Process | None = None
    _named: str = ""
    _mercy: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._keeper = threading.Thread(target=self._keep, name=f"keeper-{'-'.join(self.roles)}")

    @property
    def pid(self) -> int | None:
        """The number of the process that runs now."""
        process = self._process
        return process.pid if process else None

    def begin(self) -> None:
        """Start, and go on starting."""
        self._keeper.start()

    def kill(self, where: str = "anywhere") -> bool:
        """Kill what runs now; return whether anything did."""
        with self._lock:
            if self._process is None or not self._process.runs:
                return False
            self._named = where
            self._process.send(signal.SIGKILL)
            return True

    def spare(self) -> None:
        """Give no process a point to die at from now on."""
        self._mercy.set()

    def end(self) -> int | None:
        """Ask the process to end as a supervisor does; return its exit status."""
        with self._lock:
            self._over.set()
            process = self._process
            if process is not None:
                # Before its handlers stand, SIGTERM would end it with -15, as any program.
                until(lambda: _listens(process), "the server to listen to signals")
                process.send(signal.SIGTERM)
        self._keeper.join(PATIENCE)
        return None if process is None else process.wait(0)

    def _keep(self) -> None:
        while True:
            with self._lock:
                if self._over.is_set():
                    return
                process, began = self._started(), time.monotonic()
                self._process = process
            with process:
                status = process.wait(None)
            if self._over.is_set():
                return
            if status in KILLED:
                self.kills[self._named] += 1
            else:
                self.ends.append(End(status, began, time.monotonic()))
                # Perhaps the database is away; a supervisor would pause as well.
                self._over.wait(_PAUSE)

    def _started(self) -> Process:
        deadly = self._deadly()
        self._named = deadly[0].name if deadly else "anywhere"
        listening = ["--smtp", f"127.0.0.1:{self.port}"] if "intake" in self.roles else []
        arguments = [*listening, "--roles", ",".join(self.roles), "--log-level", "INFO"]
        log = self.home / "serve.log"
        return fork(
            *arguments, home=self.home, environment=self.environment, streams=Streams(log, log),
            program=partial(serve, deadly=deadly),
        )  # fmt: skip

    def _deadly(self) -> tuple[Point, int] | None:
        if self._mercy.is_set() or self.chance.random() > _NAMED:
            return None
        point = self.chance.choice([point for point in POINTS if point.role in self.roles])
        return point, self.chance.randint(1, point.most)
