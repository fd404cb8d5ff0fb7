"""Values converted many at a time are what SQLAlchemy makes of them one by one."""

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from itertools import product
from typing import Any

import pytest
from sqlalchemy import ARRAY, Boolean, Dialect, Integer, LargeBinary, String
from sqlalchemy.types import TypeEngine

from pbm.store.converting import Column, Conversions, converted, reading, storing
from pbm.store.dialects import AnyText, FoldedText, UtcTime
from pbm.store.prepared import driver_of
from pbm.store.tables import metadata
from tests.tables import each

EAST = timezone(timedelta(hours=5, minutes=30))
NOON = datetime(2026, 2, 1, 12, 0, 0, 5, tzinfo=UTC)
TIMES = (NOON, None, NOON.astimezone(EAST), NOON.replace(microsecond=0))
WRITTEN = ("2026-02-01T12:00:00.000005Z", None, "2026-02-01T12:00:00.000000Z")
FLAGS = (True, None, False)


class Colour(StrEnum):
    RED = "red"


TEXTS: list[Column] = [
    ("plain", None, ""),
    ("plain", "d\xe9j\xe0 vu"),
    ("a\0b", "plain"),
    ("\ud83d", "\U0001f3b2"),
    (Colour.RED, "blue"),
]


@pytest.fixture(params=["sqlite", "postgresql"])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return driver_of(request.param)


def through(values: Column, conversions: Conversions) -> list[Any]:
    """Return a column of these values, converted."""
    return [row[0] for row in converted([(value,) for value in values], conversions)]


def one_by_one(values: Column, process: Any) -> list[Any]:
    return [process(value) if process else value for value in values]


def stored_alike(kind: TypeEngine[Any], values: Column, dialect: Dialect) -> bool:
    process = kind.dialect_impl(dialect).bind_processor(dialect)
    found, meant = through(values, storing([kind], dialect)), one_by_one(values, process)
    return found == meant and [type(v) for v in found] == [type(v) for v in meant]


@each(("kind", "texts"), product([AnyText(), FoldedText()], TEXTS))
def test_texts_are_stored_as_sqlalchemy_stores_them(
    kind: TypeEngine[Any], texts: Column, dialect: Dialect
) -> None:
    assert stored_alike(kind, texts, dialect)


@each(
    ("kind", "values"),
    [(UtcTime(), TIMES), (Boolean(), FLAGS), (Integer(), (1, None)), (LargeBinary(), (b"\xff",))],
    ids=["times", "flags", "numbers", "octets"],
)
def test_values_are_stored_as_sqlalchemy_stores_them(
    kind: TypeEngine[Any], values: Column, dialect: Dialect
) -> None:
    assert stored_alike(kind, values, dialect)


@each(
    ("item", "values"),
    [(UtcTime(), TIMES), (Boolean(), FLAGS), (AnyText(), ("a\0b", None)), (String(), ("a",))],
    ids=["times", "flags", "any texts", "texts"],
)
def test_an_array_is_stored_as_sqlalchemy_stores_it(item: TypeEngine[Any], values: Column) -> None:
    assert stored_alike(ARRAY(item), [list(values)], driver_of("postgresql"))


def test_what_was_found_is_read_as_sqlalchemy_reads_it(dialect: Dialect) -> None:
    for kind, found in found_in(dialect):
        process = kind.dialect_impl(dialect).result_processor(dialect, None)
        assert through(found, reading([kind], dialect)) == one_by_one(found, process)


def found_in(dialect: Dialect) -> list[tuple[TypeEngine[Any], Column]]:
    if dialect.name == "sqlite":
        return [(UtcTime(), WRITTEN), (Boolean(), (1, None, 0)), (AnyText(), ("a", None))]
    return [(UtcTime(), TIMES), (Boolean(), FLAGS), (AnyText(), ("a", None))]


@each("kind", [UtcTime(), ARRAY(UtcTime())])
def test_a_time_without_a_zone_is_refused(kind: TypeEngine[Any], dialect: Dialect) -> None:
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(ValueError, match="no time zone"):
        through([[naive] if isinstance(kind, ARRAY) else naive], storing([kind], dialect))


def test_what_is_no_boolean_is_refused(dialect: Dialect) -> None:
    with pytest.raises(KeyError):
        through([2], storing([Boolean()], dialect))


def test_none_stays_none_in_every_column_that_is_stored(dialect: Dialect) -> None:
    kinds = [column.type for table in metadata.tables.values() for column in table.columns]
    rows = [(None,) * len(kinds)] * 2
    assert converted(rows, storing(kinds, dialect)) == rows
