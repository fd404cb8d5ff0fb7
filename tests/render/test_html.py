"""A marked text as HTML: prose joined again, lists, tables, and blocks found at once."""

import re
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from pbm.render import marks
from pbm.render.html import fits, items, page
from pbm.render.marks import Column, table

WORDS = st.sampled_from(("a", "b <c>", " in", "  - one", "end ", "", marks.link("move", "play")))
PROSE = st.lists(WORDS, max_size=6).map("\n".join)
AROUND = (marks.shape, marks.heading, marks.words, marks.board)
KEPT = st.builds(lambda around, text: around(text), st.sampled_from(AROUND), PROSE)


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


@given(st.lists(PROSE | KEPT, max_size=6).map("\n".join))
@example("a\nb\n\n\n" + marks.board(" x\n\n>y ") + "\nc")
def test_the_html_of_a_text_is_that_of_its_blocks(marked: str) -> None:
    assert body(marked) == "".join(map(body, blocks(marked)))


def test_boards_stand_in_their_places_and_a_text_that_is_left_keeps_its_columns() -> None:
    shown = body(f"{marks.board('x')}\n{marks.board('o')}\n", ("<p>first</p>\n", ""))
    assert shown.startswith("<p>first</p>\n<pre")
    assert shown.count("<pre") == 1


def parts(text: str) -> list[tuple[str, str]]:
    return [item.parts for item in items(text.split("\n"))]


def test_lines_of_prose_are_one_paragraph() -> None:
    assert parts("one two\nthree") == [("", "one two three")]


def test_words_in_columns_are_a_term_and_what_it_means() -> None:
    assert parts("  help    how it works\n  show    shows a board") == [
        ("help", "how it works"),
        ("show", "shows a board"),
    ]


def test_what_is_deeper_belongs_to_the_line_above() -> None:
    lines = "  resign\n      gives up\n  swap\n      exchanges\n      the sides"
    assert parts(lines) == [("resign", "gives up"), ("swap", "exchanges the sides")]


def test_an_indented_sentence_that_was_folded_is_one_again() -> None:
    first = "  a sentence that reaches so far to the right that nothing else fits on"
    assert parts(f"{first}\n  its line\n  another") == [
        ("", f"{first.strip()} its line"),
        ("", "another"),
    ]


def test_short_indented_lines_stay_apart() -> None:
    assert parts("  accept\n  decline") == [("", "accept"), ("", "decline")]


def test_numbered_points_keep_their_further_lines() -> None:
    lines = "1. Take a\n   stone.\n2. Lay it."
    assert parts(lines) == [("", "1. Take a stone."), ("", "2. Lay it.")]


def test_the_number_of_a_board_at_the_beginning_of_a_line_is_no_point_of_a_list() -> None:
    assert parts("The clock stands on board\n102. Your own runs.") == [
        ("", "The clock stands on board 102. Your own runs.")
    ]


def test_what_is_underlined_is_a_heading() -> None:
    heading, prose = items(["You asked: help", "=" * 72, "This is how."])
    assert heading.heading
    assert heading.parts == ("", "You asked: help")
    assert not prose.heading


def test_prose_before_a_list_ends_where_the_list_begins() -> None:
    assert parts("Write:\n  signoff alice") == [("", "Write:"), ("", "signoff alice")]


def test_a_sentence_that_ends_with_a_link_is_not_run_into_the_next_one() -> None:
    link = marks.link("list")
    assert parts(f"To see more, reply {link}\nTo stop, do nothing.") == [
        ("", f"To see more, reply {link}"),
        ("", "To stop, do nothing."),
    ]
    assert parts(f"Reply {link}\nto see more.") == [("", f"Reply {link} to see more.")]


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


def test_in_text_the_columns_stand_below_their_names() -> None:
    rows = [("104", "12", "alice", "an old friend"), ("99", "3", "bob")]
    assert marks.plain(table(COLUMNS, rows)).split("\n") == [
        "board   won  player",
        "  104    12  alice",
        "  an old friend",
        "   99     3  bob",
    ]


def test_a_link_takes_no_room_in_text() -> None:
    linked = marks.link("104", "show 104")
    assert marks.plain(table(COLUMNS, [(linked,)])) == marks.plain(table(COLUMNS, [("104",)]))
    assert linked in table(COLUMNS, [(linked,)])


def test_in_html_minor_columns_stand_below_with_their_names() -> None:
    assert shown(("104", "12", "alice", "a friend")) == [
        "board|player",
        "104|alice",
        "won|12|&middot;|a|friend",
    ]


def test_a_row_with_nothing_minor_has_one_line() -> None:
    assert shown(("104", "", "alice")) == ["board|player", "104|alice"]


def test_cells_are_escaped_by_what_makes_html_of_them() -> None:
    assert shown(("1", "", "<b>")) == ["board|player", "1|&lt;b&gt;"]
