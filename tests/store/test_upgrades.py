"""Data of each released version is still in use after an upgrade, on both databases."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Boolean, DateTime, MetaData, func, insert, select

from pbm.operator.upkeep import verify_all
from tests.cli.terminal import done
from tests.doors import create_engine, migrations, tables
from tests.e2e.server import Server
from tests.house import Clock, HouseUnderTest, text_of
from tests.processes import run_pbm

pytestmark = pytest.mark.slow


RELEASED = sorted((Path(__file__).parent / "released").glob("*.json"))


Rows = dict[str, Any]


@pytest.mark.parametrize("file", RELEASED, ids=lambda file: file.stem)
def test_after_an_upgrade_open_matches_and_waiting_mails_go_on(
    file: Path, empty_url: str, tmp_path: Path
) -> None:
    rows: Rows = json.loads(file.read_text())
    restore(empty_url, file.stem, rows)
    head = migrations.head()
    told = done("db", "upgrade", "--database", empty_url, "--secret", str(tmp_path / "key"))
    assert told == f"the database is at {head}\n"
    assert migrations.check(empty_url) == ()
    (tmp_path / "key").write_text(rows["key"])
    then = max(datetime.fromisoformat(row["received_at"]) for row in rows["inbox"])
    house = HouseUnderTest(tmp_path, url=empty_url, clock=Clock(then + timedelta(hours=1)))
    waited = {mail["recipient"] for mail in rows["outbox"] if mail["state"] == "waiting"}
    assert {mail["To"] for mail in house.deliver()} == waited
    refused = ["It is not your turn" in text_of(mail) for mail in house.play()]
    assert moves(house) == ["C3", "B2", "D4"]
    assert sum(refused) == 1, "the reply came before the password"
    house.reply(house.last_to("bob@example.org"), "E5")
    assert moves(house) == ["C3", "B2", "D4", "E5"]
    with house.house.open_reading() as work:
        assert list(verify_all(work, house.house.catalogue)) == [(101, ())]
    house.house.close()


def moves(house: HouseUnderTest) -> list[str]:
    with house.house.open_reading() as work:
        found = work.matches.get(101)
        assert found is not None
        return [turn.text for turn in found[0].turns]


def restore(url: str, stem: str, rows: Rows) -> None:
    """Make the database of an earlier revision, with the rows that its version left."""
    migrations.upgrade(url, stem)
    engine = create_engine(url)
    then = MetaData()
    then.reflect(engine)
    with engine.begin() as connection:
        for table in then.sorted_tables:
            kept = rows.get(table.name, [])
            values = [
                {key: stored(value, table.c[key].type) for key, value in row.items()}
                for row in kept
            ]
            if values:
                connection.execute(insert(table), values)
        if engine.dialect.name == "postgresql":
            # A server numbers rows by these; what is inserted with its number does not count.
            for table in then.sorted_tables:
                numbers = func.pg_get_serial_sequence(table.name, "id")
                if "id" in table.c and connection.scalar(select(numbers)) and rows.get(table.name):
                    connection.execute(select(func.setval(numbers, func.max(table.c.id))))
    engine.dispose()


def stored(value: Any, kind: object) -> Any:
    """Return a value of a file as a column of that type takes it."""
    if isinstance(value, dict):
        return base64.b64decode(value["base64"])
    if value is not None and isinstance(kind, Boolean):
        return bool(value)
    if value is not None and isinstance(kind, DateTime):
        return datetime.fromisoformat(value)
    return value


def test_two_upgrades_at_once_make_one(empty_url: str, tmp_path: Path) -> None:
    migrations.upgrade(empty_url, "0017")
    words = ("db", "upgrade", "--database", empty_url, "--secret", str(tmp_path / "key"))
    with ThreadPoolExecutor() as pool:
        ends = list(pool.map(lambda _: run_pbm(*words, home=tmp_path), range(2)))
    assert [(end.returncode, end.stderr) for end in ends] == [(0, "")] * 2
    assert migrations.check(empty_url) == ()
    engine = create_engine(empty_url)
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(tables.audit)) == 1
    engine.dispose()


def test_two_servers_that_start_at_once_make_one_database(empty_url: str, tmp_path: Path) -> None:
    shared = ("--database", empty_url, "--secret", str(tmp_path / "secret.key"))
    options = (*shared, "--relay", "null:", "--roles", "intake")
    homes = [tmp_path / name for name in ("first", "second")]
    for home in homes:
        home.mkdir()
    servers = [Server(home, *options) for home in homes]
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        for server in servers:
            stack.push(server)
        started = list(pool.map(Server.start, servers))
        assert [server.stop() for server in started] == [0, 0]
    assert migrations.check(empty_url) == ()
