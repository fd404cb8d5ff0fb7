"""A PostgreSQL server of a test's own, which can be stopped and crashed while others use it."""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import psycopg
from psycopg import sql

from tests.processes import Process, Streams, lasting_port, start, until

USER = "postgres"
"""The user who runs it where the tests are root, which PostgreSQL refuses."""

FAST, IMMEDIATE = signal.SIGINT, signal.SIGQUIT
"""The way it ends: in order, or as in a crash, after which it recovers at the next start."""


class NoPostgresError(Exception):
    """PostgreSQL is not installed; `str()` is a sentence that says so."""


def programs() -> Path:
    """Return the folder with `initdb` and `postgres`, which Debian keeps off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders:
        raise NoPostgresError("To make a database server, PostgreSQL must be installed (initdb).")
    return folders[-1]


class Cluster:
    """The server at `address`, whose files are in `home`; `url` is that of its first database.

    `before` are words before each command, and `there` is where one must be to connect.
    """

    def __init__(
        self,
        home: Path,
        address: str = "127.0.0.1",
        before: Sequence[str] = (),
        there: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._home = home
        self._address = address
        self._port = lasting_port()
        self._before = before
        self._there = there
        self._process: Process | None = None
        self.url = f"postgresql+psycopg://{USER}@{address}:{self._port}/postgres"
        with self._run("initdb", "--no-sync", "--auth=trust", f"--username={USER}",
                       "--encoding=UTF8", "--locale=C.UTF-8") as making:  # fmt: skip
            if making.wait():
                told = (home / "log").read_text().strip()
                raise NoPostgresError(f"initdb has failed: {told}")
        with (home / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all samenet trust\n")

    def start(self) -> None:
        """Start it, and return once it answers."""
        self._process = self._run(
            "postgres", "-h", self._address, "-p", str(self._port),
            "-c", "unix_socket_directories=", "-c", "max_connections=100",
            # No machine goes down here: what was written is there after any end of the server.
            "-c", "fsync=off",
        )  # fmt: skip
        until(self._answers, "the database server")

    def stop(self, how: signal.Signals) -> None:
        """End it; return once it is gone."""
        if self._process is not None:
            with self._process as process:
                process.end(how)

    def new_database(self, name: str) -> str:
        """Make a database; return its URL."""
        with psycopg.connect(self._plain_url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url.removesuffix("postgres") + name

    @property
    def _plain_url(self) -> str:
        return self.url.replace("+psycopg", "")

    def _run(self, program: str, *words: str) -> Process:
        log = self._home / "log"
        become = (
            ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
            if os.geteuid() == 0
            else ()
        )
        command = [*self._before, *become, str(programs() / program), "-D", f"{self._home}/data"]
        return start(*command, *words, streams=Streams(log, log))

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), self._there():
            psycopg.connect(self._plain_url, connect_timeout=3).close()
            return True
        return False


@contextmanager
def cluster(
    address: str = "127.0.0.1",
    before: Sequence[str] = (),
    there: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Iterator[Cluster]:
    """Yield a server that runs; raise NoPostgresError if PostgreSQL or its user is missing."""
    home = Path(tempfile.mkdtemp(prefix="pbm-cluster-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(home, USER)
        server = Cluster(home, address, before, there)
        server.start()
        try:
            yield server
        finally:
            server.stop(IMMEDIATE)
    except LookupError as error:
        raise NoPostgresError(f"There is no user {USER}, who could run PostgreSQL.") from error
    finally:
        shutil.rmtree(home)
