"""How a sender is identified: tokens with their addresses, passwords with their limits."""

from collections.abc import Iterator

import pytest

from pbm.dispatch.reading import Reading, without_secrets
from pbm.domain.errors import WrongPassword
from pbm.domain.mail import IncomingMail
from pbm.domain.player import Player, PlayerState
from pbm.service.context import Services, day_of, hour_of
from pbm.service.identity import (
    Identity,
    by_password,
)
from pbm.service.line import Credentials
from pbm.service.passwords import Origin
from pbm.service.token_masking import without_tokens
from pbm.service.tokens import Token, TokenKind, TokenMint
from pbm.store.unit import UnitOfWork
from tests.house import START, HouseUnderTest

HOME = "alice@example.org"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    return house


def proof_of(services: Services, work: UnitOfWork, mail: IncomingMail) -> Identity:
    return Reading(mail, services.grammar, services.mint).proof(work)


@pytest.fixture
def services(house: HouseUnderTest) -> Services:
    return house.house.services


@pytest.fixture
def work(house: HouseUnderTest) -> Iterator[UnitOfWork]:
    with house.house.open_unit() as work:
        yield work


@pytest.fixture
def alice(work: UnitOfWork) -> Player:
    player = work.players.by_userid("alice")
    assert player
    return player


class CountingPasswords:
    """A stand-in for argon2 that is quick and knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def verify(self, password_hash: str, password: str) -> bool:
        self.asked += 1
        return password_hash == self.hash(password)

    def well_known(self, password: str) -> bool:
        return password == "password"


@pytest.fixture
def passwords(work: UnitOfWork) -> CountingPasswords:
    counting = CountingPasswords()
    for player in work.players.listing():
        work.players.set_password_hash(player.id, counting.hash(f"{player.userid}-pw"))
    return counting


def answer(author: str | None, *plus_words: str) -> IncomingMail:
    return IncomingMail(author, "", (), plus_words)


def test_a_token_from_the_players_own_address_proves_who_they_are(
    work: UnitOfWork, services: Services, alice: Player
) -> None:
    token = Token(TokenKind.BOARD, 104, alice.id, 7)
    proof = proof_of(services, work, answer(HOME, "noise", services.mint.write(token, START)))
    assert proof.token == token
    assert proof.reply is not None
    assert (proof.reply.player, proof.reply.number, proof.reply.ply) == (alice, 104, 7)


def test_a_token_from_another_address_proves_nothing_and_is_told_to_its_owner(
    work: UnitOfWork, services: Services, alice: Player
) -> None:
    word = services.mint.write(Token(TokenKind.BOARD, 104, alice.id, 7), START)
    proof = proof_of(services, work, answer("bob@example.org", word))
    assert (proof.token, proof.reply) == (None, None)
    assert proof.misused == alice


def test_no_token_or_no_author_proves_nothing(
    work: UnitOfWork, services: Services, alice: Player
) -> None:
    word = services.mint.write(Token(TokenKind.BOARD, 104, alice.id, 7), START)
    foreign = TokenMint(b"x" * 32).write(Token(TokenKind.BOARD, 104, alice.id, 7), START)
    for mail in (answer(HOME), answer(HOME, "word"), answer(None, word), answer(None, foreign)):
        assert proof_of(services, work, mail) == Identity()
    assert not proof_of(services, work, answer(HOME, foreign)).proves
    assert proof_of(services, work, answer("eve@example.org", foreign)) == Identity()


@pytest.mark.parametrize("state", [PlayerState.DISABLED, PlayerState.GONE])
def test_the_token_of_a_player_who_cannot_play_proves_nothing(
    work: UnitOfWork, services: Services, alice: Player, state: PlayerState
) -> None:
    work.players.set_state(alice.id, state)
    word = services.mint.write(Token(TokenKind.BOARD, 104, alice.id, 7), START)
    assert proof_of(services, work, answer(HOME, word)) == Identity()


def test_a_signups_token_counts_from_the_address_that_asked(
    work: UnitOfWork, services: Services
) -> None:
    signup = work.signups.add("dora", "hash", "dora@example.org", START)
    word = services.mint.write(Token(TokenKind.SIGNUP, signup.id), START)
    assert proof_of(services, work, answer("dora@example.org", word)).token is not None
    assert proof_of(services, work, answer(HOME, word)) == Identity()


def test_the_right_password_proves_a_player_in_any_case(
    work: UnitOfWork, services: Services, alice: Player
) -> None:
    credentials = Credentials("ALICE", "alice-pw")
    assert by_password(work, services.passwords, credentials, Origin(HOME), START) == alice


@pytest.mark.parametrize(
    ("credentials", "sentence"),
    [
        (Credentials("alice", "Alice-pw"), "The password does not match that userid."),
        (Credentials("alcie", "alice-pw"), "The userid is not known here. Did you mean alice?"),
        (Credentials("hunter2", "x"), "The userid is not known here."),
    ],
)
def test_wrong_credentials_are_refused_without_being_repeated(
    work: UnitOfWork, passwords: CountingPasswords, credentials: Credentials, sentence: str
) -> None:
    with pytest.raises(WrongPassword) as refused:
        by_password(work, passwords, credentials, Origin(HOME), START)
    assert str(refused.value).startswith(sentence)
    assert credentials.userid == "alice" or credentials.userid not in str(refused.value)


def test_a_player_who_cannot_play_has_no_password(
    work: UnitOfWork, passwords: CountingPasswords, alice: Player
) -> None:
    work.players.set_state(alice.id, PlayerState.DISABLED)
    with pytest.raises(WrongPassword):
        by_password(work, passwords, Credentials("alice", "alice-pw"), Origin(HOME), START)


@pytest.mark.parametrize(
    ("text", "passed_on"),
    [
        ("move 104 alice alice-pw b2", "move 104 alice ***"),
        ("I said:\nALICE\talice-pw\nBye", "I said:\nALICE ***\nBye"),
        ("change alice alice-pw new-pw", "change alice ***"),
        ("alice-pw alice", "alice-pw alice"),
        ("I am alice", "I am alice"),
        ("alice is my name", "alice is my name"),
        ("Good luck, bob bob-pw!", "Good luck, bob bob-pw!"),
    ],
)
def test_what_follows_the_userid_is_not_passed_on_whatever_the_password_is(
    alice: Player, text: str, passed_on: str
) -> None:
    assert without_secrets(alice, text) == passed_on
    for word in ("alice-px", "another-word"):
        other = text.replace("alice-pw", word)
        assert without_secrets(alice, other) == passed_on.replace("alice-pw", word)


def test_the_name_that_a_player_signs_with_is_passed_on_if_their_mails_give_it(
    alice: Player,
) -> None:
    signed = "Well played!\nAlice M\u00fcller"
    assert without_secrets(alice, signed, "Alice M\u00fcller") == signed
    assert without_secrets(alice, signed, "Al") == "Well played!\nAlice ***"
    below = "move 104 Alice alice-pw b2"
    assert without_secrets(alice, below, "Alice M\u00fcller") == "move 104 Alice ***"


def test_tokens_in_a_text_are_made_unreadable_and_other_words_stay(services: Services) -> None:
    word = services.mint.write(Token(TokenKind.BOARD, 104, 1, 7), START)
    text = f"Write to pbm+{word.upper()}@games.example.org or {'a' * 32}."
    masked = without_tokens(services.mint, text)
    assert masked == f"Write to pbm+***@games.example.org or {'a' * 32}."


def test_windows_begin_with_the_hour_and_with_the_day() -> None:
    moment = START.replace(hour=17, minute=42, second=5, microsecond=9)
    assert hour_of(moment) == START.replace(hour=17)
    assert day_of(moment) == START.replace(hour=0)
