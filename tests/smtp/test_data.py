"""Where a DATA ends, and what its octets mean."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.smtp.syntax import DataCollector, received_headers, with_crlf

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


@pytest.mark.parametrize(
    ("octets", "lines"),
    [
        (b"a\nb\r\n", b"a\r\nb\r\n"),
        (b"a\rb\r\n", b"a\r\nb\r\n"),
        (b"a\n\rb\r\n", b"a\r\n\r\nb\r\n"),
        (b"A: b\r\n\r\na\r\r\nb\r\n", b"A: b\r\n\r\na\r\n\r\nb\r\n"),
    ],
)
def test_every_kind_of_line_end_becomes_crlf(octets: bytes, lines: bytes) -> None:
    assert with_crlf(octets) == lines


@pytest.mark.parametrize(
    "head", [b"A: b\rFrom: c\r\nD: e\r\n", b"A: b\nFrom: c\r\nD: e\r\n", b"A: b\r\r\nD: e\r\n"]
)
@pytest.mark.parametrize(("text", "read"), [(b"", b""), (b"\r\nf\ng", b"\r\nf\r\ng")])
def test_a_lone_line_end_in_the_headers_of_a_mail_with_crlf_makes_no_field(
    head: bytes, text: bytes, read: bytes
) -> None:
    assert with_crlf(head + text) == head + read


def test_a_mail_that_grows_past_the_limit_by_its_line_ends_is_too_big() -> None:
    data, _ = feed_all([b"\n" * 600 + b"\r\n.\r\n"])
    assert data.content() is None


def test_a_mail_of_exactly_the_limit_is_taken_though_its_dots_are_doubled() -> None:
    data, _ = feed_all([b"..\r\n" * 333 + b"\r\n.\r\n"], size=1001)
    assert data.content() == b".\r\n" * 333 + b"\r\n"


def test_the_end_of_a_mail_too_big_is_found_octet_by_octet() -> None:
    octets = b"x" * 100 + b"\r\n.\r\n"
    data, rest = feed_all([bytes([octet]) for octet in octets], size=10)
    assert rest == b""
    assert data.content() is None


def test_only_the_header_counts_servers() -> None:
    mail = b"Received: a\r\nreceived: b\r\n by x\r\nX-Received: c\r\n\r\nReceived: d\r\n"
    assert received_headers(mail) == 2
