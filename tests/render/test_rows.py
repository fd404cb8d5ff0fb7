"""A list is a table in text, and in HTML two lines a row: a phone has no room for more."""

import re

from pbm.render import marks
from pbm.render.html import page
from pbm.render.marks import Column, table

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
