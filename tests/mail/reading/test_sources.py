"""Whom a mail is counted for while it waits: what cannot be made up beats what can."""

from datetime import UTC, datetime

from pbm.domain.mail import Leaving, Mailing, ReceivedMail, Source
from pbm.domain.player import PlayerId
from pbm.mail.reading.incoming import source_of
from pbm.service.tokens import Token, TokenKind, TokenMint, leave_token, player_token
from tests.tables import each

MINT = TokenMint(b"k" * 32)
OTHER_MINT = TokenMint(b"l" * 32)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALICE = player_token(PlayerId(7))
BOARD = Token(TokenKind.BOARD, 101, 7, 3)


def counted_for(sender: str, recipient: str = "pbm@example.net", network: str = "") -> Source:
    return source_of(ReceivedMail(sender, (recipient,), b"", NOON, network), MINT)


@each("token", [ALICE, BOARD])
@each("sender", ["alice@example.org", "other@example.com", ""])
def test_a_reply_to_a_token_is_counted_for_its_player_whoever_the_envelope_names(
    token: Token, sender: str
) -> None:
    for word in (MINT.write(token, NOON), MINT.write(token, NOON).upper()):
        source = counted_for(sender, f"pbm+{word}@example.net", "192.0.2.0/24")
        assert source == Source("player 7", "player 7")


def test_an_unsubscribe_link_does_not_take_its_players_turn() -> None:
    word = MINT.write(leave_token(Leaving(Mailing.NEWS), PlayerId(7)), NOON)
    source = counted_for("eve@example.org", f"pbm+{word}@example.net")
    assert source == Source("eve@example.org", "example.org")


@each("word", ["x", "a" * 32, OTHER_MINT.write(ALICE, NOON), ""])
def test_a_token_that_is_none_of_ours_is_no_proof(word: str) -> None:
    source = counted_for("alice@example.org", f"pbm+{word}@example.net")
    assert source == Source("alice@example.org", "example.org")


@each(
    ("sender", "network", "source"),
    [
        ("alice@example.org", "", Source("alice@example.org", "example.org")),
        ("ALICE@Example.org", "", Source("alice@example.org", "example.org")),
        ("alice+a+b@example.org", "", Source("alice@example.org", "example.org")),
        ("alice@example.org", "192.0.2.0/24", Source("alice@example.org", "192.0.2.0/24")),
        ("", "192.0.2.0/24", Source("<> 192.0.2.0/24", "192.0.2.0/24")),
        ("", "", Source("<> ", "")),
        ("alice", "", Source("alice", "alice")),
    ],
)
def test_any_other_mail_is_counted_for_its_mailbox_and_that_for_its_network_or_domain(
    sender: str, network: str, source: Source
) -> None:
    assert counted_for(sender, network=network) == source
