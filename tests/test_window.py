"""The small HTTP server of figures and state."""

import socket
import threading
from contextlib import ExitStack

from pbm.config import TcpEndpoint
from pbm.watch.window import Page, Window, sentence

PATIENCE = 10.0

FINE = {"/healthz": lambda: sentence("all stages turn", fine=True)}


def connected(window: Window) -> socket.socket:
    return socket.create_connection((window.endpoint.host, window.endpoint.port), PATIENCE)


def read_all(client: socket.socket) -> bytes:
    """Return what comes until the server hangs up."""
    return b"".join(iter(lambda: client.recv(1024), b""))


def answer(client: socket.socket) -> bytes:
    client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
    return read_all(client)


def test_a_server_that_starts_again_at_once_gets_its_port_though_somebody_had_just_asked() -> None:
    with Window(TcpEndpoint("127.0.0.1", 0), FINE) as first:
        port = first.endpoint.port
        with connected(first) as client:
            answer(client)  # to its end, so that the server has hung up first
    with Window(TcpEndpoint("127.0.0.1", port), FINE) as second:
        assert second.endpoint.port == port


def test_whoever_connects_and_asks_nothing_keeps_nobody_from_an_answer() -> None:
    with Window(TcpEndpoint("127.0.0.1", 0), FINE) as window, ExitStack() as idle:
        for _ in range(30):
            idle.enter_context(connected(window)).sendall(b"GET /hea")
        with connected(window) as client:
            assert answer(client).startswith(b"HTTP/1.0 200 ")


def test_whoever_has_asked_is_answered_though_many_connect_meanwhile() -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def slow() -> Page:
        asked.set()
        may_answer.wait(PATIENCE)
        return sentence("all stages turn", fine=True)

    with (
        Window(TcpEndpoint("127.0.0.1", 0), {"/slow": slow, **FINE}) as window,
        connected(window) as first,
        ExitStack() as idle,
    ):
        first.sendall(b"GET /slow HTTP/1.0\r\n\r\n")
        assert asked.wait(PATIENCE)
        for _ in range(30):
            idle.enter_context(connected(window))
        with connected(window) as another:
            assert answer(another).startswith(b"HTTP/1.0 200 ")
        may_answer.set()
        assert read_all(first).startswith(b"HTTP/1.0 200 ")
