"""Hosts with a server each on one PostgreSQL, and people who play by all of them."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

from pbm.config import Settings
from pbm.server.assembly import App
from tests.e2e.server import Server
from tests.hosts.network import HUB, Network
from tests.house import QUICK_PASSWORDS
from tests.processes import clean_environment, until
from tests.torture.people import SERVER, People, house_of
from tests.torture.post import Post
from tests.torture.relay import FaultyRelay

T = TypeVar("T")

PAIRS = tuple((f"p{number:02}", f"q{number:02}") for number in range(6))

_FIRST_PORT = 2501


@dataclass
class Town:
    """A server on each host, under the host's name; `house` looks at what they have stored."""

    network: Network
    url: str
    servers: dict[str, Server]
    relay: FaultyRelay
    house: App
    people: People
    post: Post

    def at(self, name: str, work: Callable[[], T]) -> "Future[T]":
        """Do this in the network of a host, in another thread."""
        pool = ThreadPoolExecutor(1)
        try:
            return pool.submit(self._there, name, work)
        finally:
            pool.shutdown(wait=False)

    def waits(self) -> str:
        """Return what waits to be taken, played or delivered; "" if nothing does."""
        with self.house.open_reading() as work:
            waiting = {
                "letters": not self.post.is_empty,
                "inbox": work.inbox.waiting(),
                "outbox": [row for row in work.outbox.listing() if row.state == "waiting"],
                "sequels": work.follow_ups.wait(),
            }
        return ", ".join(f"{name}: {what}" for name, what in waiting.items() if what)

    def _there(self, name: str, work: Callable[[], T]) -> T:
        with self.network.there(name):
            return work()


@contextmanager
def open_town(home: Path, network: Network, url: str) -> Iterator[Town]:
    """Yield the town, in a thread that is where the switch is."""
    with ExitStack() as stack:
        relay = stack.enter_context(
            FaultyRelay(chance=Random(1), on_mail=_nobody, on_killing=_nobody, host=HUB)
        )
        settings = Settings(SERVER, url, "null:", home / "secret.key")
        names = [name for pair in PAIRS for name in pair]
        house = house_of(settings, names, QUICK_PASSWORDS)
        stack.callback(house.close)
        ports = {name: port for port, name in enumerate(network.hosts, _FIRST_PORT)}
        hosts = {port: network.hosts[name].address for name, port in ports.items()}
        # Whoever writes to a host that is cut off soon tries another one.
        post = Post(tuple(hosts), Random(2), hosts=hosts, patience=2.0)
        stack.callback(post.close)
        people = People(PAIRS, post, Random(3))
        stack.callback(people.close)
        relay.on_mail = people.get
        servers = {
            name: stack.enter_context(_server(home, network, name, port, house, relay))
            for name, port in ports.items()
        }
        yield Town(network, url, servers, relay, house, people, post)


def seconds_until(look: Callable[[], bool], at_most: float, what: Callable[[], str]) -> float:
    """Return after how many seconds `look` is true; `what` says what is not done yet."""
    began = time.monotonic()
    until(look, what, at_most)
    return time.monotonic() - began


def _nobody(*_: object) -> None:
    """Tell nobody, and kill nobody: this relay has no bad days."""


def _server(
    home: Path, network: Network, name: str, port: int, house: App, relay: FaultyRelay
) -> Server:
    """Return the server of a host: a process there, with all roles."""
    host = network.hosts[name]
    folder = home / name
    folder.mkdir()
    environment = clean_environment(
        PBM_DATABASE=house.settings.database, PBM_RELAY=relay.relay, PBM_ADDRESS=SERVER,
        PBM_SECRET=str(house.settings.secret),
    )  # fmt: skip
    command = (*host.command, sys.executable, "-m", "pbm")
    return Server(folder, host=host.address, port=port, environment=environment, command=command)
