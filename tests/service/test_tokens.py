"""Reply tokens: what was written can be read, and nothing else can."""

import base64
import string
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.service.tokens import DatedToken, Token, TokenKind, TokenMint, token_time
from tests.house import START
from tests.service.houses import word_of_before
from tests.tables import each

KEY = b"k" * 32
MINT = TokenMint(KEY)
TOKENS = st.builds(
    Token,
    st.sampled_from(TokenKind),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**16 - 1),
    st.integers(0, 255),
)
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2069, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
BOARD = Token(TokenKind.BOARD, 104, 1, 7, 2)
WORD = MINT.write(BOARD, START)


@given(TOKENS, MOMENTS)
def test_what_is_written_is_read_with_the_moment_it_was_made_at(token: Token, at: datetime) -> None:
    word = MINT.write(token, at)
    assert MINT.read(word) == DatedToken(token, token_time(at))
    assert MINT.read(word.upper()) == MINT.read(word)


@given(TOKENS, MOMENTS)
def test_a_token_is_one_word_that_fits_behind_the_longest_name_of_a_server(
    token: Token, at: datetime
) -> None:
    word = MINT.write(token, at)
    assert len(f"{'n' * 20}+{word}") <= 64
    assert set(word) <= set(string.ascii_lowercase + "234567")


@given(TOKENS, TOKENS)
def test_two_tokens_are_two_words(one: Token, other: Token) -> None:
    assert (MINT.write(one, START) == MINT.write(other, START)) == (one == other)


@given(TOKENS, MOMENTS)
def test_a_token_is_base32_of_its_bytes_as_the_standard_library_writes_it(
    token: Token, at: datetime
) -> None:
    word = MINT.write(token, at)
    raw = base64.b32decode(word.upper() + "=" * (-len(word) % 8))
    assert base64.b32encode(raw).decode().rstrip("=").lower() == word


@pytest.mark.parametrize("word", ["_" * 42, "\u212a" * 42, " " * 42, "1" * 42, "0" * 42, "a" * 42])
def test_what_only_looks_like_base32_is_no_token(word: str) -> None:
    assert MINT.read(word) is None


def test_a_token_made_a_little_later_is_another_word() -> None:
    assert MINT.write(BOARD, START + timedelta(milliseconds=10)) != WORD


def test_any_changed_character_is_refused() -> None:
    for place in range(len(WORD)):
        for letter in string.ascii_lowercase + string.digits + "=-_ ":
            if letter != WORD[place]:
                assert MINT.read(WORD[:place] + letter + WORD[place + 1 :]) is None


@each(
    "word",
    ["", WORD[:-1], WORD + "a", WORD * 2, " " + WORD[1:], "=" * 42, WORD[:41] + "=", WORD[:32],
     WORD[:36] + "======", WORD + "======", "\uff41" * 42, "\u0131" * 42, "a" * 42, "\x00" * 42,
     "a" * 32],
)  # fmt: skip
def test_other_words_are_no_tokens(word: str) -> None:
    assert MINT.read(word) is None


@given(st.text(max_size=50))
def test_any_text_at_all_is_read_as_no_token(text: str) -> None:
    assert MINT.read(text) is None


def test_a_token_of_another_server_is_refused() -> None:
    assert TokenMint(b"j" * 32).read(WORD) is None
    assert MINT.read(word_of_before(b"j" * 32, TokenKind.BOARD, 104, 1, 7)) is None


def test_a_token_of_before_is_known_and_has_no_date() -> None:
    word = word_of_before(KEY, TokenKind.BOARD, 104, 1, 7)
    assert MINT.read(word) == DatedToken(Token(TokenKind.BOARD, 104, 1, 7), None)
    assert MINT.read(word[:31] + ("a" if word[31] != "a" else "b")) is None


def test_the_key_does_not_stand_in_a_token() -> None:
    assert b"kkkk" not in base64.b32decode(WORD.upper() + "======")
