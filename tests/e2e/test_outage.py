"""A server that is killed over a deadline, as its players see it by mail."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Executable, func, select, update

from pbm.store.database import create_engine
from pbm.store.tables import matches, pauses, pulses
from tests.e2e.conftest import PASSWORD
from tests.e2e.people import Person, begin_match
from tests.e2e.server import Server
from tests.processes import lasting_port, until
from tests.sink import Sink

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)


def change(home: Path, statement: Executable) -> None:
    """Change the database of the server in `home` as if time had passed."""
    engine = create_engine(f"sqlite:///{home / 'var' / 'pbm.db'}")
    with engine.begin() as connection:
        connection.execute(statement)
    engine.dispose()


def count(home: Path, statement: Executable) -> int:
    engine = create_engine(f"sqlite:///{home / 'var' / 'pbm.db'}")
    with engine.begin() as connection:
        found = int(connection.execute(statement).scalar_one())
    engine.dispose()
    return found


def told(moment: datetime) -> str:
    return f"{moment:%a} {moment.day} {moment:%b %Y %H:%M} UTC"


def end_of_silence(prose: str) -> datetime:
    """Return until when the server was silent, according to the news."""
    found = re.search(r" to (\w+ \d+ \w+ \d+ \d+:\d+) UTC\. All clocks", prose)
    assert found, prose
    return datetime.strptime(found[1], "%a %d %b %Y %H:%M").replace(tzinfo=UTC)


def test_a_server_that_was_killed_and_comes_back_three_days_later_gives_the_time_back(
    tmp_path: Path,
) -> None:
    # Without robots, the first player is the one whose id is 1.
    options = ("--no-robots", "--relay")
    with Sink() as sink, Server(tmp_path, *options, sink.relay, port=lasting_port()) as server:
        alice, bob = Person("alice", server, sink), Person("bob", server, sink)
        alice.opens_account(PASSWORD)
        bob.opens_account(PASSWORD)
        for _ in range(2):
            begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
        until(lambda: server.pbm("outbox", "list", "--json") == "[]\n", "all to be delivered")
        server.kill()
        # Both turns began 23 days ago. Alice was warned of both four days ago. The server has
        # been down for three days, during which she would have lost both.
        now = datetime.now(UTC)
        warned = f'{{"1": [2, "{(now - 4 * DAY).isoformat()}"]}}'
        change(tmp_path, update(matches).values(
            turn_since=now - 23 * DAY, look_at=now - 2 * DAY, reminded=warned,
        ))  # fmt: skip
        change(tmp_path, update(pulses).values(at=now - 3 * DAY, good_until=now - 3 * DAY))
        server.start()
        news = alice.next("The server was silent")
        assert f"from {told(now - 3 * DAY)} to " in news.prose
        back = end_of_silence(news.prose)
        assert timedelta(minutes=-1) < back - now < timedelta(minutes=2)
        for number in (101, 102):
            assert f"{number} Gonnect, against bob: by {told(back + DAY)}" in news.prose
        bob.next("The server was silent")
        alice.answer(news, "show 101")
        assert told(back + DAY) in alice.next("Board 101").prose
        # Nobody was told anything else, and the server is no longer silent.
        for person in (alice, bob):
            assert len(person.mails()) == person.read
        assert count(tmp_path, select(func.count()).select_from(pauses)) == 1
        assert "forfeit" not in server.pbm("remind")
        assert server.stop() == 0
        assert "an outage from" in server.log
