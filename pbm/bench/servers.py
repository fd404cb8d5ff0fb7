"""Servers under measurement: `pbm serve` in one or several processes, and the yardstick N."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from select import select

from pbm.bench.errors import BenchError
from pbm.bench.processes import backends, children_of, cpu_of_all, cpu_seconds
from pbm.bench.scratch import database_name
from pbm.bootstrap import House

START_SECONDS = 60.0
STOP_SECONDS = 15.0

ALL = "intake,play,deliver,remind,think"
_DELIVER = "deliver,remind,think"

PROCESSES: Mapping[str, tuple[str, ...]] = {
    "one": (ALL,),
    "two": (ALL, ALL),
    "three": ("intake", "play", _DELIVER),
    "four": ("intake", "play", "play", _DELIVER),
}
"""What the processes of a server do; in `four`, two play."""

_STAGES = {ALL: "all", _DELIVER: "deliver"}


@dataclass(frozen=True, slots=True)
class Running:
    """A process of a server: its stage ("all" if it does everything), and the port it listens on.

    The port is None if it takes no mails in.
    """

    stage: str
    process: "subprocess.Popen[str]"
    port: int | None

    @property
    def cpu(self) -> float:
        """The CPU seconds that it has used."""
        return cpu_seconds(self.process.pid)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; `database` is the name of one on PostgreSQL."""

    running: tuple[Running, ...]
    database: str = ""

    @property
    def ports(self) -> tuple[int, ...]:
        """Where it takes mails in."""
        return tuple(each.port for each in self.running if each.port is not None)

    def cpu_of_robots(self) -> float:
        """Return the CPU seconds of the processes in which robots think for it."""
        return sum(cpu_of_all(children_of(each.process.pid)) for each in self.running)

    def cpu(self) -> dict[str, float]:
        """Return the CPU seconds of each stage, and of PostgreSQL's processes for this server."""
        spent = {each.stage: 0.0 for each in self.running}
        for each in self.running:
            spent[each.stage] += each.cpu
        database = cpu_of_all(backends(self.database)) if self.database else 0.0
        return {**spent, "database": database}

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let its processes run, and stop them afterwards.

        Those of a dozen servers that wait for their turn would look for work a hundred times a
        second, on the cores of the one whose turn it is.
        """
        self._signal(signal.SIGCONT)
        try:
            yield
        finally:
            self._signal(signal.SIGSTOP)

    def _signal(self, number: signal.Signals) -> None:
        for each in self.running:
            os.kill(each.process.pid, number)


@contextmanager
def serving(
    house: House,
    processes: Sequence[str],
    relay: str,
    preload: Path | None = None,
    options: Sequence[str] = (),
) -> Iterator[Server]:
    """Yield a server of `house` in so many processes, one for each of these roles.

    They are started with further `options`. A library to `preload` can change how slow its disk is.
    Its log is beside the key of the house. Raises BenchError if it does not start.
    """
    folder = house.settings.secret.parent
    given = ("--database", house.settings.database, "--secret", str(house.settings.secret),
               "--address", house.settings.address, "--relay", relay, *options)  # fmt: skip
    with ExitStack() as stack:
        started = []
        for roles in processes:
            listens = ("--smtp", "127.0.0.1:0" if _takes_mails(roles) else "")
            command = ("-m", "pbm", "serve", *listens, "--roles", roles, *given)
            started.append((roles, stack.enter_context(_process(command, folder, preload))))
        running = tuple(
            Running(
                _STAGES.get(roles, roles),
                process,
                _port(process, folder) if _takes_mails(roles) else None,
            )
            for roles, process in started
        )
        yield Server(running, database_name(house))


def _takes_mails(roles: str) -> bool:
    return "intake" in roles.split(",")


@contextmanager
def yardstick(folder: Path) -> Iterator[Server]:
    """Yield the yardstick N, which logs into `folder`."""
    with _process(("-m", "pbm.bench.null_smtp"), folder) as process:
        yield Server((Running("null", process, _port(process, folder)),))


def environment() -> dict[str, str]:
    """Return this process's environment without any setting of pbm.

    A scratch server may run as root, as whoever measures does.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBM_")}
    return {**kept, "PBM_AS_ROOT": "1"}


@contextmanager
def _process(
    arguments: Sequence[str], folder: Path, preload: Path | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """Run this Python with these arguments, and end it afterwards."""
    variables = environment() | ({"LD_PRELOAD": str(preload)} if preload else {})
    with (folder / "serve.log").open("a") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *arguments], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=log, text=True, env=variables,
        )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        process.send_signal(signal.SIGCONT)  # one whose turn is over would not hear it
        try:
            process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _port(process: "subprocess.Popen[str]", folder: Path) -> int:
    """Return where a process listens, once it does."""
    stdout = process.stdout
    line = ""
    if stdout is not None and select([stdout], [], [], START_SECONDS)[0]:
        line = stdout.readline()
    if not line.startswith("listening smtp "):
        log = (folder / "serve.log").read_text().strip().splitlines()
        raise BenchError(f"A server has not started: {log[-1] if log else 'it says nothing'}")
    return int(line.rpartition(":")[2])
