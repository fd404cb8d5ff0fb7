"""What every repository is made of: the unit of work that it belongs to."""

from typing import Protocol

from sqlalchemy import Connection


class Connected(Protocol):
    """Has an open transaction."""

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""

    @property
    def reader(self) -> Connection:
        """The connection by which to read a few rows that are only written in a transaction."""


class Repository:
    """Reads and writes some tables in the transaction of one unit of work.

    What reads by `_reader` serves a batch as well, which has no transaction yet: it finds a few
    rows by an index, in a table that a batch never keeps changes of in memory.
    """

    def __init__(self, unit: Connected) -> None:
        self._unit = unit

    @property
    def _connection(self) -> Connection:
        return self._unit.connection

    @property
    def _reader(self) -> Connection:
        return self._unit.reader
