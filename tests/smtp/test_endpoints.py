"""Where to listen, as the operator writes it."""

import os
from pathlib import Path

import pytest

from pbm.config import Endpoint, TcpEndpoint, UnixEndpoint, read_endpoint
from pbm.locks import Occupied
from pbm.smtp.connections import peer_of
from tests.smtp.house import House


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("127.0.0.1:8025", TcpEndpoint("127.0.0.1", 8025)),
        ("[::1]:25", TcpEndpoint("::1", 25)),
        ("localhost:0", TcpEndpoint("localhost", 0)),
        ("/run/pbm/lmtp", UnixEndpoint(Path("/run/pbm/lmtp"))),
        ("./lmtp.sock", UnixEndpoint(Path("lmtp.sock"))),
    ],
)
def test_an_endpoint_is_read(text: str, endpoint: Endpoint) -> None:
    assert read_endpoint(text) == endpoint


@pytest.mark.parametrize(
    "text", ["", "8025", ":8025", "host:", "host:smtp", "host:65536", "host:²"]
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is neither HOST:PORT nor the path of a socket"):
        read_endpoint(text)


def test_an_ipv6_endpoint_is_shown_as_it_is_written() -> None:
    assert str(TcpEndpoint("::1", 25)) == "[::1]:25"


def test_listeners_tell_the_port_that_was_free() -> None:
    with House() as house:
        endpoint = house.endpoint("smtp")
        assert isinstance(endpoint, TcpEndpoint)
        assert endpoint.port
        assert str(house.listeners[0]) == f"smtp 127.0.0.1:{endpoint.port}"


def test_an_address_in_use_is_an_error_and_leaves_nothing_open() -> None:
    with House() as house:
        taken = house.endpoint("smtp")
        assert isinstance(taken, TcpEndpoint)
        second = House()
        object.__setattr__(second.settings, "lmtp", (taken,))
        with pytest.raises(Occupied, match=rf"is taken by process {os.getpid()} "), second:
            pass


@pytest.mark.parametrize(
    ("host", "peer"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_a_peer_is_an_ipv4_address_or_the_64_of_an_ipv6_address(host: str, peer: str) -> None:
    assert peer_of(host) == peer
