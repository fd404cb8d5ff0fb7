"""Marked text as plain text that flows, and as HTML: prose joined again, lists, tables, articles.

The quick ways give the same text as slow ones.
"""

import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm.render import marks
from pbm.render.html import fits, items, page
from pbm.render.marks import LINE, Column, article, table
from tests.readings import answers

_SIGNATURE = "-- "
AROUND = (marks.shape, marks.heading, marks.words, marks.board, marks.terms)
WORDS = (
    "a",
    "b <c>",
    " in",
    "word " * 20,
    "  - one",
    ">",
    "From me",
    "",
    "end ",
    "  ",
    marks.link("move", "play"),
)


def texts(*words: str) -> st.SearchStrategy[str]:
    """Return texts of these words: prose, and lines of a kind."""
    prose = st.lists(st.sampled_from(words), max_size=6).map("\n".join)
    kept = st.builds(lambda around, text: around(text), st.sampled_from(AROUND), prose)
    return st.lists(prose | kept, max_size=6).map("\n".join)


def slowly_flowed(marked: str) -> str:
    """Return the text as RFC 3676 wants it, one line after the other, its prose filled."""
    done: list[str] = []
    prose, inside = "", False
    for line in marked.split("\n"):
        ended = line if line == _SIGNATURE else line.rstrip(" ")
        inside = (inside or line.startswith(marks.BLOCK)) and line != marks.BLOCK_END
        alone = not ended or ended[0] == " " or ended in (_SIGNATURE, marks.BLOCK_END)
        if prose and (inside or alone or (prose.endswith("\x03") and ended[:1].isupper())):
            done.append(wrapped(prose))
            prose = ""
        if inside or alone:
            done.append(ended)
        else:
            prose += f"\n{ended}" if prose else ended
    done += [wrapped(prose)] if prose else []
    text = unmarked(re.sub("\x0e[a-z]*\n|\x0f\n?", "", "\n".join(done)))
    return "\n".join(
        f" {line}" if line.startswith((" ", ">", "From ")) else line for line in text.split("\n")
    )


def unmarked(text: str) -> str:
    return re.sub("\x04[^\x03]*", "", text).replace("\x02", "").replace("\x03", "")


def wrapped(prose: str) -> str:
    """Return lines of prose as a paragraph whose lines flow; one that fits stays as it is."""
    text = unmarked(prose)
    if "\n" not in text and len(text) <= LINE:
        return text
    words = text.split()
    return " \n".join(
        textwrap.wrap(" ".join(words), LINE, break_on_hyphens=False, break_long_words=False)
    )


@given(texts(*WORDS, _SIGNATURE, "--"), st.sampled_from(("", "\n")))
@example("a\nb\n\n" + marks.board(" x\n>y ") + "\nc\n-- \nd", "\n")
def test_a_text_flows_as_it_does_line_by_line(marked: str, end: str) -> None:
    assert marks.flowed(marked + end) == slowly_flowed(marked + end)


@pytest.mark.parametrize("around", AROUND)
def test_lines_of_a_kind_stay_as_they_are_and_prose_around_them_is_joined(
    around: Callable[[str], str],
) -> None:
    kept = around("  x\n  y")
    text = f"One\ntwo.\n\n{kept}\nThree\nfour.\n"
    assert marks.flowed(text) == "One two.\n\n   x\n   y\nThree four.\n"


def test_the_items_of_a_list_stay_apart() -> None:
    text = "Write\none:\n1. Take a\n   stone.\n2. Lay it.\n"
    assert marks.flowed(text) == "Write one:\n1. Take a\n    stone.\n2. Lay it.\n"


def body(marked: str, boards: tuple[str, ...] = ()) -> str:
    """Return what stands between the first and the last tag of the body."""
    html = page(marked, "mailto:x?body=", boards, "", "")
    _, _, inner = html.partition('<div class="pbm"')
    return inner.partition("\n")[2].rpartition("</div></body>")[0]


def blocks(marked: str) -> Iterator[str]:
    """Yield the blocks of a text, each by itself: prose up to a blank line, or lines of a kind."""
    lines: list[str] = []
    kind = ""
    for line in (*marked.split("\n"), ""):
        if line.startswith(marks.BLOCK):
            yield "\n".join(lines)
            lines, kind = [line], line
        elif line == marks.BLOCK_END:
            yield "\n".join((*lines, line))
            lines, kind = [], ""
        elif kind or line:
            lines.append(line)
        else:
            yield "\n".join(lines)
            lines = []


