"""The database in the hands of the operator: migrations, checks, backups, and what is in its files.

Much of this is broken by hand or looked at from outside, which no conversation can say.
"""

import os
import sqlite3
import stat
import subprocess
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Timer

import pytest

from pbm.store.driver import database
from pbm.store.driver.database import create_engine, overwrite_freed
from tests.cli.terminal import PASSWORD, done, found, hand_in, pbm, refused, sql
from tests.databases import postgres_database, postgres_server

FOLDER = Path("copies")
NEWER = "The database was written by a newer pbm (revision 9999); this one knows up to "


def say_revision(file: str, number: str) -> None:
    """Write into a database that it is at the revision of that number."""
    sql("UPDATE alembic_version SET version_num = ?", number, file=file)


@pytest.mark.usefixtures("bare")
def test_upgrade_makes_the_tables_may_be_said_again_and_is_filed_once() -> None:
    first = done("db", "upgrade")
    assert first.startswith("the database is at ")
    assert done("db", "upgrade") == first
    assert done("db", "check") == "ok\n"
    (row,) = pbm("audit", "--json").json
    assert (row["act"], row["before"]) == ("db upgrade", {"version": None})


@pytest.mark.usefixtures("table")
def test_check_names_what_differs_and_an_older_database_is_not_migrated_in_passing() -> None:
    sql("DROP TABLE snapshots")
    assert "snapshots" in refused("db", "check")
    say_revision("var/pbm.db", "0000")
    assert "pbm db upgrade" in refused("user", "list")


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
    assert found("tables")[1].startswith(NEWER)


@pytest.mark.usefixtures("table")
def test_what_is_no_backup_or_a_newer_one_is_not_restored() -> None:
    Path("letter.txt").write_text("Dear Bob")
    refused("db", "restore", "letter.txt")
    done("db", "backup", "copy.db")
    say_revision("copy.db", "9999")
    assert refused("db", "restore", "copy.db").startswith(NEWER)
    assert done("db", "check") == "ok\n"
    assert pbm("game", "record", "101").status == 0


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("log", [False, True])
def test_a_disk_that_can_only_be_read_is_read_and_backed_up(log: bool) -> None:
    """A mount is needed, which only root can make."""
    with ExitStack() as stack:
        if log:  # one that somebody has left
            left = stack.enter_context(closing(sqlite3.connect("var/pbm.db")))
            left.execute("UPDATE players SET userid = 'alicia' WHERE userid = 'alice'")
            left.commit()
        for how in (("--bind", "var"), ("-o", "remount,bind,ro")):
            if subprocess.run(["mount", *how, "var"], check=False, capture_output=True).returncode:
                pytest.skip("mounts need root")
            stack.callback(
                subprocess.run, ["umount", "--lazy", "var"], check=False, capture_output=True
            )
        assert done("verify") == "1 match, 0 with faults\n"
        assert ("alicia" in done("user", "list")) is log
        done("db", "backup", "copy.db")
        assert "its disk is read-only" in refused("user", "add", "carol", PASSWORD, "c@example.org")
        assert found("database")[1] == (
            "the disk of var/pbm.db can only be read; back it up, and see dmesg"
        )
    assert ("alicia" in done("user", "list", "--database", "sqlite:///copy.db")) is log


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
    done("db", "restore", str(file), "--why", "a mistake")
    assert pbm("game", "record", "101").json["outcome"] is None
    row = pbm("audit", "--json").json[-1]
    assert (row["act"], row["why"]) == ("db restore", "a mistake")
    assert done("verify") == "1 match, 0 with faults\n"


@pytest.mark.usefixtures("table")
def test_a_backup_that_fails_says_why_and_leaves_nothing() -> None:
    assert "There is no folder copies" in refused("db", "backup", "--backups", "copies")
    assert "--backups FOLDER" in refused("db", "backup")
    old = [made_ago(days) for days in (100, 200, 300, 400)]
    sql("DROP TABLE alembic_version")
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
    assert (level, "does pbm-backup run?" in text) == ("warn", True)
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


@pytest.mark.parametrize(
    "wrong", ["ply = 0", "state = '[]'", "state = json_set(state, '$.last', 'A1')"]
)
@pytest.mark.usefixtures("table")
def test_a_wrong_snapshot_is_found_and_made_anew(wrong: str) -> None:
    hand_in("move 101 alice {password} C3")
    done("work")
    sql(f"UPDATE snapshots SET {wrong}")
    found = pbm("verify", "--json")
    assert found.status == 1
    assert '"101"' in found.out
    assert pbm("verify", "--repair").status == 0
    assert done("verify") == "1 match, 0 with faults\n"


@pytest.mark.usefixtures("table")
def test_a_snapshot_in_the_form_of_an_earlier_version_is_no_fault() -> None:
    hand_in("move 101 alice {password} C3")
    done("work")
    # Gonnect's until November 2026: hashes of the boards, in place of what changed.
    sql("UPDATE snapshots SET state = json_set(json_remove(state, '$.changes'), '$.history', 'AA')")
    assert done("verify") == "1 match, 0 with faults\n"


def files_with(word: str) -> list[str]:
    """Return the files of the database in which a word is."""
    files = (file for file in Path("var").glob("pbm.db*") if file.is_file())
    return [file.name for file in files if word.encode() in file.read_bytes().lower()]


@pytest.mark.usefixtures("home")
def test_no_name_of_a_mail_is_stored_but_what_it_is_followed_by() -> None:
    hand_in("move 101 alice {password} b2", headers="Message-ID: <moved-1@phone.example>\n")
    done("work")
    assert "played: move on board 101" in done("trace", "moved-1@phone.example")
    assert files_with("moved-1@phone.example") == []


@pytest.mark.usefixtures("table")
def test_an_erased_player_is_in_no_file_of_the_database() -> None:
    assert files_with("alice") == ["pbm.db"]
    done("user", "erase", "Alice", "--yes", "--why", "alice wrote from alice@example.com")
    assert files_with("alice") == []


def beginning_to_read() -> sqlite3.Connection:
    """Return a connection that reads, as one of a running server, until it is closed."""
    reader = sqlite3.connect("var/pbm.db", isolation_level=None, check_same_thread=False)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM players").fetchone()
    return reader


@pytest.mark.usefixtures("table")
def test_to_overwrite_what_was_erased_waits_until_a_short_read_of_the_server_is_over() -> None:
    engine = create_engine("sqlite:///var/pbm.db")
    ending = Timer(0.2, beginning_to_read().close)
    ending.start()
    assert overwrite_freed(engine)
    ending.join()
    engine.dispose()


@pytest.mark.usefixtures("table")
def test_an_erasure_beside_a_running_server_says_what_is_left_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database, "_READERS_SECONDS", 0.05)
    with closing(beginning_to_read()):
        typed = pbm("user", "erase", "alice", "--yes")
    assert typed.status == 0
    assert "stop the server and run pbm user erase gone-1" in typed.err
    done("user", "erase", "gone-1", "--yes")
    assert files_with("alice") == []
