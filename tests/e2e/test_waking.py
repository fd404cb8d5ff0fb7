"""Processes that share the work wake each other; nobody waits until one looks by itself."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.databases import new_database
from tests.e2e.conftest import PASSWORD
from tests.e2e.people import Person, begin_match, letter, take_turn
from tests.e2e.server import Server, patient
from tests.processes import Streams, clean_environment, fork
from tests.sink import Sink

pytestmark = pytest.mark.slow

LAYOUTS = (
    ("intake", "play", "deliver"),
    ("intake,deliver", "play,remind"),
    ("intake,play", "deliver"),
)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with new_database(request.param, tmp_path) as url:
        yield url


@contextmanager
def beside(server: Server, environment: dict[str, str], *options: str) -> Iterator[None]:
    """Run another process of `server`, without a listener."""
    log = server.home / "beside.log"
    with fork(
        "serve", "--smtp", "", *options,
        home=server.home, environment=environment, streams=Streams(log, log), program=patient,
    ) as process:  # fmt: skip
        yield
        assert process.end() == 0


@contextmanager
def running(home: Path, database: str, sink: Sink, roles: tuple[str, ...]) -> Iterator[Server]:
    """Run a process for each of `roles`; yield the first one, which listens."""
    environment = clean_environment(PBM_DATABASE=database)
    options = ("--relay", sink.relay, "--roles")
    with ExitStack() as stack:
        server = stack.enter_context(
            Server(home, *options, roles[0], program=patient, environment=environment)
        )
        for role in roles[1:]:
            stack.enter_context(beside(server, environment, *options, role))
        yield server


@pytest.mark.parametrize("roles", LAYOUTS, ids=" | ".join)
def test_a_move_is_answered_at_once_however_the_work_is_shared_out(
    tmp_path: Path, database: str, roles: tuple[str, ...]
) -> None:
    with Sink() as sink, running(tmp_path, database, sink, roles) as server:
        alice, bob = (Person(name, server, sink) for name in ("alice", "bob"))
        alice.opens_account(PASSWORD)
        bob.opens_account(PASSWORD)
        mail, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
        take_turn(alice, bob, mail, "b2")


def test_what_a_command_puts_in_is_played_and_what_it_composes_is_delivered_at_once(
    tmp_path: Path, database: str
) -> None:
    roles = ("intake", "play", "deliver")
    with Sink() as sink, running(tmp_path, database, sink, roles) as server:
        alice, bob = (Person(name, server, sink) for name in ("alice", "bob"))
        alice.opens_account(PASSWORD)
        bob.opens_account(PASSWORD)
        (tmp_path / "mail").write_bytes(letter(alice.address, f"help alice {PASSWORD}"))
        server.pbm("inject", "mail")
        alice.next("help")
        server.pbm("game", "create", "gonnect", "alice", "bob")
        alice.next("your move")
        bob.next("alice to move")
