"""`pbm db copy`: a server moves from SQLite to PostgreSQL, and its players do not notice."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from pbm.store import migrations
from tests.databases import postgres_database, postgres_server
from tests.e2e.people import Person, begin_match, take_turn
from tests.e2e.server import Server
from tests.processes import clean_environment, fork, run_pbm, until
from tests.sink import Sink

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

PASSWORD = "correct-horse"


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


def test_a_match_goes_on_in_a_copy_that_was_killed_and_said_again(
    target: str, tmp_path: Path
) -> None:
    with Sink() as sink:
        accounts = (("alice", PASSWORD), ("bob", PASSWORD))
        with Server(tmp_path, "--relay", sink.relay, accounts=accounts) as server:
            alice, bob = Person("alice", server, sink), Person("bob", server, sink)
            asked, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
            before = take_turn(alice, bob, asked, "C3")
            assert server.stop() == 0
        kill_in_the_middle(target, tmp_path)
        early = run_pbm("user", "list", "--database", target, home=tmp_path)
        assert (early.returncode, "alice" in early.stdout) == (0, False)
        again = run_pbm("db", "copy", "--to", target, home=tmp_path)
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout.startswith("copied ")
        with Server(tmp_path, "--relay", sink.relay, "--database", target) as server:
            alice.server = bob.server = server
            after = take_turn(bob, alice, before, "B2")
            assert "bob played B2" in after.prose
            begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
            assert sink.mails[-1].board == "102"
            assert server.pbm("verify", "--database", target) == "2 matches, 0 with faults\n"


def test_a_server_that_runs_is_not_copied_behind_its_back(target: str, tmp_path: Path) -> None:
    with Server(tmp_path, "--relay", "null:") as server:
        refused = run_pbm("db", "copy", "--to", target, home=tmp_path)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "in use; stop the server before you copy." in refused.stderr
        assert server.stop() == 0


def test_a_target_that_holds_something_is_refused(target: str, tmp_path: Path) -> None:
    assert run_pbm("db", "upgrade", home=tmp_path).returncode == 0
    added = ("user", "add", "carol", PASSWORD, "carol@example.org", "--database", target)
    assert run_pbm(*added, home=tmp_path).returncode == 0
    held = run_pbm("db", "copy", "--to", target, home=tmp_path)
    assert held.stderr == (
        "pbm: The target holds data of pbm's already; copy into an empty database.\n"
    )
    with outsider(target) as strange:
        strange.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE t (a int)")
    foreign = run_pbm("db", "copy", "--to", target, home=tmp_path)
    assert foreign.stderr == (
        "pbm: The target holds tables that are not pbm's; copy into an empty one.\n"
    )
    file = run_pbm("db", "copy", "--to", f"sqlite:///{tmp_path}/b.db", home=tmp_path)
    assert file.stderr == (
        "pbm: pbm copies into PostgreSQL; a SQLite file is copied by pbm db backup.\n"
    )
