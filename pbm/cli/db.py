"""`pbm db`: the database's tables, their state, and copies of it."""

from pathlib import Path

import click

from pbm.cli.options import with_settings
from pbm.config import ConfigError, Settings
from pbm.store import backup as copies
from pbm.store import schema


@click.group()
def db() -> None:
    """Create, migrate, check and back up the database."""


@db.command()
@with_settings
def upgrade(settings: Settings) -> None:
    """Create the tables, or bring them to this version."""
    schema.upgrade(settings.database)
    click.echo(f"the database is at {schema.current(settings.database)}")


@db.command()
@with_settings
def check(settings: Settings) -> None:
    """Compare the tables with what pbm needs; status 1 if they differ."""
    differences = schema.check(settings.database)
    if differences:
        raise ConfigError("The database differs: " + "; ".join(differences))
    click.echo("ok")


@db.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_settings
def backup(settings: Settings, file: Path) -> None:
    """Copy a SQLite database, in use or not, to FILE."""
    copies.backup(settings.database, file)
    click.echo(f"copied to {file}")


@db.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_settings
def restore(settings: Settings, file: Path) -> None:
    """Replace a SQLite database with the copy in FILE. Stop the server first."""
    copies.restore(settings.database, file)
    click.echo(f"restored from {file}")
