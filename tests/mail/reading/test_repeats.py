"""The key by which a repeat of the same mail is recognised."""

from pbm.mail.reading.incoming import content_key
from tests.mail.reading.received import letter, received
from tests.tables import each

MAIL = letter(
    "Date: Tue, 24 Nov 2026 18:20:00 +0100",
    "Subject: move 104 alice secret\n c3",
    "To: pbm@games.example.org",
    "Cc: alice@example.org",
)
TRACES = [
    b"Received: from a by b; Tue, 24 Nov 2026 18:20:01 +0100\n",
    b"Return-Path: <bob@example.net>\n",
    b"Delivered-To: pbm@games.example.org\n",
    b"DKIM-Signature: v=1; b=abc\n",
    b"ARC-Seal: i=1\n",
    b"X-Spam-Score: 1\n",
    b"Authentication-Results: mx; spf=pass\n",
]


def key(content: bytes) -> str | None:
    return content_key(received(content))


def test_the_same_mail_has_the_same_key_whatever_the_envelope() -> None:
    again = received(MAIL, "<>", ("pbm+x@games.example.org", "other@games.example.org"))
    assert key(MAIL) == content_key(again) is not None


@each("trace", TRACES, ids=lambda trace: trace.split(b":")[0].decode())
def test_what_hosts_on_the_way_add_does_not_count(trace: bytes) -> None:
    assert key(trace + MAIL) == key(MAIL)
    assert key(MAIL.replace(b"\n\n", b"\n" + trace + b"\n")) == key(MAIL)


def test_how_a_host_folds_or_orders_the_headers_does_not_count() -> None:
    assert key(MAIL.replace(b"secret\n c3", b"secret c3")) == key(MAIL)
    moved = b"Cc: alice@example.org\n" + MAIL.replace(b"Cc: alice@example.org\n", b"")
    assert key(moved.replace(b"\n\n", b"\n\n", 1)) == key(MAIL.replace(b"Cc:", b"cc:"))


@each(
    ("old", "new"),
    [
        (b"From: bob@", b"From: eve@"),
        (b"18:20:00", b"18:20:02"),
        (b"<1@example.net>", b"<2@example.net>"),
        (b" c3", b" c4"),
        (b"To: pbm@", b"To: pbm+x@"),
        (b"Cc: alice", b"Cc: carol"),
        (b"\nD4\n", b"\nD5\n"),
        (b"\nD4\n", b"\n\nD4\n"),
        (b"To: pbm@games.example.org\nCc: ", b"To: pbm@games.example.org, "),
        (b"Cc: alice@example.org", b"Cc: alice@example.org\nCc: x@example.org"),
    ],
)
def test_another_mail_has_another_key(old: bytes, new: bytes) -> None:
    assert old in MAIL
    assert key(MAIL.replace(old, new)) != key(MAIL)


def test_two_fields_are_not_one_with_both_values() -> None:
    two = MAIL.replace(b"Cc: alice@example.org", b"Cc: alice@example.org\nCc: x@example.org")
    one = MAIL.replace(b"Cc: alice@example.org", b"Cc: alice@example.org x@example.org")
    assert key(two) != key(one)


@each("name", [b"", b"Message-ID:\n", b"Message-ID: \n \n"])
def test_a_mail_without_a_message_id_has_no_key(name: bytes) -> None:
    assert key(name + b"From: bob@example.net\n\nD4\n") is None


def test_the_key_does_not_tell_what_is_in_the_mail() -> None:
    found = key(MAIL)
    assert found is not None
    assert len(found) == 64
    assert set(found) <= set("0123456789abcdef")
