"""A server that is killed: over a deadline, in the midst of a delivery, while it copies itself."""

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Executable, func, make_url, select, update

from pbm.config import Settings
from pbm.domain.mail import OutgoingMail
from pbm.server.assembly import App
from pbm.store import migrations
from pbm.store.driver.database import create_engine
from pbm.store.tables import matches, pauses, pulses
from tests.databases import new_database, postgres_database, postgres_server
from tests.e2e.people import PASSWORD, open_table, take_turn
from tests.e2e.server import Server
from tests.processes import clean_environment, fork, lasting_port, run_pbm, until
from tests.sink import Arrived, Sink

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)


# ---- over a deadline, as the players see it by mail


def change(home: Path, *statements: Executable) -> int:
    """Change the database of the server in `home`; return the number that was asked for last."""
    engine = create_engine(f"sqlite:///{home / 'var' / 'pbm.db'}")
    found = 0
    with engine.begin() as connection:
        for statement in statements:
            result = connection.execute(statement)
            found = int(result.scalar_one()) if result.returns_rows else 0
    engine.dispose()
    return found


def told(moment: datetime) -> str:
    return f"{moment:%a} {moment.day} {moment:%b %Y %H:%M} UTC"


def test_a_server_that_was_killed_and_comes_back_three_days_later_gives_the_time_back(
    tmp_path: Path,
) -> None:
    # Without robots, the first player is the one whose id is 1.
    with open_table(tmp_path, "--no-robots", port=lasting_port()) as table:
        server, alice, bob = table.server, table.alice, table.bob
        for person in (alice, bob):
            person.opens_account(PASSWORD)
        for _ in range(2):
            table.begin()
        until(lambda: server.pbm("outbox", "list", "--json") == "[]\n", "all to be delivered")
        server.kill()
        # Both turns began 23 days ago. Alice was warned of both four days ago. The server has
        # been down for three days, during which she would have lost both.
        now = datetime.now(UTC)
        warned = f'{{"1": [2, "{(now - 4 * DAY).isoformat()}"]}}'
        change(
            tmp_path,
            update(matches).values(
                turn_since=now - 23 * DAY, look_at=now - 2 * DAY, reminded=warned
            ),
            update(pulses).values(at=now - 3 * DAY, good_until=now - 3 * DAY),
        )
        server.start()
        news = alice.next("The server could not be reached")
        assert f"from {told(now - 3 * DAY)} to " in news.prose
        found = re.search(r" to (\w+ \d+ \w+ \d+ \d+:\d+) UTC\. All clocks", news.prose)
        assert found, news.prose
        back = datetime.strptime(found[1], "%a %d %b %Y %H:%M").replace(tzinfo=UTC)
        assert timedelta(minutes=-1) < back - now < timedelta(minutes=2)
        for number in (101, 102):
            assert f"{number} Gonnect, against bob: by {told(back + DAY)}" in news.prose
        bob.next("The server could not be reached")
        alice.answer(news, "show 101")
        assert told(back + DAY) in alice.next("Board 101").prose
        # Nobody was told anything else, and the server is no longer silent.
        for person in (alice, bob):
            assert len(person.mails()) == person.read
        assert change(tmp_path, select(func.count()).select_from(pauses)) == 1
        assert "forfeit" not in server.pbm("remind")
        assert server.stop() == 0
        assert "an outage from" in server.log


# ---- in the midst of a delivery

MAILS = 90


@dataclass(kw_only=True)
class DeadlySink(Sink):
    """Kills the process that delivers to it once it has taken so many mails."""

    after: int
    victims: list[int] = field(default_factory=list)

    def take(self, mail: Arrived) -> None:
        super().take(mail)
        if len(self.mails) == self.after:
            os.kill(self.victims.pop(), signal.SIGKILL)


