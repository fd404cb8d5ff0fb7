"""`pbm db` and `pbm verify`: the database, its copies, and its check."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbm.cli.options import (
    json_option,
    maintaining,
    not_as_root,
    setting,
    signed,
    with_app,
    with_settings,
)
from pbm.cli.printing import Noun, echo, echo_facts, progress
from pbm.config import ConfigError, Settings
from pbm.engine import listing
from pbm.system import utc_now
from pbm.system.time_limit import TimeLimit

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.server.assembly import App
    from pbm.store.operator import Facts


@click.group(cls=Noun)
def db() -> None:
    """Create, upgrade, check, back up and copy the database."""


@db.command()
@not_as_root
@with_settings
@signed
def upgrade(settings: Settings, by: Signature) -> None:
    """Create the database, or upgrade it to this version of pbm.

    If the key file of a server exists, the command creates no new database, because the old one
    must be somewhere.
    """
    from pbm.store import migrations
    from pbm.store.driver.database import MISSING

    if settings.secret.exists() and migrations.current(settings.database) is None:
        raise ConfigError(
            f"There is the key of a server, {settings.secret}, but not its database. {MISSING} "
            "Move the key away first."
        )
    before, after = migrations.upgrade(settings.database), migrations.head()
    if before != after:
        _note(settings, by, "upgrade", {"version": before}, {"version": after})
    echo(f"the database is at {after}")


@db.command()
@not_as_root
@with_settings
def check(settings: Settings) -> None:
    """Check that the tables are what pbm needs; exit with status 1 if they differ."""
    from pbm.store import migrations

    differences = migrations.check(settings.database)
    if differences:
        raise ConfigError("The database differs: " + "; ".join(differences))
    echo("ok")


@db.command()
@not_as_root
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@setting("--backups", default=None, help="The folder for backups, if there is no FILE.")
@with_settings
def backup(settings: Settings, file: Path | None, backups: str | None) -> None:
    """Back up the database to FILE, or to a new file in the folder for backups.

    The server may be running. Files in the folder are named by the time. PostgreSQL is backed up by
    pg_dump, and only into the folder.
    """
    from pbm.store import copies

    if file is not None:
        copies.backup(settings.database, file)
    elif backups is None:
        raise ConfigError("Name a FILE, or set a folder for backups: --backups FOLDER.")
    else:
        file = copies.backup_into(settings.database, Path(backups), utc_now())
    echo(f"copied to {file}")


@db.command()
@not_as_root
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_settings
@signed
def restore(settings: Settings, file: Path, by: Signature) -> None:
    """Replace a SQLite database with the backup in FILE. Stop the server first."""
    from pbm.store import copies, migrations

    copies.restore(settings.database, file)
    if migrations.current(settings.database) == migrations.head():
        # A backup from before the audit has no table for it; its upgrade is written down.
        _note(settings, by, "restore", {}, {"file": str(file)})
    echo(f"restored from {file}")


@db.command()
@not_as_root
@setting("--to", required=True, show_default=False, metavar="URL",
         help="An empty database. Put a password into PBM_TO or .pgpass.")  # fmt: skip
@with_settings
@signed
def copy(settings: Settings, to: str, by: Signature) -> None:
    """Copy everything to an empty database, for example from SQLite to PostgreSQL.

    Stop the server first. Then set the new URL, keep the key file, and start the server. If the
    copy fails, the new database stays empty.
    """
    from pbm.store import copies

    with progress(copies.rows_of(settings.database), "copy") as tick:
        rows = copies.copy(settings.database, to, tick)
    _note(replace(settings, database=to), by, "copy", {}, {"rows": rows})
    echo(f"copied {rows} rows")


def _note(settings: Settings, by: Signature, act: str, before: Facts, after: Facts) -> None:
    from pbm.server.assembly import App

    with closing(App(settings)) as app, maintaining(app, by) as upkeep:
        upkeep.note(f"db {act}", "database", before, after)


CORE_SECONDS = 60.0
"""The most time of a core for the replay of one match; the longest take a second or two."""


@click.command()
@setting("--repair", is_flag=True, help="Rebuild wrong snapshots from the log.")
@json_option
@with_app
def verify(app: App, repair: bool, as_json: bool) -> None:
    """Replay every match and compare it with what is stored.

    The exit status is 1 if a match differs and was not repaired.
    """
    from pbm.operator.upkeep import repair as remake
    from pbm.operator.upkeep import verify_all

    checked: list[tuple[int, tuple[str, ...]]] = []
    left: list[int] = []
    time_limited = TimeLimit(CORE_SECONDS)
    with app.open_reading() as work, progress(work.matches.count(), "replaying") as step:
        for each in verify_all(work, app.catalogue, time_limited):
            checked.append(each)
            step(1)
    faults = {number: list(found) for number, found in checked if found}
    for number in faults if repair else ():
        with app.open_unit() as work:  # each by itself, because others wait while it is replayed
            if not remake(work, app.catalogue, number, time_limited):
                left.append(number)
            work.commit()
    matches = "1 match" if len(checked) == 1 else f"{len(checked)} matches"
    lines = [f"board {number}: {'; '.join(found)}" for number, found in faults.items()]
    lines.append(f"{matches}, {len(faults)} with faults")
    if left:
        lines.append(f"not repaired: {listing(map(str, left), last='and')}")
    echo_facts({"matches": len(checked), "faults": faults}, lines, as_json=as_json)
    if left or (faults and not repair):
        raise SystemExit(1)
