"""Reply tokens: what was written can be read and nothing else can; texts and the outbox hide them.

Tables and laws of pure functions, and one cost; what tokens are good for is in
conversations/proofs.txt.
"""

import base64
import re
import sqlite3
import string
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.core.token_masking import MOST_TRIED, OpeningRelay, opened, without_tokens
from pbm.core.tokens import STARTS
from pbm.domain.mail import OutgoingMail
from pbm.store.copies import backup
from tests.doors import (
    DatedToken,
    Deferred,
    Failed,
    Judged,
    Sent,
    Token,
    TokenKind,
    TokenMint,
    always,
    token_time,
)
from tests.house import START, HouseUnderTest
from tests.readings import rows, sections

KEY = b"k" * 32
MINT, OTHER_MINT = TokenMint(KEY), TokenMint(b"j" * 32)
BOARD = Token(TokenKind.BOARD, 104, 1, 7, 2)
WORD = MINT.issue(BOARD, START)
OTHER = MINT.issue(Token(TokenKind.CONFIRMATION, 5, 2), START)
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
TABLES = sections(Path(__file__).parent / "tokens.txt")


class Broken(str):
    """A word that a format breaks: `9-` puts a dash behind nine letters, `*-` between all."""

    __slots__ = ()

    def __format__(self, how: str) -> str:
        found = re.fullmatch(r"(\d*)\*?(.*)", how, re.DOTALL)
        assert found
        at, by = found.groups()
        return f"{self[: int(at)]}{by}{self[int(at) :]}" if at else by.join(self)


WRITTEN = (
    Broken(WORD), WORD.upper(), WORD.title(), "".join(f"%{ord(letter):02X}" for letter in WORD),
    "".join(f"&#{ord(letter)};" for letter in WORD),
    "".join(chr(ord(letter) + 0xFEE0) for letter in WORD),
)  # fmt: skip


def forms(title: str) -> list[str]:
    """Return the texts of a table, with a token where it says so."""
    return [row.format(*WRITTEN) for row in rows(TABLES[title])]


# ---- writing and reading

TOKENS = st.builds(
    Token, st.sampled_from(TokenKind), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1),
    st.integers(0, 2**16 - 1), st.integers(0, 255),
)  # fmt: skip
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2069, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone


@given(TOKENS, TOKENS, MOMENTS)
def test_what_is_written_is_read_and_is_one_word_that_fits_into_an_address(
    token: Token, other: Token, at: datetime
) -> None:
    word = MINT.issue(token, at)
    assert MINT.read(word) == MINT.read(word.upper()) == DatedToken(token, token_time(at))
    assert (word == MINT.issue(other, at)) == (token == other)
    assert len(f"{'n' * 20}+{word}") <= 64
    assert set(word) <= set(LETTERS)
    assert word[:2] in STARTS or token.number >= 2**24
    assert len(word) == 42
    raw = base64.b32decode(word.upper() + "=" * (-len(word) % 8))
    assert base64.b32encode(raw).decode().rstrip("=").lower() == word
    assert KEY[:4] not in raw


def test_any_change_is_refused_and_a_later_token_is_another_word() -> None:
    assert MINT.issue(BOARD, START + timedelta(milliseconds=10)) != WORD
    for place in range(len(WORD)):
        for letter in string.ascii_lowercase + string.digits + "=-_ ":
            if letter != WORD[place]:
                assert MINT.read(WORD[:place] + letter + WORD[place + 1 :]) is None
    others = ["", WORD[:-1], " " + WORD[1:], WORD[:41] + "=", WORD[:36] + "======", "\x00" * 42]
    assert [word for word in [*others, *forms("no tokens")] if MINT.read(word)] == []


@given(st.text(max_size=50))
def test_any_text_at_all_is_read_as_no_token(text: str) -> None:
    assert MINT.read(text) is None


def test_a_token_of_another_server_is_refused() -> None:
    assert OTHER_MINT.read(WORD) is None


# ---- hiding them in texts


def test_a_token_is_hidden_however_it_is_written() -> None:
    for text in [*forms("hidden"), WORD[:20] + WORD]:
        masked = without_tokens(MINT, f"Hello Bob,\n{text}\nGood luck!")
        assert "***" in masked, text
        assert masked.startswith("Hello Bob,\n"), text
        assert masked.endswith("\nGood luck!"), text
        readable = "".join(letter for letter in masked.lower() if letter in LETTERS)
        assert WORD[4:] not in readable, text
        for shape in (str, quote):
            assert " ".join(WORD[8:16]) not in shape(masked), text


def test_what_is_no_token_stays_and_so_do_the_words_around_one() -> None:
    text = f"Write to pbm+{WORD}@games.example.org, or pbm+{OTHER}@x. It is 5 = 5 &amp; 100%!"
    expected = "Write to pbm+***@games.example.org, or pbm+***@x. It is 5 = 5 &amp; 100%!"
    assert without_tokens(MINT, text) == expected
    last = "a" if WORD[-1] != "a" else "b"
    others = ["a" * 4000, "ae" * 2000, OTHER_MINT.issue(BOARD, START), WORD[:-1], WORD[1:]]
    for text in ["", *others, WORD[:-1] + last, *forms("left alone")]:
        assert without_tokens(MINT, text) == text


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200), st.text(max_size=200))
def test_a_token_is_hidden_in_any_text_and_the_rest_stays(before: str, after: str) -> None:
    assert without_tokens(MINT, before) == before
    assert without_tokens(MINT, f"{before} {WORD} {after}") == f"{before} *** {after}"


