"""What only PostgreSQL needs: settings, and how long it may be out of reach.

A host that vanishes sends no word: its cable is out, or its power is gone. TCP by itself notices
after fifteen minutes to two hours, and until then its transaction holds locks that others wait for.
So each end is told to ask soon whether the other is still there.
"""

import select
from collections.abc import Mapping
from typing import Any

from sqlalchemy import URL, Connection
from sqlalchemy.exc import InvalidatePoolError

from pbm.store.pipeline import Answer, ask

_OURS = {
    "connect_timeout": 5,
    # The server is asked after 5 s of silence, and given up after three questions, 2 s apart.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    # What it does not even acknowledge is lost after 10 s, so that intake can say 451 (RFC 5321
    # section 4.5.3.2.6: the client waits ten minutes for that).
    "tcp_user_timeout": 10_000,
}
"""Parameters of libpq (PostgreSQL's manual, section 34.1.2) in seconds, the last in ms."""

_THEIRS = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "15000",
    # A process that is frozen while its host answers: its transaction is undone.
    "idle_in_transaction_session_timeout": "60000",
    # Somebody at a prompt may hold a lock for hours. As long as SQLite waits: intake says 451 then,
    # and the log tells why nothing goes on.
    "lock_timeout": "20000",
}
"""Settings of a session in the server, in seconds and, where there are thousands, in milliseconds.
What is left there of a host that has vanished ends after 15 s."""

_SET = "SELECT " + ", ".join(f"set_config('{name}', '{at}', false)" for name, at in _THEIRS.items())


def parameters(url: URL) -> dict[str, object]:
    """Return what to tell libpq for a connection to `url`, but for what the URL itself says."""
    return {name: value for name, value in _OURS.items() if name not in url.query}


def tell_server(connection: Any, record: object) -> None:
    """Tell the server how long to wait for this new connection of psycopg's.

    By a statement and not as it connects, because poolers let few parameters pass.
    """
    del record
    connection.execute(_SET)


def is_cut(connection: Any) -> bool:
    """Return whether the server has hung up on a connection of psycopg's, without asking it."""
    import psycopg  # noqa: PLC0415 - an extra

    if connection.closed:
        return True
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    try:
        while watch.poll(0):
            # It ends, or tells what nobody has asked for, such as a new setting.
            connection.pgconn.consume_input()
    except psycopg.OperationalError:
        return True
    return False


BY_INDEXES = {
    "enable_seqscan": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""Settings with which PostgreSQL finds rows by indexes, and keeps its plans.

It keeps a plan for as long as the connection. One that was made while a table was small would read
all of it, until the server has looked at the table anew: in a flood, too late. And by itself it
plans most statements anew each time, since to find one row looks cheaper than to find as many as
it guesses. Where there is no index, it thinks that to read all costs so much that it compiles the
statement first, for a third of a second (JIT).
"""


def by_indexes(connection: Connection) -> None:
    """Ask that the open transaction finds its rows by indexes."""
    set_within(connection, BY_INDEXES)


def planned_anew(connection: Connection) -> None:
    """Ask that the rest of the open transaction is planned for its values, if that looks better."""
    set_within(connection, {"plan_cache_mode": "auto"})


def set_within(connection: Connection, settings: Mapping[str, str]) -> None:
    """Ask PostgreSQL for these settings until the open transaction ends."""
    if connection.dialect.name == "postgresql":
        told = ", ".join(f"set_config('{name}', '{to}', true)" for name, to in settings.items())
        ask(Answer(connection, f"SELECT {told}"), connection)


def replace_if_cut(driver: Any, _record: object, _pooled: object) -> None:
    """Let the pool replace its connections if a restart of the server has cut one."""
    if is_cut(driver):
        raise InvalidatePoolError
