"""Lines that were folded for 72 columns are one again on a phone; lists stay lists."""

from pbm.render import marks
from pbm.render.html import items


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
