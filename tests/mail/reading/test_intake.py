"""The notes of intake on a mail: the key that shows a repeat, and the sender whose mail it is."""

from datetime import UTC, datetime

from pbm.domain.mail import Leaving, Mailing, ReceivedMail, Source
from pbm.domain.player import PlayerId
from pbm.mail.reading.incoming import content_key, source_of
from tests.doors import Token, TokenKind, TokenMint, leave_token, player_token
from tests.mail.reading.received import letter, received
from tests.readings import answers

MAIL = letter(
    "Date: Tue, 24 Nov 2026 18:20:00 +0100",
    "Subject: move 104 alice secret\n c3",
    "To: pbm@games.example.org",
    "Cc: alice@example.org",
)
TRACES = (
    "Received: from a by b; Tue, 24 Nov 2026 18:20:01 +0100", "Return-Path: <bob@example.net>",
    "Delivered-To: pbm@games.example.org", "DKIM-Signature: v=1; b=abc", "ARC-Seal: i=1",
    "X-Spam-Score: 1", "Authentication-Results: mx; spf=pass",
)  # fmt: skip
CHANGES = r"""
    # how a host folds the headers
    secret\n\x20c3 | secret c3 -> the same mail
    Cc: | cc: -> the same mail
    # what another mail has
    From: bob@ | From: eve@ -> another mail
    18:20:00 | 18:20:02 -> another mail
    <1@example.net> | <2@example.net> -> another mail
    \x20c3 | \x20c4 -> another mail
    To: pbm@ | To: pbm+x@ -> another mail
    Cc: alice | Cc: carol -> another mail
    \nD4\n | \nD5\n -> another mail
    \nD4\n | \n\nD4\n -> another mail
    To: pbm@games.example.org\nCc:\x20 | To: pbm@games.example.org,\x20 -> another mail
    Cc: alice@example.org | Cc: alice@example.org\nCc: x@example.org -> another mail
"""

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINT, OTHER_MINT = TokenMint(b"k" * 32), TokenMint(b"l" * 32)
ALICE = player_token(PlayerId(7))
SOURCES = """
    alice@example.org | -> alice@example.org, example.org
    ALICE@Example.org | -> alice@example.org, example.org
    alice+a+b@example.org | -> alice@example.org, example.org
    alice@example.org | 192.0.2.0/24 -> alice@example.org, 192.0.2.0/24
     | 192.0.2.0/24 -> <> 192.0.2.0/24, 192.0.2.0/24
     | -> <> ,\\x20
    alice | -> alice, alice
"""


def key(content: bytes) -> str | None:
    return content_key(received(content))


def replaced(old: str, new: str) -> bytes:
    assert old.encode() in MAIL
    return MAIL.replace(old.encode(), new.encode())


def changed(old: str, new: str) -> str:
    return "the same mail" if key(replaced(old, new)) == key(MAIL) else "another mail"


def test_what_hosts_on_the_way_add_or_move_does_not_count() -> None:
    for trace in TRACES:
        assert key(f"{trace}\n".encode() + MAIL) == key(MAIL), trace
        assert key(replaced("\n\n", f"\n{trace}\n\n")) == key(MAIL), trace
    assert key(b"Cc: alice@example.org\n" + replaced("Cc: alice@example.org\n", "")) == key(MAIL)


def test_what_the_sender_wrote_counts() -> None:
    assert answers(CHANGES, changed) == CHANGES


def test_the_key_is_that_of_the_mail_and_does_not_show_what_is_in_it() -> None:
    again = received(MAIL, "<>", ("pbm+x@games.example.org", "other@games.example.org"))
    found = str(key(MAIL))
    assert found == content_key(again)
    assert len(found) == 64
    assert set(found) <= set("0123456789abcdef")


def test_two_fields_are_not_one_with_both_values() -> None:
    two = replaced("Cc: alice@example.org", "Cc: alice@example.org\nCc: x@example.org")
    assert key(two) != key(replaced("Cc: alice@example.org", "Cc: alice@example.org x@example.org"))


def test_a_mail_without_a_message_id_has_no_key() -> None:
    for name in (b"", b"Message-ID:\n", b"Message-ID: \n \n"):
        assert key(name + b"From: bob@example.net\n\nD4\n") is None


def counted_for(sender: str, word: str = "", network: str = "") -> Source:
    to = f"pbm+{word}@example.net" if word else "pbm@example.net"
    return source_of(ReceivedMail(sender, (to,), b"", NOON, network), MINT)


def test_a_reply_to_a_token_is_counted_for_its_player_whoever_the_envelope_names() -> None:
    for token in (ALICE, Token(TokenKind.BOARD, 101, 7, 3)):
        word = MINT.issue(token, NOON)
        for sender in ("alice@example.org", "other@example.com", ""):
            for written in (word, word.upper()):
                assert counted_for(sender, written, "192.0.2.0/24") == Source(
                    "player 7", "player 7"
                )


def test_a_word_that_proves_nothing_or_only_unsubscribes_is_not_counted_for_a_player() -> None:
    leaves = MINT.issue(leave_token(Leaving(Mailing.NEWS), PlayerId(7)), NOON)
    for word in ("x", "a" * 32, OTHER_MINT.issue(ALICE, NOON), leaves):
        assert counted_for("eve@example.org", word) == Source("eve@example.org", "example.org")
    to_nothing = ReceivedMail("eve@example.org", ("pbm+@example.net",), b"", NOON)
    assert source_of(to_nothing, MINT) == Source("eve@example.org", "example.org")


def test_any_other_mail_is_counted_for_its_mailbox_and_that_for_its_network_or_domain() -> None:
    def counted(sender: str, network: str) -> str:
        source = counted_for(sender, network=network)
        return f"{source.sender}, {source.group}"

    assert answers(SOURCES, counted) == SOURCES
