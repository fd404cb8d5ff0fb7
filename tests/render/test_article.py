"""A long text is the same as ever without its marks, and folds on a phone with them."""

from pbm.render import marks
from pbm.render.html import page
from pbm.render.marks import article

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
