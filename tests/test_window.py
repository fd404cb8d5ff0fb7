"""The small HTTP server of figures and state."""

import socket

from pbm.endpoints import TcpEndpoint
from pbm.watch.window import Window, sentence


def test_a_server_that_starts_again_at_once_gets_its_port_though_somebody_had_just_asked() -> None:
    pages = {"/healthz": lambda: sentence("all stages turn", fine=True)}
    with Window(TcpEndpoint("127.0.0.1", 0), pages) as first:
        port = first.endpoint.port
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            while client.recv(1024):  # until the server hangs up, which it has done first then
                pass
    with Window(TcpEndpoint("127.0.0.1", port), pages) as second:
        assert second.endpoint.port == port
