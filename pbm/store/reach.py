"""How long a host and its PostgreSQL may be out of each other's reach, or kept out by a lock.

A host that vanishes sends no word: its cable is out, or its power is gone. TCP by itself notices
after fifteen minutes to two hours, and until then its transaction holds locks that others wait for.
So each end is told to ask soon whether the other is still there.
"""

import select
from typing import Any

from sqlalchemy import URL

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
