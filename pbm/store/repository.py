"""What every repository is made of: the unit of work that it belongs to."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from sqlalchemy import Connection

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

Finish = Callable[[], None]

Look = Callable[[Connection, Collection[K]], Callable[[], Mapping[K, V]]]
"""Asks for the values of several keys, and returns what gives those that were found."""

Write = Callable[[Connection, Sequence[T]], Finish | None]
"""Writes several things in their order; returns what finishes it, if it has to see an answer.

On PostgreSQL what several writes ask is one round trip. Both raise Conflict if what a thing was
made from was changed meanwhile.
"""

Change = tuple[Look[K, V], K, Callable[[V | None], V]]
"""What is known of a key changes, from the value before (None: there was none) to a new one."""


class Connected(Protocol):
    """A unit of work, as its repositories use it."""

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""

    @property
    def reader(self) -> Connection:
        """The connection by which to read a few rows that are only written in a transaction."""

    def look(self, find: Look[K, V], keys: Iterable[K]) -> dict[K, V]:
        """Return what `find` finds of these keys, as far as it was not known."""

    def write(self, store: Write[T], *things: T, change: Change[K, V] | None = None) -> None:
        """Write these things, at the latest at the commit; from now on `look` sees the `change`."""


class Repository:
    """Reads and writes some tables in the transaction of one unit of work.

    What reads by `_reader` or `look`, and writes by `write`, serves a batch as well, which has no
    transaction yet. By `_reader` it finds a few rows by an index, in a table of which a batch
    never keeps changes in memory.
    """

    def __init__(self, unit: Connected) -> None:
        self._unit = unit

    @property
    def _connection(self) -> Connection:
        return self._unit.connection

    @property
    def _reader(self) -> Connection:
        return self._unit.reader
