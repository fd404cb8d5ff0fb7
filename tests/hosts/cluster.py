"""A PostgreSQL of the test's own, in the namespace of the switch, which the hosts reach over it."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from tests.hosts.network import HUB, Network
from tests.processes import PATIENCE, until

_OPTIONS = {
    "listen_addresses": HUB,
    "unix_socket_directories": "",
    # No machine goes down here, only its cables.
    "fsync": "off",
    "max_connections": "60",
}


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
    """The server; as a context manager it runs from entry to exit."""

    url = f"postgresql+psycopg://postgres@{HUB}:5432/postgres"

    def __init__(self, network: Network) -> None:
        self._network = network

    def __enter__(self) -> Self:
        folder = programs()
        self._home = Path(tempfile.mkdtemp(prefix="pbm-hosts-"))
        shutil.chown(self._home, "postgres")
        self._as_postgres(
            str(folder / "initdb"), "--no-sync", "--auth=trust", "--encoding=UTF8",
            "--locale=C.UTF-8", f"--pgdata={self._data}",
        )  # fmt: skip
        with (self._data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.77.0.0/24 trust\n")
        options = [word for name, at in _OPTIONS.items() for word in ("-c", f"{name}={at}")]
        with (self._home / "log").open("w") as log:
            self._server = subprocess.Popen(
                [*self._become, str(folder / "postgres"), "-D", str(self._data), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        until(self._answers, "the database server")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Quick: it does not wait for those who are connected. `runuser` passes the signal on.
        self._server.terminate()
        with self._network.there("hub"):
            subprocess.run(
                [*self._become, str(programs() / "pg_ctl"), "stop", "-D", str(self._data), "-mi"],
                capture_output=True, timeout=PATIENCE, check=False,
            )  # fmt: skip
        self._server.wait(PATIENCE)
        shutil.rmtree(self._home)

    @property
    def _data(self) -> Path:
        return self._home / "data"

    @property
    def _become(self) -> tuple[str, ...]:
        return (*self._network.command("hub"), "runuser", "-u", "postgres", "--")

    def _as_postgres(self, *words: str) -> None:
        subprocess.run(
            [*self._become, *words],
            capture_output=True,
            text=True,
            timeout=60,
            cwd="/",
            check=False,
        )

    def _answers(self) -> bool:
        try:
            with self._network.there("hub"):
                psycopg.connect(f"postgresql://postgres@{HUB}/postgres", connect_timeout=3).close()
        except psycopg.OperationalError:
            return False
        return True
