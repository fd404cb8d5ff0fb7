"""How long lines are: the quick way and the slow one say the same."""

from hypothesis import example, given
from hypothesis import strategies as st

from pbm.render.html import fits


@given(st.lists(st.sampled_from(("", "a", "abc", "abcd", "abcde"))).map("\n".join))
@example("abcd\n\nabcd")
@example("abcde")
def test_a_text_fits_if_none_of_its_lines_is_too_long(text: str) -> None:
    assert fits(text, 4) == (max(map(len, text.split("\n"))) <= 4)
