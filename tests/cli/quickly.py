"""New databases and the doctor's look at their tables, each done once and not for every test.

To make the tables, and to compare them with the code, takes a tenth of a second each, and most
commands of these tests need one or both. What `pbm db` does, the migrations themselves and
databases on PostgreSQL stay as they are.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from pbm.bootstrap import house
from pbm.store import revision, schema
from pbm.store.engine import StoreError, parse_url, sqlite_file
from tests.databases import migrated_file

Look = Callable[[str], tuple[str, ...]]

FITTING: set[tuple[Any, ...]] = set()
"""Tables that the doctor has found to fit the code, as SQLite writes them."""


@contextmanager
def quick_databases() -> Iterator[None]:
    """Copy the tables of a new database, and look once at those that fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house, "_create_or_refuse", _copying(house._create_or_refuse))
        patch.setattr(schema, "check", _once(schema.check))
        yield


def _copying(create: Callable[[str, str | None], None]) -> Callable[[str, str | None], None]:
    def create_or_copy(url: str, stored: str | None) -> None:
        if _tables(url) != (revision.head(),):
            create(url, stored)
            return
        made, file = migrated_file(), sqlite_file(parse_url(url))
        with closing(sqlite3.connect(made)) as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)

    return create_or_copy


def _once(check: Look) -> Look:
    def checked(url: str) -> tuple[str, ...]:
        tables = _tables(url)
        if tables in FITTING:
            return ()
        found = check(url)
        if tables is not None and not found:
            FITTING.add(tables)
        return found

    return checked


def _tables(url: str) -> tuple[Any, ...] | None:
    """Return what the code expects and what a SQLite file holds; None if that cannot be read."""
    try:
        file = sqlite_file(parse_url(url))
        with closing(sqlite3.connect(file)) as database:
            tables = database.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
            if not tables:
                return (revision.head(),)
            stored = database.execute("SELECT version_num FROM alembic_version").fetchall()
            return (revision.head(), *stored, *tables)
    except (StoreError, sqlite3.Error):
        return None
