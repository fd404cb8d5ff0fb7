"""Databases that are gone for a while, seen from outside."""

import resource
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Protocol

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from tests.cluster import FAST, IMMEDIATE, Cluster


class Database(Protocol):
    """A database that can be taken away."""

    url: str

    def gone(self, pids: Iterable[int], chance: Random) -> str:
        """Take it away from these processes for a while; return what was done when it is back."""


class SqliteFile:
    """A file: somebody else writes, or the disk is full."""

    def __init__(self, file: Path) -> None:
        self.url = f"sqlite:///{file}"
        self._file = file

    def gone(self, pids: Iterable[int], chance: Random) -> str:
        """See Database."""
        if chance.random() < 0.5:
            self._locked(chance.uniform(0.2, 2.0))
            return "locked"
        with full_disk(pids, self._file.with_name("serve.log")):
            time.sleep(chance.uniform(0.1, 1.0))
        return "full"

    def _locked(self, seconds: float) -> None:
        with closing(sqlite3.connect(self._file, timeout=30, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            writer.execute("ROLLBACK")


@contextmanager
def full_disk(pids: Iterable[int], log: Path) -> Iterator[None]:
    """Let these processes write no file beyond the present length of `log`, or little more.

    So they can say what happens to them, and SQLite's own files, which are longer, cannot grow.
    """
    length = (log.stat().st_size if log.exists() else 0) + 64 * 1024
    limited = []
    for pid in pids:
        with suppress(ProcessLookupError):
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (length, hard))
            limited.append((pid, hard))
    try:
        yield
    finally:
        for pid, hard in limited:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


_ENDS = {"stopped": FAST, "crashed": IMMEDIATE}


class PostgresDatabase:
    """A database of a server: its connections are cut, and no others let in.

    If the server is the torture's own `cluster`, it is also stopped.
    """

    def __init__(self, url: str, server: str, cluster: Cluster | None = None) -> None:
        self.url = url
        self._cluster = cluster
        self._troubles = cycle(
            ("crashed", "cut", "stopped", "closed") if cluster else ("cut", "closed")
        )
        self._name = str(make_url(url).database)
        self._server = (
            make_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
        )

    def gone(self, pids: Iterable[int], chance: Random) -> str:
        """See Database."""
        del pids
        what, seconds = next(self._troubles), chance.uniform(0, 1.5)
        if self._cluster and what in _ENDS:
            self._cluster.stop(_ENDS[what])
            time.sleep(seconds)
            self._cluster.start()
            return what
        if what == "closed":
            with self.away():
                time.sleep(seconds)
            return what
        with psycopg.connect(self._server, autocommit=True) as connection:
            self._cut(connection)
        return what

    @contextmanager
    def away(self) -> Iterator[None]:
        """Take it away while the block runs."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(self._allow("false"))
            self._cut(connection)
            try:
                yield
            finally:
                connection.execute(self._allow("true"))

    def _allow(self, word: str) -> sql.Composed:
        statement = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        return statement.format(sql.Identifier(self._name), sql.SQL(word))

    def _cut(self, connection: psycopg.Connection) -> None:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = %s AND pid != pg_backend_pid()",
            (self._name,),
        )
