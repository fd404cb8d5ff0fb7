"""`pbm serve` as a separate process in its own directory, and `pbm` beside it.

At its first start a server makes its tables and its robots, and people open their accounts by two
mails each. That takes longer than most tests, so servers begin with copies of such a database.
"""

import queue
import shutil
import signal
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import IO, Self

from pbm.cli import main
from pbm.config import Settings
from pbm.operator.administration import Administration
from pbm.server import process as server
from pbm.server import stage
from pbm.server.assembly import App
from pbm.server.watch import traces
from tests.databases import migrated_file
from tests.house import QUICK_PASSWORDS
from tests.processes import PATIENCE, Process, Program, Streams, clean_environment, fork, run_pbm
from tests.processes import start as start_command

Accounts = tuple[tuple[str, str], ...]
"""Players and their passwords; each writes from their name at example.com."""


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
        command: tuple[str, ...] = (),
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
        self._process: Process | None = None

    @property
    def address(self) -> str:
        """The SMTP listener as HOST:PORT."""
        return f"{self.host}:{self.port}"

    @property
    def log(self) -> str:
        """Everything that was written to standard error since the first start."""
        return (self.home / "serve.log").read_text()

    @property
    def process(self) -> Process:
        """The process, which runs."""
        assert self._process is not None
        return self._process

    @property
    def pid(self) -> int:
        return self.process.pid

    def start(self) -> Self:
        """Start the server, and return it once it listens."""
        named = "--database" in self._options or "PBM_DATABASE" in self._environment
        if not self._command and not named:
            self._begin_before(self.home / "var")
        elif self._process is None and not (self.home / "serve.log").exists():
            options = [*self._options]
            at = options.index("--database") if "--database" in options else len(options)
            self.pbm("db", "upgrade", *options[at : at + 2])
        self._process = self._begin("serve", "--smtp", self.address, *self._options)
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=_read, args=(self._process.stdout, lines))
        self._reader.start()
        line = lines.get(timeout=PATIENCE)
        if not line.startswith(f"listening smtp {self.host}:"):
            self.kill()
            raise AssertionError(f"{line!r}\n{self.log}")
        self.port = int(line.rpartition(":")[2])
        return self

    def _begin_before(self, folder: Path) -> None:
        if (folder / "pbm.db").exists():
            return
        folder.mkdir(exist_ok=True)
        if "--no-robots" in self._options:
            shutil.copyfile(migrated_file(), folder / "pbm.db")
        else:
            put_begun(folder, self._accounts)

    def _begin(self, *arguments: str) -> Process:
        streams = Streams(errors=self.home / "serve.log")
        if self._command:
            return start_command(
                *self._command, *arguments,
                home=self.home, environment=self._environment, streams=streams,
            )  # fmt: skip
        return fork(
            *arguments, home=self.home, environment=self._environment, streams=streams,
            program=self._program,
        )  # fmt: skip

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask the server to end, as a supervisor does; return its exit status."""
        self.process.send(number)
        return self.wait()

    def kill(self) -> None:
        """End the server with kill -9."""
        self.stop(signal.SIGKILL)

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
        status = self.process.wait()
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


# ---- servers that have begun before

_FILES = ("pbm.db", "secret.key")


def put_begun(folder: Path, accounts: Accounts = ()) -> None:
    """Put the database and the key of a server into `folder`: its robots are there, and accounts.

    The passwords are checked at the lowest cost.
    """
    for name in _FILES:
        shutil.copy(_begun(accounts) / name, folder / name)
        (folder / name).chmod(0o600)


@cache
def _begun(accounts: Accounts) -> Path:
    folder = Path(mkdtemp())
    database, key = (folder / name for name in _FILES)
    shutil.copyfile(migrated_file(), database)
    settings = Settings("pbm@localhost", f"sqlite:///{database}", "null:", key)
    house = App(settings, passwords=QUICK_PASSWORDS)
    house.robots.make()
    with house.open_unit() as work:
        operator = Administration(house.services, work, datetime.now(UTC))
        for userid, password in accounts:
            operator.add_player(userid, password, [f"{userid}@example.com"])
        work.commit()
    # The last connection to close empties SQLite's log into the file.
    house.close()
    return folder


# ---- `pbm` with another patience, which is no setting


def patient(arguments: list[str]) -> None:
    """Be a `pbm` whose stages look for work once in an hour: what is quick was woken."""
    server.POLL_SECONDS = server.DEAF_SECONDS = 3600.0
    main(arguments)


def restless(arguments: list[str]) -> None:
    """Be a `pbm` that does after a moment what another does after one second or five."""
    server.POLL_SECONDS = server.DEAF_SECONDS = stage.OUTAGE_SECONDS = 0.1
    traces.SETTLES = 0.0
    main(arguments)


def beating(arguments: list[str]) -> None:
    """Be a restless `pbm` that gives ten signs of life a second."""
    server.ROUND_SECONDS = 0.1
    restless(arguments)
