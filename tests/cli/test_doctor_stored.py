"""`pbm doctor` on the database, and on what it says about the server."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from pbm.diagnosis.stored import hindrance_of
from pbm.store import migrations
from tests.cli.patients import STORED, findings, found
from tests.cli.terminal import done, pbm
from tests.databases import postgres_database, postgres_server

OLD, FAR = "2026-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"

ASKED = (
    "INSERT INTO thoughts (kind, number, player_id, payer_id, asked_at, due_at, owner) "
    f"SELECT 'move', number, 1, 1, '{OLD}', '{OLD}'"
)

TAKEN = (
    "INSERT INTO inbox (sender, recipients, received_at, error, state) "
    f"VALUES ('', '[]', '{OLD}', '',"
)


def change(statement: str) -> None:
    with closing(sqlite3.connect("var/pbm.db")) as connection:
        connection.execute(statement)
        connection.commit()


# ---- the database


def test_a_file_that_is_no_database_is_told(home: Path) -> None:
    (home / "var" / "pbm.db").write_bytes(b"garbage" * 1000)
    assert found("database") == ("FAIL", "var/pbm.db cannot be used: file is not a database")


@pytest.mark.usefixtures("home")
def test_a_database_of_an_older_pbm_is_told_and_nothing_is_read_from_it() -> None:
    migrations.downgrade("sqlite:///var/pbm.db", "0003")
    told = findings(pbm("doctor"))
    assert told["database"][0] == "ok"
    assert told["tables"] == (
        "FAIL",
        f"The database is at revision 0003, this pbm needs {migrations.head()}.",
    )
    assert {name for name, (_, text) in told.items() if "not checked until tables" in text} == (
        STORED
    )


def test_a_journal_that_is_not_wal_is_a_hindrance() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        assert hindrance_of(connection) == "its journal is memory, not WAL; put it on a local disk"
    engine.dispose()


@pytest.mark.usefixtures("home")
def test_a_database_that_does_not_answer_is_told_without_its_password() -> None:
    typed = pbm("doctor", "--database", "postgresql://bob:hunter22@127.0.0.1:1/pbm")
    level, text = findings(typed)["database"]
    assert (level, "Connection refused" in text, "bob:***@" in text) == ("FAIL", True, True)
    assert "hunter22" not in typed.out


@pytest.mark.usefixtures("home")
def test_a_password_with_an_at_sign_in_it_is_not_taken_for_a_host_and_shown() -> None:
    typed = pbm("doctor", "database", "--database", "postgresql://bob:hunter@22@127.0.0.1:1/pbm")
    level, text = findings(typed)["database"]
    assert (level, "so @ is %40" in text) == ("FAIL", True)
    assert "22" not in typed.out


@pytest.mark.postgres
@pytest.mark.usefixtures("home")
def test_a_postgresql_that_can_only_be_read_is_told() -> None:
    with postgres_database(postgres_server()) as url:
        done("db", "upgrade", "--database", url)
        told = findings(pbm("doctor", "--database", url))
        assert {told[name][0] for name in ("database", "tables", "permissions", "boards")} == {"ok"}
        server = create_engine(postgres_server(), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            # Another test uses the database again.
            alter = f'ALTER DATABASE "{url.rpartition("/")[2]}"'
            connection.exec_driver_sql(f"{alter} SET default_transaction_read_only = on")
            level, text = found("database", "--database", url)
            connection.exec_driver_sql(f"{alter} RESET default_transaction_read_only")
        server.dispose()
        assert (level, "it can only be read" in text) == ("FAIL", True)


# ---- what is stored


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("statement", "name", "level", "text"),
    [
        ("DELETE FROM pulses", "signs", "warn", "no server has run yet"),
        (
            f"UPDATE pulses SET at = '{OLD}', good_until = '{OLD}' WHERE name = 'play'",
            "signs", "FAIL", "no sign of play since 2026-01-01 00:00 UTC: is",
        ),
        (
            f"UPDATE pulses SET at = '{OLD}', failing = 1 WHERE name = 'relay'",
            "signs", "warn", "relay has taken no mails since 2026-01-01 00:00 UTC",
        ),
        (f"UPDATE matches SET look_at = '{OLD}'", "clocks", "FAIL", "1 board should have been"),
        ("UPDATE matches SET game = 'chess'", "boards", "FAIL", "1 open board of chess"),
        ("UPDATE matches SET game = 'chess', over = 1", "boards", "ok", "0 open, each of a game"),
        ("UPDATE outbox SET state = 'dead'", "outbox", "warn", "2 mails given up"),
        (
            f"UPDATE outbox SET state = 'waiting', next_try_at = '{OLD}'",
            "outbox", "warn", "2 mails waiting, the first due since 2026-01-01 00:00 UTC",
        ),
        (
            f"UPDATE outbox SET state = 'waiting', tries = 5, next_try_at = '{FAR}'",
            "outbox", "warn", "2 mails put off by the relay for about an hour or longer: pbm",
        ),
        (f"{ASKED}, NULL FROM matches", "thoughts", "warn", "1 thought of robots waiting, the"),
        (f"{ASKED}, 'host:1:a' FROM matches", "thoughts", "ok", "robots are not late"),
        (f"{TAKEN} 'shunted')", "inbox", "warn", "1 mail met a bug"),
        (
            f"{TAKEN} 'waiting')",
            "inbox", "warn", "1 mail waiting, the oldest since 2026-01-01 00:00 UTC",
        ),
    ],
)  # fmt: skip
def test_what_the_server_has_left_undone_is_told(
    statement: str, name: str, level: str, text: str
) -> None:
    change(statement)
    told = found(name)
    assert (told[0], told[1].startswith(text)) == (level, True), told


@pytest.mark.usefixtures("home")
def test_parts_that_are_silent_are_told_together_and_a_failing_relay_apart() -> None:
    change(f"UPDATE pulses SET at = '{OLD}', good_until = '{OLD}', failing = name = 'relay'")
    change("UPDATE pulses SET good_until = '2999' || substr(good_until, 5) WHERE name = 'intake'")
    since = "since 2026-01-01 00:00 UTC"
    level, text = found("signs")
    assert level == "FAIL"
    assert text == (
        f"no sign of deliver {since} and play {since}: is pbm serve running, or pbm work by cron? "
        f"relay has taken no mails {since}: see pbm outbox list."
    )


@pytest.mark.usefixtures("home")
def test_outages_are_told_for_a_week() -> None:
    now = datetime.now(UTC)
    for began, ended in ((9, 8), (6.5, 6), (2, 2), (1, -1)):
        change(
            "INSERT INTO pauses (kind, began_at, until, told) VALUES ('outage', "
            f"'{stored(now - timedelta(days=began))}', '{stored(now - timedelta(days=ended))}', 0)"
        )
    first, last = now - timedelta(days=6.5), now - timedelta(days=6)
    told = f"{first:%Y-%m-%d %H:%M} UTC to {last:%Y-%m-%d %H:%M} UTC; "
    level, text = found("outages")
    assert (level, text.startswith(told), text.count(" to ")) == ("warn", True, 2)
    # The last outage is left over from time that was set back; the operator need not end it.
    assert found("clocks")[0] == "ok"


@pytest.mark.usefixtures("home")
def test_clocks_that_the_operator_has_stopped_are_told_until_they_run_again() -> None:
    done("pause")
    level, text = found("clocks")
    assert (level, text.startswith("all have stood since ")) == ("warn", True)
    done("resume")
    assert found("clocks")[0] == "ok"


def stored(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


@pytest.mark.postgres
@pytest.mark.usefixtures("bare")
def test_a_postgresql_that_does_not_know_its_letters_is_told() -> None:
    with postgres_database(postgres_server(), "SQL_ASCII") as url:
        level, text = found("database", "--database", url)
    assert level == "FAIL"
    assert "its encoding is SQL_ASCII" in text
    assert "createdb --encoding UTF8" in text
