"""Statements that go to PostgreSQL in one write, whose answers are read together.

psycopg's own pipeline hands every statement to the network by itself, which is three system calls
here and wakes the server each time: twelve statements took 0.63 ms of CPU here and 0.26 ms there,
and take 0.12 and 0.05 this way. So these go to libpq directly (`psycopg.pq`; PostgreSQL's manual,
section 34.5), prepared at their first use. Values and rows are made by psycopg's adapters.

A connection's own `execute` goes on to work beside this. It must not prepare statements by itself
(`prepare_threshold`), because now and then it would have the server forget all of them, ours too.
"""

import select
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import psycopg
from psycopg import adapt
from psycopg.abc import Buffer, Transformer
from psycopg.adapt import PyFormat
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from pbm.store.pipeline import Found, Question

_PREPARED = "pbm_prepared"

_MOST_PREPARED = 500
"""Statements that a connection keeps prepared. The same text with values of other types, of which
NULL is one, is another statement. There are about a hundred; this is so that they stay bounded."""

_UNPREPARED = frozenset({"0A000", "26000"})
"""What PostgreSQL says of a prepared statement whose table has changed, or that it does not know
(its manual, appendix A)."""

_BINARY = 1
"""The format of results: as text, a mail is hexadecimal and twice as long."""

_FINE = ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK

_Key = tuple[str, tuple[int, ...]]
"""A statement and the types of its values, as PostgreSQL numbers them."""


class _Names:
    """Under which names the statements of a connection are prepared."""

    def __init__(self) -> None:
        self._kept: dict[_Key, bytes] = {}
        self._given = count(1)

    def of(self, key: _Key) -> bytes:
        """Return the name of a statement; if it has none, it is empty."""
        return self._kept.get(key, b"")

    def new(self) -> bytes:
        """Return a name that no statement has had; it is empty if there are too many."""
        return b"pbm_%d" % next(self._given) if len(self._kept) < _MOST_PREPARED else b""

    def keep(self, key: _Key, name: bytes) -> None:
        """Note that a statement is prepared."""
        self._kept[key] = name

    def forget(self) -> None:
        """Prepare every statement anew, because the server has lost them, or its tables changed."""
        self._kept.clear()


@dataclass(frozen=True, slots=True)
class _Message:
    """A question as it is sent: its values dumped, and under which `name` it is prepared.

    Without a name it is planned for this time only. It is prepared now if it is `new`.
    """

    key: _Key
    values: Sequence[Buffer | None]
    formats: Sequence[int]
    name: bytes
    new: bool

    def send(self, libpq: PGconn) -> None:
        """Put it into libpq's buffer; it has a result, and one before that if it is `new`."""
        sql, types = self.key
        if self.new:
            libpq.send_prepare(self.name, sql.encode(), types)
        if self.name:
            libpq.send_query_prepared(self.name, self.values, self.formats, _BINARY)
        else:
            libpq.send_query_params(sql.encode(), self.values, types, self.formats, _BINARY)


def ask_together(
    driver: psycopg.Connection, info: MutableMapping[Any, Any], questions: Sequence[Question]
) -> list[Found]:
    """Return what is found; see `pipeline`, which calls this."""
    names: _Names = info.setdefault(_PREPARED, _Names())
    adapter: Transformer = adapt.Transformer(driver)
    # A value that cannot be sent is found before anything is.
    messages = _messages(adapter, questions, names)
    results = iter(_exchange(driver, messages))
    return [_found(adapter, message, results, names) for message in messages]


def _messages(adapter: Transformer, questions: Sequence[Question], names: _Names) -> list[_Message]:

    messages = []
    begun: dict[_Key, bytes] = {}
    for question in questions:
        values = adapter.dump_sequence(question.values, [PyFormat.AUTO] * len(question.values))
        key = question.sql, tuple(adapter.types or ())
        name = names.of(key) or begun.get(key, b"")
        new = not name
        if new:
            name = begun[key] = names.new()
        messages.append(_Message(key, values, adapter.formats or (), name, new and bool(name)))
    return messages


def _exchange(driver: psycopg.Connection, messages: Sequence[_Message]) -> list[PGresult]:
    """Send the messages; return all results of the server."""
    libpq = driver.pgconn
    try:
        libpq.enter_pipeline_mode()
        for message in messages:
            message.send(libpq)
        libpq.pipeline_sync()
        results = _results(libpq)
        libpq.exit_pipeline_mode()
    except BaseException:
        driver.close()
        raise
    return results


def _results(libpq: PGconn) -> list[PGresult]:
    """Send what is in libpq's buffer; return all results, once the server has answered all."""
    results: list[PGresult] = []
    watch = select.poll()
    watch.register(libpq.socket, select.POLLIN)
    while True:
        _move(libpq, watch)
        while not libpq.is_busy():
            result = libpq.get_result()
            if result is None:
                continue  # the end of a statement's results
            if result.status == ExecStatus.PIPELINE_SYNC:
                return results
            results.append(result)


def _move(libpq: PGconn, watch: select.poll) -> None:
    """Send what can be sent and take what has come, once something of that is possible.

    A server whose answers nobody takes stops reading, so both go on side by side.
    """
    unsent = libpq.flush()
    watch.modify(libpq.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
    for _, ready in watch.poll():
        if ready & ~select.POLLOUT:
            libpq.consume_input()


def _found(
    adapter: Transformer, message: _Message, results: Iterator[PGresult], names: _Names
) -> Found:
    """Return what a message has found, by the next of the results; raise its error."""
    result = next(results)
    if message.new and result.status in _FINE:
        names.keep(message.key, message.name)
        result = next(results)
    if result.status not in _FINE:
        error = error_from_result(result)
        if error.sqlstate in _UNPREPARED:
            names.forget()
        raise error
    adapter.set_pgresult(result)
    return Found(adapter.load_rows(0, result.ntuples, tuple), result.command_tuples or 0)
