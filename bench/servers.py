"""Servers that are measured: scratch databases, processes of `pbm serve`, and the yardstick N."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine, make_url, text

from bench.report import BenchError
from bench.wire import HOST
from pbm.config import Settings
from pbm.server.assembly import App
from pbm.store import migrations
from pbm.store.driver.database import parse_url
from pbm.system import utc_now

SQLITE = "sqlite"
"""Means a database in a file of its own, where a PostgreSQL server would be named by URL."""

_START_SECONDS = 60.0
STOP_SECONDS = 15.0

ALL = "intake,play,deliver,remind,think"
DELIVER = "deliver,remind,think"

PROCESSES: Mapping[str, tuple[str, ...]] = {
    "one": (ALL,),
    "two": (ALL, ALL),
    "three": ("intake", "play", DELIVER),
    "four": ("intake", "play", "play", DELIVER),
}
"""The layouts of a server: the roles of each process."""

_STAGES = {ALL: "all", DELIVER: "deliver"}
"""The names in the table of roles that are more than one word."""


@contextmanager
def scratch_app(server: str) -> Iterator[App]:
    """Yield a app with a new database on `server`: SQLITE, or the URL of a PostgreSQL server.

    Its clock is stopped, so that no batch ends early on a busy machine. Raises BenchError for
    another URL.
    """
    with TemporaryDirectory(prefix="pbm-bench-") as name, _database(server, Path(name)) as url:
        migrations.upgrade(url)
        settings = Settings("pbm@localhost", url, "null:", Path(name) / "secret.key")
        now = utc_now()
        app = App(settings, lambda: now)
        try:
            yield app
        finally:
            app.close()


def backend_of(server: str) -> str:
    """Return what the table calls a server: "sqlite" or "postgresql"; raise BenchError."""
    found = SQLITE if server == SQLITE else parse_url(server).get_backend_name()
    if found == SQLITE and server != SQLITE:
        raise BenchError("A scratch database is made on a PostgreSQL server, or write sqlite.")
    return found


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
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


_SCHEDULED = 2
"""With the number of a process, this names its clock of CPU (clock_getcpuclockid)."""


def cpu_seconds(pid: int) -> float:
    """Return the CPU that a process has used, in user and system mode; 0 if it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | _SCHEDULED)
    except OSError:
        return 0.0


def database_cpu(app: App) -> float:
    """Return the CPU seconds of the PostgreSQL processes of this machine that work for a app.

    They have its database in their title. 0 if it has another database, or a server elsewhere.
    """
    word = f" {make_url(app.settings.database).database} ".encode()
    found = 0.0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            title = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if title.startswith(b"postgres") and word in title:
            found += cpu_seconds(int(entry.name))
    return found


@dataclass(frozen=True, slots=True)
class Server:
    """A running server of `app`, or the yardstick N, and the ports where it takes mails in.

    Each of its processes has a stage: its role, or "all" if it does everything.
    """

    app: App | None
    processes: tuple[tuple[str, "subprocess.Popen[str]"], ...]
    ports: tuple[int, ...]

    def cpu(self) -> dict[str, float]:
        """Return the CPU seconds of each stage, and of PostgreSQL's processes for this server."""
        spent = dict.fromkeys((stage for stage, _ in self.processes), 0.0)
        for stage, process in self.processes:
            spent[stage] += cpu_seconds(process.pid)
        return {**spent, "database": database_cpu(self.app) if self.app else 0.0}

    def peak_memory(self) -> int:
        """Return the most resident memory that one of its processes had, in octets."""
        peaks = [0]
        for _, process in self.processes:
            status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            peaks += [1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM:")]
        return max(peaks)

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
        for _, process in self.processes:
            os.kill(process.pid, number)


@contextmanager
def serving(app: App, processes: Sequence[str], relay: str) -> Iterator[Server]:
    """Yield a server of `app` in several processes, one for each of these roles.

    Its log is beside the key of the app. Raises BenchError if it does not start.
    """
    folder = app.settings.secret.parent
    given = ("--database", app.settings.database, "--secret", str(app.settings.secret),
             "--address", app.settings.address, "--relay", relay)  # fmt: skip
    with ExitStack() as stack:
        started = []
        for roles in processes:
            listens = "127.0.0.1:0" if "intake" in roles else ""
            command = ("-m", "pbm", "serve", "--smtp", listens, "--roles", roles, *given)
            process = stack.enter_context(_process(command, folder))
            started.append((_STAGES.get(roles, roles), process))
        ports = tuple(
            _port(process, folder)
            for roles, (_, process) in zip(processes, started, strict=True)
            if "intake" in roles
        )
        yield Server(app, tuple(started), ports)


@contextmanager
def yardstick() -> Iterator[Server]:
    """Yield the yardstick N: aiosmtpd with a handler that throws mails away."""
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    command = ("-m", "aiosmtpd", "-n", "-c", "aiosmtpd.handlers.Sink", "-l", f"{HOST}:{port}")
    with TemporaryDirectory(prefix="pbm-bench-") as name, _process(command, Path(name)) as process:
        while process.poll() is None:
            with suppress(ConnectionRefusedError), socket.create_connection((HOST, port)):
                break
            time.sleep(0.05)
        yield Server(None, (("null", process),), (port,))


def environment() -> dict[str, str]:
    """Return this process's environment without any setting of pbm.

    A scratch server may run as root, as whoever measures does, and finds this package.
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
    if stdout is not None and select([stdout], [], [], _START_SECONDS)[0]:
        line = stdout.readline()
    if not line.startswith("listening smtp "):
        log = (folder / "serve.log").read_text().strip().splitlines()
        raise BenchError(f"A server has not started: {log[-1] if log else 'it says nothing'}")
    return int(line.rpartition(":")[2])
