"""Servers that are measured: scratch databases, processes of `pbm serve`, and the yardstick N."""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine, make_url, text

from bench.report import BenchError
from pbm.bootstrap import House, prepare_database
from pbm.config import Settings
from pbm.store.database import parse_url
from pbm.system import utc_now

ADDRESS = "pbm@localhost"

SQLITE = "sqlite"
"""Stands for a database in a file of its own, where a PostgreSQL server would be named by URL."""


class SteadyClock:
    """A clock that stands until it is set, so that no batch ends early on a busy machine."""

    def __init__(self) -> None:
        self.now = utc_now()

    def __call__(self) -> datetime:
        """Return the time at which it was set."""
        return self.now


def set_clock(house: House) -> None:
    """Set the clock of a scratch house to the present time."""
    if isinstance(house.clock, SteadyClock):
        house.clock.now = utc_now()


@contextmanager
def scratch_house(server: str, relay: str = "null:") -> Iterator[House]:
    """Yield a house with a new database on `server`: SQLITE, or the URL of a PostgreSQL server.

    Its clock is a SteadyClock. Raises BenchError for another URL.
    """
    with TemporaryDirectory(prefix="pbm-bench-") as name, _database(server, Path(name)) as url:
        prepare_database(url)
        settings = Settings(ADDRESS, url, relay, Path(name) / "secret.key")
        house = House(settings, SteadyClock())
        try:
            yield house
        finally:
            house.close()


def backend_of(server: str) -> str:
    """Return what the table calls a server: "sqlite" or "postgresql"; raise BenchError."""
    found = SQLITE if server == SQLITE else parse_url(server).get_backend_name()
    if found == SQLITE and server != SQLITE:
        raise BenchError("A scratch database is made on a PostgreSQL server, or write sqlite.")
    return found


def database_name(house: House) -> str:
    """Return the name that the processes of a PostgreSQL server bear while they work for it."""
    return str(make_url(house.settings.database).database)


@contextmanager
def _database(server: str, folder: Path) -> Iterator[str]:
    """Yield the URL of a new database, which is dropped afterwards."""
    if backend_of(server) == SQLITE:
        yield f"sqlite:///{folder / 'pbm.db'}"
        return
    name = f"pbm_bench_{secrets.token_hex(6)}"
    _run(server, f"CREATE DATABASE {name}")
    try:
        yield parse_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        _run(server, f"DROP DATABASE {name} WITH (FORCE)")


def _run(server: str, statement: str) -> None:
    """Run a statement that works only outside of a transaction."""
    engine = create_engine(parse_url(server), isolation_level="AUTOCOMMIT", hide_parameters=True)
    try:
        with engine.connect() as connection:
            connection.execute(text(statement))
    finally:
        engine.dispose()


_PROC = Path("/proc")

_SCHEDULED = 2
"""With the number of a process, this names its clock of CPU (clock_getcpuclockid)."""


def cpu_seconds(pid: int) -> float:
    """Return the CPU that a process has used, in user and system mode; 0 if it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | _SCHEDULED)
    except OSError:
        return 0.0


def peak_memory(pid: int) -> int:
    """Return the most resident memory that a process had, in octets; 0 if it is gone."""
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


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


def cpu_of_all(pids: Iterable[int]) -> float:
    """Return the CPU seconds of several processes."""
    return sum(map(cpu_seconds, pids))


def _title(pid: int) -> bytes:
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""


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
def serving(house: House, processes: Sequence[str], relay: str) -> Iterator[Server]:
    """Yield a server of `house` in several processes, one for each of these roles.

    Its log is beside the key of the house. Raises BenchError if it does not start.
    """
    folder = house.settings.secret.parent
    given = ("--database", house.settings.database, "--secret", str(house.settings.secret),
               "--address", house.settings.address, "--relay", relay)  # fmt: skip
    with ExitStack() as stack:
        started = []
        for roles in processes:
            listens = ("--smtp", "127.0.0.1:0" if _takes_mails(roles) else "")
            command = ("-m", "pbm", "serve", *listens, "--roles", roles, *given)
            started.append((roles, stack.enter_context(_process(command, folder))))
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
    with _process(("-m", "bench.null_smtp"), folder) as process:
        yield Server((Running("null", process, _port(process, folder)),))


def environment() -> dict[str, str]:
    """Return this process's environment without any setting of pbm.

    A scratch server may run as root, as whoever measures does.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBM_")}
    return {**kept, "PBM_AS_ROOT": "1"}


@contextmanager
def _process(arguments: Sequence[str], folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run this Python with these arguments, and end it afterwards."""
    with (folder / "serve.log").open("a") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *arguments], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=log, text=True, env=environment(),
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
