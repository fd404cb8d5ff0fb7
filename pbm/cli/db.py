"""`pbm db`: the database's tables, their state, and copies of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from pbm.bootstrap import House
from pbm.cli.options import echo, not_as_root, setting, signed, with_settings
from pbm.config import ConfigError, Settings
from pbm.service.audit import Signature
from pbm.service.ports import Facts
from pbm.service.upkeep import Upkeep
from pbm.store import backup as copies
from pbm.store import copying, revision, schema


@click.group()
def db() -> None:
    """Create, migrate, check and back up the database."""


@db.command()
@not_as_root
@with_settings
@signed
def upgrade(settings: Settings, by: Signature) -> None:
    """Create the tables, or bring them to this version."""
    before, after = schema.upgrade(settings.database), revision.head()
    if before != after:
        _note(settings, by, "upgrade", {"version": before}, {"version": after})
    echo(f"the database is at {after}")


@db.command()
@not_as_root
@with_settings
def check(settings: Settings) -> None:
    """Compare the tables with what pbm needs; status 1 if they differ."""
    differences = schema.check(settings.database)
    if differences:
        raise ConfigError("The database differs: " + "; ".join(differences))
    echo("ok")


@db.command()
@not_as_root
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_settings
def backup(settings: Settings, file: Path) -> None:
    """Copy a SQLite database, in use or not, to FILE."""
    copies.backup(settings.database, file)
    echo(f"copied to {file}")


@db.command()
@not_as_root
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_settings
@signed
def restore(settings: Settings, file: Path, by: Signature) -> None:
    """Replace a SQLite database with the copy in FILE. Stop the server first."""
    copies.restore(settings.database, file)
    if revision.current(settings.database) == revision.head():
        # A backup from before the audit has no table for it; its upgrade is written down.
        _note(settings, by, "restore", {}, {"file": str(file)})
    echo(f"restored from {file}")


@db.command()
@not_as_root
@setting("--to", required=True, show_default=False, metavar="URL",
         help="An empty database. ps shows a password: say it in PBM_TO or .pgpass.")  # fmt: skip
@with_settings
@signed
def copy(settings: Settings, to: str, by: Signature) -> None:
    """Copy all into an empty database, as from SQLite to PostgreSQL. Stop the server first.

    If it is killed, say it again, and it goes on where it was. At the end both are compared, row by
    row. Then name the new database in the settings, keep the key file, and start the server.
    """
    with _rows_counted(2 * copying.rows_of(settings.database)) as tick:
        rows = copying.copy(settings.database, to, tick)
    _note(replace(settings, database=to), by, "copy", {}, {"rows": rows})
    echo(f"copied {rows} rows; all are the same")


@contextmanager
def _rows_counted(rows: int) -> Iterator[copying.Tick]:
    """Yield what is told how many more rows are done; on a terminal it moves a bar on."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=rows, label="copy", file=sys.stderr) as bar:
        yield bar.update


def _note(settings: Settings, by: Signature, act: str, before: Facts, after: Facts) -> None:
    house = House(settings)
    try:
        with house.open_unit() as work:
            Upkeep(work, house.clock(), by).database(act, before, after)
            work.commit()
    finally:
        house.close()
