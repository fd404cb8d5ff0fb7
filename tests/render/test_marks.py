"""Marked text as format=flowed: the quick way and the slow one, line by line, say the same."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm.render import marks

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
