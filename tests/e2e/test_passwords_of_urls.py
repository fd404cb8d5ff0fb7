"""What a running server shows of the passwords in its URLs: nothing, also when all goes wrong."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.databases import postgres_database, postgres_server
from tests.e2e.people import hand_in, letter
from tests.e2e.server import Server
from tests.processes import PBM, clean_environment, lasting_port, run_pbm, until

SECRETS = ("zq-database-pw", "zq-relay-pw")


@pytest.fixture
def database() -> Iterator[str]:
    """Yield the URL of a database, with a password that a trusting server does not ask for."""
    with postgres_database(postgres_server()) as url:
        yield make_url(url).set(password=SECRETS[0]).render_as_string(hide_password=False)


def dropped(database: str, table: str) -> None:
    url = make_url(database).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP TABLE {table} CASCADE")


def _listed(pid: int) -> str:
    """Return what everybody on the host sees of a process."""
    listed = subprocess.run(["ps", "-ww", "-o", "args=", str(pid)], capture_output=True, check=True)
    assert b"serve" in listed.stdout
    return listed.stdout.decode()


@pytest.mark.slow
@pytest.mark.postgres
def test_no_password_stands_in_log_arguments_traceback_doctor_or_queues(
    tmp_path: Path, database: str
) -> None:
    relay = f"smtp://pbm:{SECRETS[1]}@127.0.0.1:{lasting_port()}"
    environment = clean_environment(PBM_DATABASE=database, PBM_RELAY=relay)
    server = Server(tmp_path, "--log-level", "DEBUG", environment=environment, command=PBM).start()
    hand_in(server, "alice@example.com", letter("alice@example.com", "Hello"), "pbm@localhost")
    shown = []

    def told(*command: str) -> str:
        ended = run_pbm(*command, home=tmp_path, environment=environment)
        shown.append(ended.stdout + ended.stderr)
        return ended.stdout

    until(lambda: "cannot be used" in told("outbox", "list"), "a mail that the relay did not take")
    shown.append(_listed(server.pid))
    assert "FAIL relay" in told("doctor")
    dropped(database, "outbox_texts")
    hand_in(server, "bob@example.com", letter("bob@example.com", "Hello"), "pbm@localhost")
    assert server.wait() == 1
    assert "has failed. Traceback:" in server.log
    told("doctor")
    told("outbox", "list")
    shown.append(server.log)
    assert not [secret for secret in SECRETS if any(secret in text for text in shown)]
