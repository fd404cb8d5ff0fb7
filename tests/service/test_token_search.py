"""Tokens are found in a text however they are written, and at a bounded cost."""

import time
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from pbm.service.token_masking import MOST_TRIED, without_tokens
from pbm.service.tokens import DatedToken, Token, TokenKind, TokenMint
from tests.domain.matches import NOW
from tests.tables import each

MINT = TokenMint(b"k" * 32)
WORD = MINT.write(Token(TokenKind.BOARD, 104, 1, 7), NOW)
OTHER = MINT.write(Token(TokenKind.CONFIRMATION, 5, 2), NOW)
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


class CountingMint(TokenMint):
    """A mint that knows how often it was asked to read."""

    asked = 0

    def read(self, word: str) -> DatedToken | None:
        self.asked += 1
        return super().read(word)


class OfTwoLengths(CountingMint):
    """A mint whose tokens came in another length before: four letters more, which mean nothing."""

    @property
    def lengths(self) -> tuple[int, ...]:
        return (len(WORD) + 4, len(WORD))

    def read(self, word: str) -> DatedToken | None:
        if len(word) == len(WORD) + 4:
            return super().read(word[:-4]) if word.endswith("7777") else None
        return super().read(word)


def spread(word: str, between: str) -> str:
    return between.join(word)


def wrapped(word: str, at: int, by: str) -> str:
    return word[:at] + by + word[at:]


WRITTEN = {
    "in an address": f"pbm+{WORD}@games.example.org",
    "in capitals": f"PBM+{WORD.upper()}@GAMES.EXAMPLE.ORG",
    "in mixed case": f"pbm+{WORD.title()}@games.example.org",
    "percent-encoded": f"pbm%2B{WORD}%40games.example.org",
    "percent-encoded in small letters": f"pbm%2b{WORD}%40games.example.org",
    "percent-encoded twice": f"pbm%252B{WORD}%2540games.example.org",
    "quoted-printable": f"pbm=2B{WORD}=40games.example.org",
    "mailto": f"<mailto:pbm%2B{WORD}@games.example.org?subject=Re%3A%20x>",
    "html link": f'<a href="mailto:pbm&#43;{WORD}@games.example.org">x</a>',
    "wrapped": f"pbm+{wrapped(WORD, 13, chr(10))}@games.example.org",
    "wrapped in a quote": f"> pbm+{wrapped(WORD, 13, chr(10) + '> > ')}@games.example.org",
    "soft break": f"pbm+{wrapped(WORD, 20, '=' + chr(13) + chr(10))}@games.example.org",
    "soft break and escape": f"=2B{wrapped(WORD, 20, '=' + chr(10))}",
    "hyphenated": wrapped(WORD, 16, "-\n"),
    "with spaces": spread(WORD, " "),
    "with dots": spread(WORD, "."),
    "with zero-width spaces": spread(WORD, "\u200b"),
    "with soft hyphens": wrapped(WORD, 9, "\u00ad"),
    "with word joiners and tags": wrapped(WORD, 9, "\u2060\U000e0041"),
    "with percent-encoded spaces": spread(WORD, "%20"),
    "with percent-encoded zero-width spaces": wrapped(WORD, 5, "%E2%80%8B"),
    "with entities": wrapped(wrapped(WORD, 9, "&shy;"), 4, "&#8203;"),
    "with tags": wrapped(wrapped(WORD, 9, "<wbr>"), 4, "<br />"),
    "wholly percent-encoded": "".join(f"%{ord(letter):02X}" for letter in WORD),
    "wholly in entities": "".join(f"&#{ord(letter)};" for letter in WORD),
    "full-width": "".join(chr(ord(letter) + 0xFEE0) for letter in WORD),
    "behind letters": f"aeaeae{WORD}",
    "before letters": f"{WORD}aeaeae",
    "behind half a token": WORD[:20] + WORD,
    "behind an equals sign": f"token={WORD}",
    "alone": WORD,
}


def readable(text: str) -> str:
    """Return the letters and digits of a text, as somebody who looks for a token has them."""
    return "".join(letter for letter in text.lower() if letter in LETTERS)


@each("text", WRITTEN.values(), ids=list(WRITTEN))
def test_a_token_is_hidden_however_it_is_written(text: str) -> None:
    masked = without_tokens(MINT, f"Hello Bob,\n{text}\nGood luck!")
    assert "***" in masked
    assert masked.startswith("Hello Bob,\n")
    assert masked.endswith("\nGood luck!")
    assert WORD[4:] not in readable(masked)
    for shape in (str, quote):
        assert spread(WORD[8:16], " ") not in shape(masked)


def test_the_words_around_a_token_stay_as_they_are() -> None:
    text = f"Write to pbm+{WORD}@games.example.org, or pbm+{OTHER}@x. It is 5 = 5 &amp; 100%!"
    expected = "Write to pbm+***@games.example.org, or pbm+***@x. It is 5 = 5 &amp; 100%!"
    assert without_tokens(MINT, text) == expected


@each(
    "text",
    ["", "Good luck!", "a" * 4000, "ae" * 2000, "=2B%2B&amp;<br>\u00aa", "%", "=", "&", "<", "%4",
     TokenMint(b"j" * 32).write(Token(TokenKind.BOARD, 104, 1, 7), NOW), WORD[:-1], WORD[1:],
     WORD[:-1] + ("a" if WORD[-1] != "a" else "b")],
)  # fmt: skip
def test_what_is_no_token_stays(text: str) -> None:
    assert without_tokens(MINT, text) == text


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200), st.text(max_size=200))
def test_a_token_is_hidden_in_any_text_and_the_rest_stays(before: str, after: str) -> None:
    assert without_tokens(MINT, before) == before
    masked = without_tokens(MINT, f"{before} {WORD} {after}")
    assert masked == f"{before} *** {after}"


def test_tokens_of_all_lengths_that_the_mint_knows_are_hidden() -> None:
    mint = OfTwoLengths(b"k" * 32)
    for text in (WORD, f"{WORD}7777", f"{WORD} {OTHER}7777"):
        assert set(without_tokens(mint, text)) <= {"*", " "}


@given(st.builds(Token, st.sampled_from(TokenKind), st.integers(0, 2**24 - 1)))
def test_every_token_begins_and_is_as_long_as_the_mint_says(token: Token) -> None:
    word = MINT.write(token, NOW)
    assert word[:2] in MINT.starts
    assert len(word) in MINT.lengths


@each(
    "unit", ["a", "ae", "aeax", WORD[:-1] + "7", "%61%65", "&#97;&#101;", "<", "<a", "&", "\uff41e"]
)
def test_a_long_text_of_letters_is_tried_so_often_and_no_more(unit: str) -> None:
    mint = CountingMint(b"k" * 32)
    text = (unit * 65536)[:65536]
    began = time.process_time()
    without_tokens(mint, text)
    assert time.process_time() - began < 1.5
    assert mint.asked <= MOST_TRIED


def test_behind_more_candidates_than_are_tried_a_token_is_hidden_untried() -> None:
    many = (f"ae{a}{b}{c}" for a in LETTERS for b in LETTERS for c in LETTERS)
    text = "".join(many)[: 5 * 2 * MOST_TRIED] + WORD
    assert WORD not in without_tokens(MINT, text)
