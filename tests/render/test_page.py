"""A marked text as HTML: blocks found at once are those that are found line by line."""

from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from pbm.render import marks
from pbm.render.html import page

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
