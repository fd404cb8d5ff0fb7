"""Reply tokens: what was written can be read, and nothing else can."""

import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.service.tokens import Token, TokenKind, TokenMint

MINT = TokenMint(b"k" * 32)
TOKENS = st.builds(
    Token,
    st.sampled_from(TokenKind),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**16 - 1),
)
WORD = MINT.write(Token(TokenKind.BOARD, 104, 1, 7))


@given(TOKENS)
def test_what_is_written_is_read(token: Token) -> None:
    word = MINT.write(token)
    assert MINT.read(word) == token
    assert MINT.read(word.upper()) == token


@given(TOKENS)
def test_a_token_is_32_small_letters_and_digits(token: Token) -> None:
    word = MINT.write(token)
    assert len(word) == 32
    assert set(word) <= set(string.ascii_lowercase + "234567")


@given(TOKENS, TOKENS)
def test_two_tokens_are_two_words(one: Token, other: Token) -> None:
    assert (MINT.write(one) == MINT.write(other)) == (one == other)


def test_any_changed_character_is_refused() -> None:
    for place in range(len(WORD)):
        for letter in string.ascii_lowercase + string.digits + "=-_ ":
            if letter != WORD[place]:
                assert MINT.read(WORD[:place] + letter + WORD[place + 1 :]) is None


@pytest.mark.parametrize(
    "word",
    ["", WORD[:-1], WORD + "a", WORD * 2, " " + WORD[1:], "=" * 32, WORD[:31] + "=",
     WORD[:26] + "======", "\uff41" * 32, "\u0131" * 32, "a" * 32, "\x00" * 32],
)  # fmt: skip
def test_other_words_are_no_tokens(word: str) -> None:
    assert MINT.read(word) is None


@given(st.text(max_size=40))
def test_any_text_at_all_is_read_as_no_token(text: str) -> None:
    assert MINT.read(text) is None


def test_a_token_of_another_server_is_refused() -> None:
    assert TokenMint(b"j" * 32).read(WORD) is None


def test_the_key_does_not_stand_in_a_token() -> None:
    assert b"kkkk" not in base64.b32decode(WORD.upper())