class CountingMint(TokenMint):
    """A mint that knows how often it was asked to read."""

    asked = 0

    def read(self, word: str) -> DatedToken | None:
        self.asked += 1
        return super().read(word)


def test_a_long_text_of_letters_is_tried_so_often_and_no_more() -> None:
    """A cost. Behind more candidates than are tried, a token is hidden untried."""
    for unit in [*rows(TABLES["long"]), WORD[:-1] + "7"]:
        mint = CountingMint(KEY)
        without_tokens(mint, (unit * 65536)[:65536])
        assert mint.asked <= MOST_TRIED
    many = (f"ae{a}{b}{c}" for a in LETTERS for b in LETTERS for c in LETTERS)
    text = "".join(many)[: 5 * 2 * MOST_TRIED] + WORD
    assert WORD not in without_tokens(MINT, text)


# ---- sealing them in the outbox, where a mail may wait for days


def letter(word: str, message_id: str = "<one@games.example.org>") -> OutgoingMail:
    content = (
        f"From: pbm\r\nReply-To: <pbm+{word}@games.example.org>\r\nSubject: x\r\n\r\n"
        f"Reply-To: <pbm+aaaa@games.example.org>\r\n"
    )
    recipient = "nina@example.org"
    return OutgoingMail("b@games.example.org", recipient, message_id, content.encode())


def sealed(message_id: str = "<one@games.example.org>") -> OutgoingMail:
    """Return the letter as it is composed."""
    return letter(MINT.veil(WORD, message_id), message_id)


def test_a_sealed_mail_holds_no_token_and_opens_to_what_it_was() -> None:
    closed = sealed()
    text = closed.content.decode()
    assert len(closed.content) == len(letter(WORD).content)
    assert without_tokens(MINT, text) == text
    assert opened(MINT, closed) == letter(WORD)
    assert opened(OTHER_MINT, closed) != letter(WORD), "it opens without the key"
    assert len({sealed(f"<{n}@x>").content for n in range(5)}) == 5
    bare = OutgoingMail("b@x", "nina@example.org", "<a@x>", b"From: pbm\r\n\r\nHello\r\n")
    for mail in (bare, letter(WORD)):
        assert opened(MINT, mail) == mail


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


def test_the_relay_gets_the_token_and_what_it_says_of_it_is_hidden() -> None:
    relay = Refusing(Deferred, Failed)
    for _, verdict in OpeningRelay(relay, MINT).deliver([sealed(), sealed("<two@x>")]):
        assert not isinstance(verdict, Sent)
        assert "550 no" in verdict.error
        assert WORD not in verdict.error
    assert [WORD in mail.content.decode() for mail in relay.got] == [True, True]


@pytest.fixture
def waiting(tmp_path: Path) -> HouseUnderTest:
    """Return a house with the question to nina and a broadcast to bob in its outbox."""
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.mail("bob@example.org", "set bob bob-pw broadcast yes")
    house.busy = True
    house.mail("nina@example.org", "signup nina ninas-pw")
    house.mail("alice@example.org", "broadcast alice alice-pw", "Hello")
    while house.house.play_stage.play_waiting() or house.house.play_stage.go_on():
        pass
    return house


def test_neither_the_database_nor_its_backup_holds_a_token_of_a_mail_that_waits(
    waiting: HouseUnderTest,
) -> None:
    database, copy = waiting.folder / "pbm.db", waiting.folder / "copy.db"
    backup(f"sqlite:///{database}", copy)
    for file in (database, copy):
        with closing(sqlite3.connect(file)) as connection, connection:
            found = connection.execute("SELECT content FROM outbox_texts").fetchall()
        text = "\n".join(row[0].decode() for row in found)
        for form in ("Reply-To: <pbm+", 'href="mailto:pbm+', "List-Unsubscribe: <mailto:pbm+"):
            assert form in text
    dump = copy.read_bytes().decode("latin-1")
    # Whatever could be a token, also where one begins within another word.
    words = re.findall("(?=([a-z2-7]{42}))", dump)
    assert words
    assert not any(map(waiting.house.services.mint.read, words))


@pytest.mark.parametrize("verdict", [Deferred, Failed])
def test_a_mail_that_is_dead_or_has_waited_can_be_answered_when_it_is_retried(
    waiting: HouseUnderTest, verdict: type[Deferred] | type[Failed]
) -> None:
    house = waiting.house
    refusing = OpeningRelay(Refusing(*[verdict] * 5), house.services.mint)
    assert house.deliver_waiting(refusing)
    with house.open_unit() as work:
        assert any("***" in row.error for row in work.outbox.listing())
        for row in work.outbox.listing():
            assert work.outbox.retry(row.id, waiting.clock())
        work.commit()
    waiting.clock.now += timedelta(hours=1)
    waiting.play()
    (welcome,) = waiting.reply(waiting.last_to("nina@example.org"), "yes")
    assert welcome["Subject"] == "Welcome"
