"""The base of the repositories: how they read and write in a unit of work or a batch of mails."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, Protocol, TypeVar, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Integer,
    Table,
    bindparam,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.sql.visitors import iterate

from pbm.store.driver.dialects import AnyResult

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
R = TypeVar("R", bound=Sequence[Any])

Look = Callable[[Connection, Collection[K]], Mapping[K, V]]
"""Returns the values of several keys, as far as they are found.

Looks and writes raise Conflict if what a thing was made from was changed meanwhile.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Write(Generic[T]):
    """Writes several things to these `tables`, in the order of the things."""

    tables: frozenset[Table]
    store: Callable[[Connection, Sequence[T]], None]

    def __call__(self, connection: Connection, things: Sequence[T]) -> None:
        """Write these things."""
        self.store(connection, things)


def writes(*tables: Table) -> Callable[[Callable[[Connection, Sequence[T]], None]], Write[T]]:
    """Return the decorator of a function that writes several things to these tables."""
    return lambda store: Write(frozenset(tables), store)


Change = tuple[Look[K, V], K, Callable[[V | None], V]]
"""A look, a key, and a function that makes its new value from the one before, or from None."""


class Connected(Protocol):
    """A unit of work, as its repositories use it."""

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""

    def read(self, query: Executable, values: Mapping[str, Any] | None = None) -> AnyResult:
        """Return what a query finds; a batch raises NeedsTransaction if it keeps a change of it."""

    def look(self, find: Look[K, V], keys: Iterable[K]) -> dict[K, V]:
        """Return what `find` finds of these keys, as far as it was not known."""

    def write(self, store: Write[T], *things: T, change: Change[K, V] | None = None) -> None:
        """Write these things, at the latest at the commit; from now on `look` sees the `change`."""


class Repository:
    """Reads and writes some tables in the transaction of one unit of work.

    What reads by `read` or `look`, and writes by `write`, serves a batch as well, which has
    no transaction yet.
    """

    def __init__(self, unit: Connected) -> None:
        self._unit = unit

    @property
    def _connection(self) -> Connection:
        return self._unit.connection

    def _update(self, table: Table, *where: ColumnElement[bool], **values: object) -> int:
        """Set these values in the rows that meet all conditions; return how many they were."""
        return self._connection.execute(update(table).where(*where).values(values)).rowcount

    def _delete(self, table: Table, *where: ColumnElement[bool]) -> int:
        """Delete the rows that meet all conditions; return how many they were."""
        return self._connection.execute(delete(table).where(*where)).rowcount

    def _count(self, *where: ColumnElement[bool]) -> int:
        """Return how many rows of the table that the conditions name meet all of them."""
        return int(self._unit.read(select(func.count()).where(*where)).scalar_one())


def tables_in(query: Executable) -> frozenset[Table]:
    """Return the tables that a query names, at any depth."""
    return frozenset(part for part in iterate(cast("Any", query)) if isinstance(part, Table))


class Numbers:
    """Gives out the ids of rows that are about to be added to `table`.

    So a row and its text, which is in another table, are added without asking for each.
    """

    def __init__(self, table: Table) -> None:
        self._last = select(func.coalesce(func.max(table.c.id), 0))
        many = func.generate_series(1, bindparam("many", type_=Integer))
        self._drawn = select(func.nextval(f"{table.name}_id_seq")).select_from(many)

    def draw(self, connection: Connection, many: int) -> Sequence[int]:
        """Return `many` ids, ascending; if this transaction commits, nobody else's."""
        if connection.dialect.name == "postgresql":
            return sorted(connection.scalars(self._drawn, {"many": many}))
        # Whoever writes to SQLite is alone.
        last: int = connection.execute(self._last).scalar_one()
        return range(last + 1, last + 1 + many)


def columns_of(
    kind: type[Any], table: Table, **instead: ColumnElement[Any]
) -> list[ColumnElement[Any]]:
    """Return the columns with the names of the fields of a dataclass, in their order.

    So `kind(*row)` is the value of a row. A field may have another column `instead`.
    """
    names = [field.name for field in fields(kind)]
    return [instead[name] if name in instead else table.c[name] for name in names]


def by_first(rows: Iterable[R]) -> dict[Any, list[R]]:
    """Return these rows by the first of their values."""
    found: dict[Any, list[R]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found
