"""The HTTP server of figures and state."""

import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import NoReturn

from prometheus_client import CollectorRegistry

from pbm.config import TcpEndpoint
from pbm.system import utc_now
from pbm.watch.metrics import Watched

PATIENCE = 10.0
FREE = TcpEndpoint("127.0.0.1", 0)


def no_database() -> NoReturn:
    raise AssertionError


def healthy(failed: Callable[[], str] = str) -> Watched:
    watched = Watched(CollectorRegistry(), no_database, utc_now)
    watched.watch(failed, bool)
    return watched


def connected(endpoint: TcpEndpoint) -> socket.socket:
    return socket.create_connection((endpoint.host, endpoint.port), PATIENCE)


def read_all(client: socket.socket) -> bytes:
    """Return what comes until the server hangs up."""
    return b"".join(iter(lambda: client.recv(1024), b""))


def answer(client: socket.socket) -> bytes:
    client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
    return read_all(client)


def test_a_server_that_starts_again_at_once_gets_its_port_though_somebody_had_just_asked() -> None:
    with healthy().shown_at(FREE) as first, connected(first) as client:
        answer(client)  # to its end, so that the server has hung up first
    with healthy().shown_at(first) as second:
        assert second == first


def test_whoever_connects_and_asks_nothing_keeps_nobody_from_an_answer() -> None:
    with healthy().shown_at(FREE) as shown, ExitStack() as idle:
        for _ in range(30):
            idle.enter_context(connected(shown)).sendall(b"GET /hea")
        with connected(shown) as client:
            assert answer(client).startswith(b"HTTP/1.0 200 ")


def test_whoever_has_asked_is_answered_though_many_connect_meanwhile() -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def slow() -> str:
        if not asked.is_set():
            asked.set()
            may_answer.wait(PATIENCE)
        return ""

    with healthy(slow).shown_at(FREE) as shown, connected(shown) as first, ExitStack() as idle:
        first.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert asked.wait(PATIENCE)
        for _ in range(30):
            idle.enter_context(connected(shown))
        with connected(shown) as another:
            assert answer(another).startswith(b"HTTP/1.0 200 ")
        may_answer.set()
        assert read_all(first).startswith(b"HTTP/1.0 200 ")
