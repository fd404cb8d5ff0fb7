"""What every repository is made of: the unit of work that it belongs to."""

from typing import Protocol

from sqlalchemy import Connection


class Connected(Protocol):
    """Has an open transaction."""

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""


class Repository:
    """Reads and writes some tables in the transaction of one unit of work."""

    def __init__(self, unit: Connected) -> None:
        self._unit = unit

    @property
    def _connection(self) -> Connection:
        return self._unit.connection
