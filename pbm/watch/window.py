"""A small HTTP server through which the figures and the state of a process are seen.

It answers GET of a few fixed paths, closes each connection after the answer, and holds at most a
few at once: whoever asks must not take what players need. If all places are taken, who has waited
longest without asking loses theirs, so that idle connections do not make a sound server look
dead. It is for the operator's own net, since it asks nobody who they are.
"""

import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self

from pbm.config import TcpEndpoint
from pbm.locks import explained

_PATIENCE = 5.0
"""Seconds that a client may take for its request."""

_AT_ONCE = 8

_PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Page:
    """What is answered."""

    text: bytes
    kind: str = _PLAIN
    status: HTTPStatus = HTTPStatus.OK


def sentence(text: str, *, fine: bool) -> Page:
    """Return a page of one line: 200 if all is fine, 503 if not."""
    status = HTTPStatus.OK if fine else HTTPStatus.SERVICE_UNAVAILABLE
    return Page(f"{text}\n".encode(), status=status)


Pages = Mapping[str, Callable[[], Page]]


class Window(AbstractContextManager["Window"]):
    """Shows `pages` at `endpoint`, port 0 being a free one, while the block runs.

    Raises Occupied if it cannot listen there.
    """

    def __init__(self, endpoint: TcpEndpoint, pages: Pages) -> None:
        try:
            self._server = _Server((endpoint.host, endpoint.port), pages)
        except OSError as error:
            raise explained(error, endpoint) from error
        self.endpoint = TcpEndpoint(endpoint.host, self._server.server_address[1])
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.2,), name="pbm-window", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Places:
    """The connections that are held, at most `_AT_ONCE`, and which of them have not asked yet."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._silent: dict[socket.socket, None] = {}  # the oldest first
        self._asked: set[socket.socket] = set()

    def take(self, connection: socket.socket) -> bool:
        """Return whether there is a place for one more; the oldest that has not asked may go."""
        with self._mutex:
            if len(self._silent) + len(self._asked) >= _AT_ONCE:
                if not self._silent:
                    return False
                oldest = next(iter(self._silent))
                del self._silent[oldest]
                with suppress(OSError):  # it has hung up
                    oldest.shutdown(socket.SHUT_RDWR)  # which its thread notices
            self._silent[connection] = None
            return True

    def asks(self, connection: socket.socket) -> None:
        """Note that a connection has asked, and keeps its place until it is answered."""
        with self._mutex:
            if connection in self._silent:
                del self._silent[connection]
                self._asked.add(connection)

    def leave(self, connection: socket.socket) -> None:
        """Give the place of a connection to the next, if it still has one."""
        with self._mutex:
            self._silent.pop(connection, None)
            self._asked.discard(connection)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64  # with the usual 5, who connects after a few others waits a second

    def __init__(self, address: tuple[str, int], pages: Pages) -> None:
        self.pages = pages
        self.places = _Places()
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind without looking up our own name, which can take seconds."""
        TCPServer.server_bind(self)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Return whether there is a place for one more."""
        del client_address
        return self.places.take(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and leave the place to the next."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.leave(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that hangs up."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _PATIENCE
    server_version = "pbm"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer."""
        self.server.places.asks(self.connection)
        page = self.server.pages.get(self.path.partition("?")[0])
        found = page() if page else Page(b"no such page\n", status=HTTPStatus.NOT_FOUND)
        self.send_response(found.status)
        self.send_header("Content-Type", found.kind)
        self.send_header("Content-Length", str(len(found.text)))
        self.end_headers()
        self.wfile.write(found.text)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Write nothing: a scrape every few seconds is no news."""
