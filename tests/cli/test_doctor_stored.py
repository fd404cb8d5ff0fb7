"""`pbm doctor` on the database, and on what it says about the server."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from pbm.operator.doctor.stored import hindrance_of
from pbm.store import migrations
from tests.cli.terminal import STORED, done, findings, found, pbm, sql
from tests.databases import postgres_database, postgres_server
from tests.readings import answers


def test_a_file_that_is_no_database_is_told(home: Path) -> None:
    (home / "var" / "pbm.db").write_bytes(b"garbage" * 1000)
    assert found("database") == ("FAIL", "var/pbm.db cannot be used: file is not a database")


@pytest.mark.usefixtures("home")
def test_a_database_of_an_older_pbm_is_told_and_nothing_is_read_from_it() -> None:
    sql("UPDATE alembic_version SET version_num = '0017'")
    told = findings(pbm("doctor"))
    assert told["database"][0] == "ok"
    needs = f"The database is at revision 0017, this pbm needs {migrations.head()}."
    assert told["tables"] == ("FAIL", needs)
    (left,) = (name for name, (_, text) in told.items() if "not checked until tables" in text)
    assert set(left.split(", ")) == STORED


def test_a_journal_that_is_not_wal_is_a_hindrance() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        assert hindrance_of(connection) == "its journal is memory, not WAL; put it on a local disk"
    engine.dispose()


@pytest.mark.postgres
@pytest.mark.usefixtures("bare")
def test_a_postgresql_that_can_only_be_read_or_does_not_know_its_letters_is_told() -> None:
    with postgres_database(postgres_server(), "SQL_ASCII") as url:
        migrations.upgrade(url)
        level, text = found("database", "--database", url)
        assert level == "FAIL"
        assert "its encoding is SQL_ASCII" in text
        assert "createdb --encoding UTF8" in text
    with postgres_database(postgres_server(), "UTF8") as url:
        migrations.upgrade(url)
        told = findings(pbm("doctor", "--database", url))
        assert {told[name][0] for name in ("database", "tables", "permissions", "boards")} == {"ok"}
        server = create_engine(postgres_server(), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            alter = f'ALTER DATABASE "{url.rpartition("/")[2]}"'
            connection.exec_driver_sql(f"{alter} SET default_transaction_read_only = on")
        server.dispose()
        level, text = found("database", "--database", url)
        assert (level, "it can only be read" in text) == ("FAIL", True)


def stored(moment: datetime) -> str:
    return f"'{moment:%Y-%m-%dT%H:%M:%S.%f}Z'"


OLD, FAR = stored(datetime(2026, 1, 1)), stored(datetime(2999, 1, 1))  # noqa: DTZ001


def test_what_the_server_has_left_undone_is_told(home: Path) -> None:
    whole = shutil.copy("var/pbm.db", "whole.db")

    def told(statement: str, name: str, words: str) -> str:
        for end in ("", "-wal", "-shm"):
            (home / "var" / f"pbm.db{end}").unlink(missing_ok=True)
        shutil.copy(whole, "var/pbm.db")
        sql(statement.replace("OLD", OLD).replace("FAR", FAR))
        level, text = found(name)
        return level if text.startswith(words) else f"{level} {text}"

    table = (Path(__file__).parent / "stored.txt").read_text("utf-8")
    assert answers(table, told) == table


@pytest.mark.usefixtures("home")
def test_outages_are_told_for_a_week() -> None:
    now = datetime.now(UTC)
    for began, ended in ((9, 8), (6.5, 6), (2, 2), (1, -1)):
        times = (stored(now - timedelta(days=began)), stored(now - timedelta(days=ended)))
        sql(
            "INSERT INTO pauses (kind, began_at, until, told) "
            f"VALUES ('outage', {', '.join(times)}, 0)"
        )
    first, last = now - timedelta(days=6.5), now - timedelta(days=6)
    told = f"{first:%Y-%m-%d %H:%M} UTC to {last:%Y-%m-%d %H:%M} UTC; "
    level, text = found("outages")
    assert (level, text.startswith(told), text.count(" to ")) == ("warn", True, 2)
    # The last outage is left over from time that was set back; the operator need not end it.
    assert found("clocks")[0] == "ok"


@pytest.mark.usefixtures("home")
def test_the_figures_say_so_as_well() -> None:
    sql(
        f"UPDATE matches SET look_at = {OLD}; UPDATE pulses SET failing = 1 WHERE name = 'relay'; "
        f"UPDATE pulses SET at = {OLD}, good_until = {OLD} WHERE name = 'play'"
    )
    shown = done("stats")
    assert "play: silent, the last sign 2026-01-01 00:00 UTC" in shown
    assert "relay: failing, the last sign " in shown
    assert "1 board overdue for a check (the next 2026-01-01 00:00 UTC)" in shown
    signs = pbm("stats", "--json").json["signs_of_life"]
    assert [sign["part"] for sign in signs if sign["silent"]] == ["play"]
    assert [sign["part"] for sign in signs if sign["failing"]] == ["relay"]
