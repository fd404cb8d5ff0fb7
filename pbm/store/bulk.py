"""Many new rows in few statements: their numbers, and the rows.

The driver of SQLite gives Python's lock away for each statement, and gets it back only when the
thread of the connections lets go; PostgreSQL answers each. So several rows are one statement.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Integer, Table, bindparam, func, select

from pbm.store.dialects import Insert, in_each_dialect
from pbm.store.prepared import Prepared, Row

_SIZES = (64, 16, 4, 1)
"""Rows of a statement. Any number is made of few of these, so each is prepared once."""


def _as_it_is(statement: Insert) -> Insert:
    return statement


class Bulk:
    """Adds rows with the columns `names` to `table`; `finish` completes the statement."""

    def __init__(
        self, table: Table, *names: str, finish: Callable[[Insert], Insert] = _as_it_is
    ) -> None:
        self._inserts = {size: _inserting(table, names, size, finish) for size in _SIZES}

    def add(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Add `rows`, in their order; return how many were added."""
        added = done = 0
        for size, insert in self._inserts.items():
            while len(rows) - done >= size:
                several = rows[done : done + size]
                added += insert.run(connection, *chain.from_iterable(several))
                done += size
        return added


class Numbers:
    """Gives out the ids of rows that are about to be added to `table`.

    So a row and its text, which is in another table, are added without asking for each.
    """

    def __init__(self, table: Table) -> None:
        self._last = Prepared(lambda _: select(func.coalesce(func.max(table.c.id), 0)))
        many = func.generate_series(1, bindparam("many", type_=Integer))
        drawn = select(func.nextval(f"{table.name}_id_seq")).select_from(many)
        self._drawn = Prepared(lambda _: drawn, "many")

    def take(self, connection: Connection, many: int) -> Sequence[int]:
        """Return `many` ids, ascending, which nobody else gets if this transaction commits."""
        if connection.dialect.name == "postgresql":
            return sorted(number for (number,) in self._drawn.rows(connection, many))
        # Whoever writes to SQLite is alone.
        last: int = self._last.rows(connection)[0][0]
        return range(last + 1, last + 1 + many)


def _inserting(
    table: Table, names: Sequence[str], rows: int, finish: Callable[[Insert], Insert]
) -> Prepared:
    """Return what adds so many rows at once."""
    # Only of the first row would SQLAlchemy know the types by itself.
    values: Any = [
        {name: bindparam(f"{name}_{row}", type_=table.c[name].type) for name in names}
        for row in range(rows)
    ]
    made = in_each_dialect(table, lambda start: finish(start.inline().values(values)))
    return Prepared(
        lambda dialect: made[dialect], *(f"{name}_{row}" for row in range(rows) for name in names)
    )