def fill_outbox(database: str, home: Path) -> None:
    house = App(Settings("pbm@localhost", database, "null:", home / "key"))
    mails = [
        OutgoingMail("bounce+x@localhost", f"p{n}@example.org", f"<{n}@localhost>",
                     b"Message-ID: <%d@localhost>\r\n\r\nHello.\r\n" % n)
        for n in range(MAILS)
    ]  # fmt: skip
    with house.open_unit() as work:
        work.outbox.add(mails, datetime.now(UTC))
        work.commit()
    house.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_kill_repeats_ten_mails_at_most_and_the_next_process_goes_on_at_once(
    kind: str, tmp_path: Path
) -> None:
    with new_database(kind, tmp_path) as database, DeadlySink(after=57) as sink:
        fill_outbox(database, tmp_path)
        options = ("work", "--database", database, "--relay", sink.relay, "--secret", "key")
        with fork(*options, home=tmp_path) as victim:
            sink.victims.append(victim.pid)
            assert victim.wait() == -signal.SIGKILL
        after = run_pbm(*options, home=tmp_path)
    assert after.returncode == 0, after.stderr
    assert "took over the mails" in after.stderr
    arrived = Counter(mail.message_id for mail in sink.mails)
    assert len(arrived) == MAILS
    assert arrived.total() - MAILS <= 10
    assert set(arrived.values()) <= {1, 2}


# ---- while it moves from SQLite to PostgreSQL by `pbm db copy`


@pytest.fixture
def target() -> Iterator[str]:
    """Yield the URL of an empty PostgreSQL database."""
    with postgres_database(postgres_server()) as url:
        yield url


def outsider(url: str) -> psycopg.Connection:
    """Return a connection that is not pbm's."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain)


def kill_in_the_middle(target: str, home: Path) -> None:
    """Copy as far as the log of the matches, and kill -9 the copy there."""
    migrations.upgrade(target)
    with outsider(target) as other, outsider(target) as watcher:
        watcher.autocommit = True
        other.execute("LOCK TABLE log IN EXCLUSIVE MODE")
        blocked = "FROM pg_locks WHERE relation = 'log'::regclass AND NOT granted"
        with fork("db", "copy", home=home, environment=clean_environment(PBM_TO=target)):
            until(lambda: watcher.execute(f"SELECT 1 {blocked}").fetchone(), "it to reach the log")
        # What the copy has asked for, up to the commit, the server would still do.
        ended = watcher.execute(f"SELECT pg_terminate_backend(pid, 30000) {blocked}").fetchall()
        assert ended == [(True,)]
        other.rollback()
        rows = "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM log)"
        assert watcher.execute(rows).fetchone() == (0, 0)


@pytest.mark.postgres
def test_a_match_goes_on_in_a_copy_that_was_killed_and_said_again(
    target: str, tmp_path: Path
) -> None:
    copy = ("db", "copy", "--to", target)
    with open_table(tmp_path) as table:
        alice, bob = table.alice, table.bob
        before = take_turn(alice, bob, table.begin()[0], "C3")
        refused = run_pbm(*copy, home=tmp_path)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "in use; stop the server before you copy." in refused.stderr
        assert table.server.stop() == 0
        kill_in_the_middle(target, tmp_path)
        early = run_pbm("user", "list", "--database", target, home=tmp_path)
        assert (early.returncode, "alice" in early.stdout) == (0, False)
        again = run_pbm(*copy, home=tmp_path)
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout.startswith("copied ")
        options = ("--relay", table.sink.relay, "--database", target)
        with Server(tmp_path, *options) as server:
            alice.host = bob.host = server
            after = take_turn(bob, alice, before, "B2")
            assert "bob played B2" in after.prose
            assert table.begin()[0].board == "102"
            assert server.pbm("verify", "--database", target) == "2 matches, 0 with faults\n"


@pytest.mark.postgres
def test_a_target_that_holds_something_is_refused(target: str, tmp_path: Path) -> None:
    def refusal(to: str = target) -> str:
        return run_pbm("db", "copy", "--to", to, home=tmp_path).stderr

    for new in ("sqlite:///var/pbm.db", target):
        assert run_pbm("db", "upgrade", "--database", new, home=tmp_path).returncode == 0
    added = ("user", "add", "carol", PASSWORD, "carol@example.org", "--database", target)
    assert run_pbm(*added, home=tmp_path).returncode == 0
    assert refusal() == (
        "pbm: The target holds data of pbm's already; copy into an empty database.\n"
    )
    with outsider(target) as strange:
        strange.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE t (a int)")
    assert refusal() == "pbm: The target holds tables that are not pbm's; copy into an empty one.\n"
    assert refusal(f"sqlite:///{tmp_path}/b.db") == (
        "pbm: pbm copies into PostgreSQL; a SQLite file is copied by pbm db backup.\n"
    )
