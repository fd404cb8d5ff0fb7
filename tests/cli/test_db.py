"""`pbm db`: migrations, checks and backups."""

import os
import sqlite3
import stat
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.patients import found
from tests.cli.terminal import done, pbm, refused
from tests.databases import postgres_database, postgres_server


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


FOLDER = Path("copies")


def made_ago(days: float) -> Path:
    """Put a copy into the folder that is so old."""
    FOLDER.mkdir(exist_ok=True)
    moment = datetime.now(UTC) - timedelta(days=days)
    file = FOLDER / f"pbm-{moment:%Y%m%dT%H%M%SZ}.db"
    file.touch()
    os.utime(file, (moment.timestamp(), moment.timestamp()))
    return file


@pytest.mark.usefixtures("table")
def test_each_copy_is_a_file_of_its_own_that_only_its_owner_reads_and_can_be_restored() -> None:
    FOLDER.mkdir()
    told = done("db", "backup", "--backups", "copies")
    [file] = FOLDER.iterdir()
    assert told == f"copied to {file}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    done("game", "close", "101")
    done("db", "restore", str(file))
    assert pbm("game", "record", "101").json["outcome"] is None


@pytest.mark.usefixtures("table")
def test_a_backup_that_fails_says_why_and_leaves_nothing() -> None:
    assert "There is no folder copies" in refused("db", "backup", "--backups", "copies")
    assert "--backups FOLDER" in refused("db", "backup")
    old = [made_ago(days) for days in (100, 200, 300, 400)]
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.execute("DROP TABLE alembic_version")
    assert "is not a database of pbm's" in refused("db", "backup", "--backups", "copies")
    assert sorted(FOLDER.iterdir()) == sorted(old)


@pytest.mark.usefixtures("home")
def test_the_doctor_knows_how_old_the_newest_copy_is() -> None:
    where = ("--backups", "copies")
    assert "no folder for them is configured" in found("backups")[1]
    assert "there is no copies" in found("backups", *where)[1]
    FOLDER.mkdir()
    assert "there is none in copies" in found("backups", *where)[1]
    made_ago(3)
    level, text = found("backups", *where)
    assert (level, "does pbm-backup.timer run?" in text) == ("warn", True)
    made_ago(1)
    assert found("backups", *where)[0] == "ok"


@pytest.mark.postgres
@pytest.mark.usefixtures("bare")
def test_a_postgresql_database_is_copied_by_its_own_tools() -> None:
    FOLDER.mkdir()
    with postgres_database(postgres_server()) as url, postgres_database(postgres_server()) as copy:
        done("db", "upgrade", "--database", url)
        done("user", "add", "alice", "correct-horse", "a@example.com", "--database", url)
        done("db", "backup", "--backups", "copies", "--database", url)
        [file] = FOLDER.iterdir()
        assert (file.suffix, stat.S_IMODE(file.stat().st_mode)) == (".dump", 0o600)
        target = copy.replace("+psycopg", "")
        subprocess.run(["pg_restore", "--no-owner", "--dbname", target, str(file)], check=True)
        assert "alice" in done("user", "list", "--database", copy)


@pytest.mark.usefixtures("bare")
def test_what_the_tools_say_is_told_without_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    FOLDER.mkdir()
    url = "postgresql://bob:hunter22@127.0.0.1:1/pbm"
    told = refused("db", "backup", "--backups", "copies", "--database", url)
    assert "pg_dump failed" in told
    assert "Connection refused" in told
    assert "hunter22" not in told
    monkeypatch.setenv("PATH", str(FOLDER.absolute()))
    told = refused("db", "backup", "--backups", "copies", "--database", url)
    assert told == "There is no pg_dump; install postgresql-client."
    assert list(FOLDER.iterdir()) == []
