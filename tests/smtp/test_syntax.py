"""The end and the octets of DATA, words of operators and peers, and the inside of aiosmtpd."""

import inspect
import logging
import re
from collections.abc import Callable
from importlib.metadata import requires
from itertools import pairwise
from pathlib import Path

import aiosmtpd.smtp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.config import ConfigError, TcpEndpoint, UnixEndpoint, read_endpoint
from pbm.domain.addresses import masked
from pbm.server.locks import Occupied
from pbm.server.smtp import aiosmtpd_inside, read_network, session, transaction
from pbm.server.smtp.connections import network_of, peer_of, told_network
from pbm.server.smtp.syntax import DataCollector, received_headers, with_crlf
from tests.readings import answers, sections
from tests.smtp.house import House

# The octets that matter, often, and one that stands for all others.
OCTETS = st.lists(st.sampled_from([b"\r", b"\n", b".", b"\r\n", b"\r\n.\r\n", b"a"])).map(b"".join)


def feed_all(chunks: list[bytes], size: int = 1000) -> tuple[DataCollector, bytes | None]:
    data = DataCollector(size)
    for number, chunk in enumerate(chunks):
        rest = data.feed(chunk)
        if rest is not None:
            return data, rest + b"".join(chunks[number + 1 :])
    return data, None


@given(OCTETS, st.lists(st.integers(0, 60)), st.sampled_from([3, 1000]))
def test_the_end_and_the_mail_are_the_same_however_the_octets_are_cut(
    octets: bytes, cuts: list[int], size: int
) -> None:
    whole, rest = feed_all([octets], size)
    edges = [0, *sorted(cuts), len(octets)]
    cut, cut_rest = feed_all([octets[a:b] for a, b in pairwise(edges)], size)
    assert cut_rest == rest
    if rest is not None:
        assert cut.content() == whole.content()


@given(OCTETS, OCTETS)
def test_a_mail_stuffed_by_the_rules_comes_out_as_it_was(octets: bytes, after: bytes) -> None:
    mail = with_crlf(octets)
    mail = mail if mail.endswith(b"\r\n") or not mail else mail + b"\r\n"
    lines = mail.split(b"\r\n")
    stuffed = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines)
    data, rest = feed_all([stuffed + b".\r\n" + after])
    assert data.content() == mail
    assert rest == after


def test_the_limit_counts_a_mail_as_it_is_stored() -> None:
    grown, _ = feed_all([b"\n" * 600 + b"\r\n.\r\n"])  # by its line ends
    assert grown.content() is None
    exact, _ = feed_all([b"..\r\n" * 333 + b"\r\n.\r\n"], size=1001)  # though its dots are doubled
    assert exact.content() == b".\r\n" * 333 + b"\r\n"
    octets = b"x" * 100 + b"\r\n.\r\n"
    large, rest = feed_all([bytes([octet]) for octet in octets], size=10)
    assert (large.content(), rest) == (None, b"")


def test_only_the_header_counts_servers() -> None:
    mail = b"Received: a\r\nreceived: b\r\n by x\r\nX-Received: c\r\n\r\nReceived: d\r\n"
    assert received_headers(mail) == 2


READINGS = sections(Path(__file__).with_name("readings.txt"))


def crlf(octets: str) -> str:
    return with_crlf(octets.encode("latin-1")).decode("latin-1").encode("unicode-escape").decode()


def endpoint(text: str) -> object:
    found = read_endpoint(text)
    assert isinstance(found, UnixEndpoint if "/" in text else TcpEndpoint)
    return found


def told(content: str) -> str:
    """Return where the topmost Received says that a mail comes from, wherever that stands."""
    received = b"Received: " + content.encode()
    below = b"Received: from y (y [198.51.100.1]) by liar\r\n\r\n"
    found = told_network(received + b"\r\n" + below)
    later = told_network(b"Return-Path: <a@b.cd>\r\n" + received.lower() + b"\r\n\r\n")
    return found if found == later else f"{found} and {later}"


@pytest.mark.parametrize(
    "function", [crlf, endpoint, masked, peer_of, network_of, read_network, told]
)
def test_readings(function: Callable[[str], object]) -> None:
    table = READINGS[function.__name__]
    assert answers(table, function, ConfigError) == table


def test_what_stands_in_the_text_is_no_field() -> None:
    assert told_network(b"Subject: x\r\n\r\nReceived: from y (y [198.51.100.1]) by z\r\n") == ""


def test_listeners_say_the_port_that_was_free_and_another_one_there_leaves_nothing_open() -> None:
    with House() as house:
        taken = house.endpoint("smtp")
        assert isinstance(taken, TcpEndpoint)
        assert taken.port
        assert str(house.listeners[0]) == f"smtp 127.0.0.1:{taken.port}"
        second = House()
        object.__setattr__(second.settings, "lmtp", (taken,))
        with pytest.raises(Occupied, match="is taken by another process: ss -ltnp"), second:
            pass


def test_neither_tokens_nor_contents_are_logged_at_any_level(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with House() as house:
        client = house.client()
        client.address("pbm+t0k3n@example.org", sender="<alice+t0k3n@example.com>")
        client.type(b"Subject: move 101 alice s3cret G7\r\n\r\n.\r\n")
        assert client.hear().startswith("250")
        for line in ("FROB t0k3n", "s3cret", "RSET", "MAIL FROM:<>", "RCPT TO:<who+t0k3n@x.org>"):
            client.say(line)
    assert "pbm+***@example.org" in caplog.text
    assert "127.0.0.1" in caplog.text
    assert "t0k3n" not in caplog.text
    assert "s3cret" not in caplog.text


def test_the_inside_of_aiosmtpd_is_there_and_is_used_in_one_module_only() -> None:
    inside = inspect.getsource(aiosmtpd.smtp)
    ours = Path(aiosmtpd_inside.__file__).read_text("utf-8")
    names = set(re.findall(r"(?:self\.|def )(_[a-z]\w*)", ours))
    assert len(names) == 9
    missing = [x for x in names if not re.search(rf"(?:self\.|def ){x}\b", inside)]
    assert missing == [], f"mend {aiosmtpd_inside.__file__}"
    for module in (session, transaction):
        source = inspect.getsource(module)
        assert not [name for name in names if f"self.{name}" in source]
    # The next minor version is not taken unseen.
    (wanted,) = [line for line in requires("pbm-server") or () if line.startswith("aiosmtpd")]
    assert "<1.5" in wanted
