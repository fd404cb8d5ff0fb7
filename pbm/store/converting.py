"""Values on their way into a statement and out of it, converted many at a time.

SQLAlchemy converts each value by itself, which is one or two calls of Python, and a move stores and
reads sixty values. Here a column of many rows is converted in one call. The types of
`pbm.store.dialects` do that themselves; for others SQLAlchemy's own functions are taken.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import ARRAY, Boolean, Dialect
from sqlalchemy.types import TypeEngine

from pbm.store.dialects import ByColumn, Convert

Row = tuple[Any, ...]

Column = Sequence[Any]
"""The values of one column in some rows, or those that a statement takes for it."""

Conversions = tuple[tuple[int, Convert], ...]
"""The places in a row whose values are converted, and how."""


def storing(kinds: Iterable[TypeEngine[Any]], dialect: Dialect) -> Conversions:
    """Return how values of these types, by place, become what the driver takes."""
    return _conversions(_storing(kind, dialect) for kind in kinds)


def reading(kinds: Iterable[TypeEngine[Any]], dialect: Dialect) -> Conversions:
    """Return how what the driver has found becomes values of these types."""
    return _conversions(_reading(kind, dialect) for kind in kinds)


def converted(rows: list[Row], conversions: Conversions) -> list[Row]:
    """Return `rows` with their values converted."""
    if not conversions or not rows:
        return rows
    columns: list[Column] = list(zip(*rows, strict=True))
    for place, convert in conversions:
        columns[place] = convert(columns[place])
    return list(zip(*columns, strict=True))


def _conversions(found: Iterable[Convert | None]) -> Conversions:
    return tuple((place, convert) for place, convert in enumerate(found) if convert)


def _storing(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    if isinstance(kind, ByColumn):
        return kind.storing(dialect)
    if isinstance(kind, Boolean):
        return _each((_TRUTHS if dialect.supports_native_boolean else _NUMBERS).__getitem__)
    if isinstance(kind, ARRAY):
        return _each(_as_list(_storing(kind.item_type, dialect)))
    return _each(kind.dialect_impl(dialect).bind_processor(dialect))


_TRUTHS = {None: None, False: False, True: True}
_NUMBERS = {None: None, False: 0, True: 1}
"""How booleans are stored; anything else is an error. SQLAlchemy's own takes two calls a value."""


def _reading(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    if isinstance(kind, ByColumn):
        return kind.reading(dialect)
    return _each(kind.dialect_impl(dialect).result_processor(dialect, None))


def _each(convert: Callable[[Any], Any] | None) -> Convert | None:
    """Return what converts each value of a column by `convert`."""
    return None if convert is None else partial(_mapped, convert)


def _mapped(convert: Callable[[Any], Any], values: Column) -> Column:
    return list(map(convert, values))


def _as_list(convert: Convert | None) -> Callable[[Column], list[Any]]:
    """Return what makes an array of a column: psycopg takes lists for that."""
    return list if convert is None else lambda values: list(convert(values))
