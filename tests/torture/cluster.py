"""A PostgreSQL server of the torture's own, which can be stopped while others use it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.hosts.cluster import NoPostgresError, programs
from tests.processes import PATIENCE, lasting_port, until

USER = "postgres"
"""Who runs it where the torture is root, whom PostgreSQL refuses."""

FAST, IMMEDIATE = signal.SIGINT, signal.SIGQUIT
"""How it ends: in order, or as in a crash, after which it recovers at the next start."""


class Cluster:
    """The server, whose files are in `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._port = lasting_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql+psycopg://{USER}@127.0.0.1:{self._port}/postgres"
        made = self._run("initdb", "--no-sync", "--auth=trust", f"--username={USER}",
                         "--encoding=UTF8", "--locale=C.UTF-8")  # fmt: skip
        if made.wait(PATIENCE):
            raise NoPostgresError(f"initdb has failed: {self._log.read_text().strip()}")

    def start(self) -> None:
        """Start it, and return once it answers."""
        self._process = self._run(
            "postgres", "-h", "127.0.0.1", "-p", str(self._port), "-c", "unix_socket_directories=",
            # No machine goes down here: what was written is there after any end of the server.
            "-c", "fsync=off",
        )  # fmt: skip
        until(self._answers, "the database server")

    def stop(self, how: signal.Signals) -> None:
        """End it; return once it is gone."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)

    def new_database(self, name: str) -> str:
        """Make a database; return its URL."""
        with psycopg.connect(self._plain_url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url.removesuffix("postgres") + name

    @property
    def _plain_url(self) -> str:
        return self.url.replace("+psycopg", "")

    @property
    def _log(self) -> Path:
        return self._home / "log"

    def _run(self, program: str, *words: str) -> "subprocess.Popen[bytes]":
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = {"user": USER, "group": pwd.getpwnam(USER).pw_gid, "extra_groups": []}
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [str(programs() / program), "-D", str(self._home / "data"), *words],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, **user,
            )  # fmt: skip

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError):
            psycopg.connect(self._plain_url, connect_timeout=3).close()
            return True
        return False


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Yield a server that runs; raise NoPostgresError if PostgreSQL or its user is missing."""
    home = Path(tempfile.mkdtemp(prefix="pbm-torture-cluster-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(home, USER)
        server = Cluster(home)
        server.start()
        try:
            yield server
        finally:
            server.stop(IMMEDIATE)
    except LookupError as error:
        raise NoPostgresError(f"There is no user {USER}, who could run PostgreSQL.") from error
    finally:
        shutil.rmtree(home)