@given(texts(*WORDS))
@example("a\nb\n\n\n" + marks.board(" x\n\n>y ") + "\nc")
def test_the_html_of_a_text_is_that_of_its_blocks(marked: str) -> None:
    assert body(marked) == "".join(map(body, blocks(marked)))


def test_boards_stand_in_their_places_and_a_text_that_is_left_keeps_its_columns() -> None:
    shown = body(f"{marks.board('x')}\n{marks.board('o')}\n", ("<p>first</p>\n", ""))
    assert shown.startswith("<p>first</p>\n<pre")
    assert shown.count("<pre") == 1


def test_only_marked_lines_are_terms_with_what_they_mean() -> None:
    text = "  help    how it\n          works\n  show\n      shows a board\n\n"
    found = re.findall(r"<b>(.*?)</b> (.*?)</p>", body(marks.terms(text)))
    assert found == [("help", "how it works"), ("show", "shows a board")]
    assert marks.plain(marks.terms(text)) == text[:-1]
    assert "<b>" not in body(text)


ITEMS = Path(__file__).with_name("items.txt").read_text("utf-8")


def parts(text: str) -> str:
    """Return the items of a text: sentences, and headings."""
    return "; ".join(f"{'heading ' * item.heading}{item.text}" for item in items(text.split("\n")))


def test_lines_are_joined_to_what_they_belong_to() -> None:
    assert answers(ITEMS, parts) == ITEMS


@given(st.lists(st.sampled_from(("", "a", "abc", "abcd", "abcde"))).map("\n".join))
@example("abcd\n\nabcd")
@example("abcde")
def test_a_text_fits_if_none_of_its_lines_is_too_long(text: str) -> None:
    assert fits(text, 4) == (max(map(len, text.split("\n"))) <= 4)


COLUMNS = (
    Column("board", "{:>5}  "),
    Column("won", "{:>4}  ", minor=True),
    Column("player"),
    Column("", "\n  {}", minor=True),
)


def shown(*rows: tuple[str, ...]) -> list[str]:
    """Return the lines of the HTML without tags, a bar between cells."""
    html = page(marks.table_block(table(COLUMNS, rows)), "", (), "", "")
    lines = re.findall("<tr>.*?</tr>", html, re.DOTALL)
    return [re.sub(r"(<[^>]*>|\s)+", "|", line).strip("|") for line in lines]


def test_in_text_the_columns_stand_below_their_names_and_a_link_takes_no_room() -> None:
    rows = [("104", "12", "alice", "an old friend"), ("99", "3", "bob")]
    assert marks.plain(table(COLUMNS, rows)).split("\n") == [
        "board   won  player",
        "  104    12  alice",
        "  an old friend",
        "   99     3  bob",
    ]
    linked = marks.link("104", "show 104")
    assert marks.plain(table(COLUMNS, [(linked,)])) == marks.plain(table(COLUMNS, [("104",)]))
    assert linked in table(COLUMNS, [(linked,)])


def test_in_html_minor_columns_stand_below_with_their_names_and_cells_are_escaped() -> None:
    assert shown(("104", "12", "alice", "a friend")) == [
        "board|player", "104|alice", "won|12|&middot;|a|friend",
    ]  # fmt: skip
    assert shown(("104", "", "alice")) == ["board|player", "104|alice"]
    assert shown(("1", "", "<b>")) == ["board|player", "1|&lt;b&gt;"]


TEXT = """Noughts

A game for two.


Rules

1. Lay a stone where
   nothing lies.

       a b c
    3  . . .   3

The end."""


def test_an_article_has_headings_paragraphs_and_boards_and_its_plain_text_is_the_same() -> None:
    assert marks.plain(article(TEXT)) == TEXT
    html = page(article(TEXT), "", (), "", "")
    assert html.count("<h2") == 2
    assert ">Rules</h2>" in html
    assert ">1. Lay a stone where nothing lies.</p>" in html
    assert "   a b c\n    3  . . .   3" in html
    assert "The end.</p>" in html


def test_an_indented_sentence_is_no_board() -> None:
    sentence = "    10. Nought c1 is refused: there is a stone already, so lay it elsewhere"
    assert "<pre" not in page(article(f"Noughts\n\n{sentence}"), "", (), "", "")
