"""A server with a relay to a sink, and two players with accounts."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.e2e.people import Person
from tests.e2e.server import Server
from tests.sink import Sink

PASSWORD = "correct-horse"


class Table(NamedTuple):
    """A server and the two players on it."""

    server: Server
    sink: Sink
    alice: Person
    bob: Person


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Yield alice and bob, both with PASSWORD, on one server for all tests of a module."""
    home = tmp_path_factory.mktemp("house")
    with Sink() as sink, Server(home, "--relay", sink.relay) as server:
        alice, bob = Person("alice", server, sink), Person("bob", server, sink)
        alice.opens_account(PASSWORD)
        bob.opens_account(PASSWORD)
        yield Table(server, sink, alice, bob)


@pytest.fixture
def table(house: Table) -> Table:
    """Return the house with nothing left to read from earlier tests."""
    for person in (house.alice, house.bob):
        person.read = len(person.mails())
    return house
