"""The outbox holds no token that works, however long a mail waits, and the relay gets it whole."""

import re
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.service.relaying import Deferred, Failed, Judged, Sent, always
from pbm.service.token_masking import OpeningRelay, opened, without_tokens
from pbm.service.tokens import Token, TokenKind, TokenMint
from pbm.store.copies import backup
from tests.domain.matches import NOW
from tests.house import ADDRESS, HouseUnderTest

MINT = TokenMint(b"k" * 32)
WORD = MINT.write(Token(TokenKind.BOARD, 104, 1, 7), NOW)
NINA = "nina@example.org"

_TOKEN_LIKE = re.compile("(?=([a-z2-7]{42}))")
"""Whatever could be a token, also where one begins within another word."""


def letter(word: str = WORD, message_id: str = "<one@games.example.org>") -> OutgoingMail:
    content = (
        f"From: pbm\r\nReply-To: <pbm+{word}@games.example.org>\r\nSubject: x\r\n\r\n"
        f"Reply-To: <pbm+aaaa@games.example.org>\r\n"
    )
    return OutgoingMail("b@games.example.org", NINA, message_id, content.encode())


def sealed(message_id: str = "<one@games.example.org>") -> OutgoingMail:
    """Return the letter as it is composed."""
    return letter(MINT.veil(WORD, message_id), message_id)


class Refusing:
    """A relay that keeps what it gets, and repeats it in its verdicts."""

    def __init__(self, *verdicts: type[Deferred] | type[Failed]) -> None:
        self.verdicts = verdicts
        self.got: list[OutgoingMail] = []

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        for place, (mail, verdict) in enumerate(zip(mails, self.verdicts, strict=False)):
            self.got.append(mail)
            yield place, verdict(f"550 no: {mail.content.decode().replace('+', '%2B')}")

    def close(self) -> None:
        self.verdicts = ()


def test_a_sealed_mail_holds_no_token_and_opens_to_what_it_was() -> None:
    mail = letter()
    closed = sealed()
    text = closed.content.decode()
    assert len(closed.content) == len(mail.content)
    assert without_tokens(MINT, text) == text
    assert opened(MINT, closed) == mail


def test_the_same_token_is_sealed_differently_in_each_mail() -> None:
    words = {sealed(f"<{n}@x>").content for n in range(5)}
    assert len(words) == 5


def test_the_key_is_needed_to_open_it() -> None:
    other = TokenMint(b"j" * 32)
    assert opened(other, sealed()) != letter()


def test_mails_without_a_token_and_those_stored_unsealed_stay_as_they_are() -> None:
    bare = OutgoingMail("b@x", NINA, "<a@x>", b"From: pbm\r\n\r\nHello\r\n")
    assert opened(MINT, bare) == bare
    assert opened(MINT, letter()) == letter()


def test_the_relay_gets_the_token_and_what_it_says_of_it_is_hidden() -> None:
    relay = Refusing(Deferred, Failed)
    closed = [sealed(), sealed("<two@x>")]
    (_, deferred), (_, failed) = OpeningRelay(relay, MINT).deliver(closed)
    assert [WORD in mail.content.decode() for mail in relay.got] == [True, True]
    for verdict in (deferred, failed):
        assert not isinstance(verdict, Sent)
        assert "550 no" in verdict.error
        assert WORD not in verdict.error


@pytest.fixture
def waiting(tmp_path: Path) -> HouseUnderTest:
    """Return a house with the question to nina in its outbox."""
    house = HouseUnderTest(tmp_path)
    raw = f"From: {NINA}\r\nTo: {ADDRESS}\r\nSubject: signup nina ninas-pw\r\n\r\n"
    house.house.inbox.put([ReceivedMail(NINA, (ADDRESS,), raw.encode(), house.clock())])
    house.house.play_stage.play_waiting()
    return house


def stored(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as database, database:
        return [row[0].decode() for row in database.execute("SELECT content FROM outbox_texts")]


def test_neither_the_database_nor_its_backup_holds_a_token_of_a_mail_that_waits(
    waiting: HouseUnderTest,
) -> None:
    database, copy = waiting.folder / "pbm.db", waiting.folder / "copy.db"
    backup(f"sqlite:///{database}", copy)
    mint = waiting.house.services.mint
    for file in (database, copy):
        (text,) = stored(file)
        assert "Reply-To: <pbm+" in text
        assert 'href="mailto:pbm+' in text
    dump = copy.read_bytes().decode("latin-1")
    words = [mint.read(word) for word in _TOKEN_LIKE.findall(dump)]
    assert words
    assert not any(words)


@pytest.mark.parametrize("verdict", [Deferred, Failed])
def test_a_mail_that_is_dead_or_has_waited_can_be_answered_when_it_is_retried(
    waiting: HouseUnderTest, verdict: type[Deferred] | type[Failed]
) -> None:
    house = waiting.house
    refusing = OpeningRelay(Refusing(verdict), house.services.mint)
    assert house.deliver_waiting(refusing) == 1
    with house.open_unit() as work:
        (row,) = work.outbox.listing()
        assert "***" in row.error
        assert work.outbox.retry(row.id, waiting.clock())
        work.commit()
    waiting.clock.now += timedelta(hours=1)
    (mail,) = waiting.deliver()
    (welcome,) = waiting.reply(mail, "yes")
    assert welcome["Subject"] == "Welcome"


def test_no_button_in_the_database_works(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.begin_match()
    house.mail("bob@example.org", "set bob bob-pw broadcast yes")
    house.deliver = list  # type: ignore[method-assign]
    house.mail("alice@example.org", "broadcast alice alice-pw", "Hello")
    (text,) = (text for text in stored(house.folder / "pbm.db") if "List-Unsubscribe" in text)
    (word,) = re.findall(r"List-Unsubscribe: <mailto:pbm\+(\w{42})@games", text)
    assert house.house.services.mint.read(word) is None
