"""No header of an answer is made of what a mail holds, however it is encoded."""

import base64
import quopri
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.house import ADDRESS, HouseUnderTest

ENDS = ("\r\n", "\n", "\r", "\n ", "\r\n\t", "\u2028", "\x0b", "\x85", "\x00", "%0d%0a", "\\r\\n")
"""What may be taken for the end of a line, by somebody."""

HEADER = re.compile(rb"(?P<name>[A-Z][A-Za-z-]*): [\x20-\x7e]+")

KNOWN = {
    b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References",
    b"Auto-Submitted", b"X-Auto-Response-Suppress", b"X-PBM-Loop", b"List-Id", b"List-Unsubscribe",
    b"Precedence", b"MIME-Version", b"Content-Type", b"Content-Transfer-Encoding",
}  # fmt: skip
"""Every header that a mail of ours may have."""


def in_base64(text: str) -> str:
    return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


def in_quoted_printable(text: str) -> str:
    encoded = quopri.encodestring(text.encode(), header=True).decode()
    escaped = encoded.replace("=\n", "").replace("\r", "=0D").replace("\n", "=0A")
    return f"=?iso-8859-1?Q?{escaped}?="


def in_utf16(text: str) -> str:
    return f"=?utf-16-be?B?{base64.b64encode(text.encode('utf-16-be')).decode()}?="


ENCODINGS: tuple[Callable[[str], str], ...] = (str, in_base64, in_quoted_printable, in_utf16)

evil = st.builds(
    lambda said, end, more, encode: encode(f"{said}{end}Bcc: evil@example.org{end}{more}"),
    st.sampled_from(["", "help", "show 101", "hello", "x" * 1200]) | st.text(max_size=8),
    st.sampled_from(ENDS),
    st.sampled_from(["", "\r\n\r\nEvil", "X-Evil: 1"]),
    st.sampled_from(ENCODINGS),
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("injection"))
    house.add("alice", "bob")
    house.mail("alice@example.org", "gonnect challenge alice alice-pw bob")
    return house


@given(
    subject=evil,
    name=evil,
    answered=evil,
    ident=evil,
    author=st.sampled_from(["alice", "dora"]),
    text=st.sampled_from(["help", "show 101 alice alice-pw", "hello", "help help"]),
)
@settings(max_examples=60)
def test_no_header_is_made_of_what_came_in(
    house: HouseUnderTest,
    subject: str, name: str, answered: str, ident: str, author: str, text: str,
) -> None:  # fmt: skip
    house.clock.now += timedelta(days=1)
    head = (
        f'From: "{name}" <{author}@example.org>\r\nTo: {ADDRESS}\r\nSubject: {subject}\r\n'
        f"Message-ID: <{ident}@example.org>\r\nIn-Reply-To: <{answered}>\r\n"
        f"References: <{answered}> {answered}\r\n\r\n{text}\r\n"
    )
    before = len(house.wire)
    house.take(head.encode("utf-8", "replace"), f"{author}@example.org")
    for content in house.wire[before:]:
        check(content)


def check(content: bytes) -> None:
    """Assert that a mail has our headers, one line each, and no bare CR or LF."""
    assert content.isascii()
    assert content.count(b"\r") == content.count(b"\n") == content.count(b"\r\n")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    head, _, _ = content.partition(b"\r\n\r\n")
    assert b"evil" not in head.lower()
    names = []
    for line in head.split(b"\r\n"):
        found = HEADER.fullmatch(line)
        assert found, line
        names.append(found["name"])
    assert len(set(names)) == len(names)
    assert set(names) <= KNOWN


@pytest.mark.parametrize("encode", ENCODINGS[1:], ids=lambda encode: encode.__name__)
def test_a_hostile_mail_is_answered_all_the_same(
    encode: Callable[[str], str], house: HouseUnderTest
) -> None:
    """Were it never answered, nothing would be known about the headers of answers."""
    house.clock.now += timedelta(days=1)
    subject, ident = encode("Hello\r\nBcc: evil@example.org"), encode("<a@b>\r\nX-Evil: 1")
    before = len(house.wire)
    house.mail("alice@example.org", subject, "help", headers=f"In-Reply-To: {ident}\n")
    (content,) = house.wire[before:]
    check(content)
