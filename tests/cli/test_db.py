"""`pbm db`: making, checking and copying the database."""

import sqlite3
from pathlib import Path

import pytest

from tests.cli.terminal import done, pbm, refused


def say_revision(file: str, number: str) -> None:
    """Write into a database that it is at the revision of that number."""
    database = sqlite3.connect(file)
    with database:
        database.execute("UPDATE alembic_version SET version_num = ?", (number,))
    database.close()


@pytest.mark.usefixtures("bare")
def test_upgrade_makes_the_tables_and_may_be_said_again() -> None:
    first = done("db", "upgrade")
    assert first.startswith("the database is at ")
    assert done("db", "upgrade") == first
    assert done("db", "check") == "ok\n"


@pytest.mark.usefixtures("table")
def test_check_names_what_differs() -> None:
    database = sqlite3.connect("var/pbm.db")
    database.execute("DROP TABLE snapshots")
    database.close()
    assert "snapshots" in refused("db", "check")


def test_a_backup_is_a_whole_copy_that_can_be_restored(table: Path) -> None:
    done("db", "backup", "copy.db")
    done("game", "close", "101")
    done("db", "restore", "copy.db")
    assert pbm("game", "record", "101").json["outcome"] is None
    assert done("verify") == "1 match, 0 with faults\n"


@pytest.mark.usefixtures("table")
def test_what_is_no_backup_is_not_restored() -> None:
    Path("letter.txt").write_text("Dear Bob")
    refused("db", "restore", "letter.txt")
    assert pbm("game", "record", "101").status == 0


@pytest.mark.usefixtures("table")
def test_an_older_database_is_not_migrated_in_passing() -> None:
    say_revision("var/pbm.db", "0000")
    assert "pbm db upgrade" in refused("user", "list")


NEWER = "The database was written by a newer pbm (revision 9999); this one knows up to "


@pytest.mark.parametrize(
    "command",
    ["db upgrade", "db check", "serve --smtp 127.0.0.1:0", "work", "remind", "user list",
     "outbox list", "stats", "verify"],
)  # fmt: skip
@pytest.mark.usefixtures("table")
def test_a_newer_database_is_refused_by_all_commands_in_one_sentence(command: str) -> None:
    say_revision("var/pbm.db", "9999")
    before = Path("var/pbm.db").read_bytes()
    assert refused(*command.split()).startswith(NEWER)
    assert Path("var/pbm.db").read_bytes() == before


@pytest.mark.usefixtures("table")
def test_a_backup_of_a_newer_database_is_not_restored() -> None:
    done("db", "backup", "copy.db")
    say_revision("copy.db", "9999")
    assert refused("db", "restore", "copy.db").startswith(NEWER)
    assert done("db", "check") == "ok\n"


@pytest.mark.usefixtures("table")
def test_the_doctor_says_that_the_database_is_newer() -> None:
    say_revision("var/pbm.db", "9999")
    assert f"FAIL tables: {NEWER}" in pbm("doctor", "tables").out
