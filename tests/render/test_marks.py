"""Marked text: articles, and format=flowed, whose quick and slow ways give the same text."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm.render import marks
from pbm.render.html import page
from pbm.render.marks import article

_SIGNATURE = "-- "
AROUND = (marks.shape, marks.heading, marks.words, marks.board)


def slowly_flowed(marked: str) -> str:
    """Return the text as RFC 3676 wants it, one line after the other."""
    lines = [line if line == _SIGNATURE else line.rstrip(" ") for line in marked.split("\n")]
    fixed, inside = [], False
    for line in lines:
        inside = (inside or line.startswith(marks.BLOCK)) and line != marks.BLOCK_END
        alone = not line or line[0] == " " or line in (_SIGNATURE, marks.BLOCK_END)
        fixed.append(inside or alone)
    soft = [
        line if here or below else f"{line} "
        for line, here, below in zip(lines, fixed, (*fixed[1:], True), strict=True)
    ]
    text = "\n".join(soft)
    text = re.sub("\x0e[a-z]*\n|\x0f\n?", "", text)
    text = re.sub("\x04[^\x03]*", "", text).replace("\x02", "").replace("\x03", "")
    return "\n".join(
        f" {line}" if line.startswith((" ", ">", "From ")) else line for line in text.split("\n")
    )


WORDS = st.sampled_from(
    ("a", "b c", " in", ">", "From me", "-- ", "--", "", "end ", "  ", marks.link("move", "play"))
)
PROSE = st.lists(WORDS, max_size=6).map("\n".join)
KEPT = st.builds(lambda around, text: around(text), st.sampled_from(AROUND), PROSE)


@given(st.lists(PROSE | KEPT, max_size=6).map("\n".join), st.sampled_from(("", "\n")))
@example("a\nb\n\n" + marks.board(" x\n>y ") + "\nc\n-- \nd", "\n")
def test_a_text_flows_as_it_does_line_by_line(marked: str, end: str) -> None:
    assert marks.flowed(marked + end) == slowly_flowed(marked + end)


@pytest.mark.parametrize("around", AROUND)
def test_lines_of_a_kind_stay_as_they_are_and_prose_around_them_is_joined(
    around: Callable[[str], str],
) -> None:
    kept = around("  x\n  y")
    text = f"One\ntwo.\n\n{kept}\nThree\nfour.\n"
    assert marks.flowed(text) == "One \ntwo.\n\n   x\n   y\nThree \nfour.\n"


TEXT = """Noughts

A game for two.


Rules

1. Lay a stone where
   nothing lies.

       a b c
    3  . . .   3

The end."""


def html(text: str) -> str:
    return page(article(text), "", (), "", "")


def test_marks_change_nothing_in_the_plain_text() -> None:
    assert marks.plain(article(TEXT)) == TEXT


def test_headings_are_headings_and_prose_is_in_paragraphs() -> None:
    shown = html(TEXT)
    assert shown.count("<h2") == 2
    assert ">Rules</h2>" in shown
    assert ">1. Lay a stone where nothing lies.</p>" in shown


def test_a_board_keeps_its_columns_and_sentences_do_not() -> None:
    assert "   a b c\n    3  . . .   3" in html(TEXT)
    assert "The end.</p>" in html(TEXT)


def test_an_indented_sentence_is_no_board() -> None:
    sentence = "    10. Nought c1 is refused: there is a stone already, so lay it elsewhere"
    assert "<pre" not in html(f"Noughts\n\n{sentence}")
