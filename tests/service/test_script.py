"""Which lines of a mail are commands, and which are a comment for the other players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.dispatch.reading import COMMAND_LINES, COMMENT_LENGTH, LineReader, Script, read_script
from pbm.service.line import Reply
from tests.engine.noughts import CELLS
from tests.service.houses import GRAMMAR, PLAYER, REPLY, mail


def read(*lines: str, subject: str = "", reply: Reply | None = REPLY) -> Script:
    return read_script(
        mail(*lines, subject=subject),
        LineReader(GRAMMAR, reply),
        lambda line: line if line in CELLS else None,
    )


def test_the_subject_is_the_one_command_if_it_is_one() -> None:
    script = read("Good luck!", "show 105", subject="move 104 alice alice-pw b2", reply=None)
    assert script == Script(("move 104 alice alice-pw b2",), "Good luck!\nshow 105")


def test_a_subject_that_begins_like_a_command_is_refused_rather_than_passed_over() -> None:
    assert read("b2", subject="show me").commands == ("show me",)


@pytest.mark.parametrize("subject", ["", "multiple", "[Noughts 104] alice - bob", "Hello"])
def test_the_text_holds_the_commands_if_the_subject_holds_none(subject: str) -> None:
    assert read("b2", subject=subject) == Script(("b2",), "")


def test_commands_stand_one_under_the_other() -> None:
    script = read("show 101", "show 102", "games alice", "That is all.", reply=None)
    assert script == Script(("show 101", "show 102", "games alice"), "That is all.")


def test_the_first_line_that_is_no_command_ends_them() -> None:
    script = read("b2", "Your move now.", "show 105")
    assert script == Script(("b2",), "Your move now.\nshow 105")


@pytest.mark.parametrize("end", ["quit", "END", "--", "\u2014", " stop "])
def test_a_word_ends_the_commands_and_is_not_part_of_the_comment(end: str) -> None:
    script = read("b2", end, "show 105", "Good luck!")
    assert script == Script(("b2",), "show 105\nGood luck!")


def test_what_stands_after_an_end_is_no_command_even_if_nothing_stood_before() -> None:
    assert "b2" not in read("", "quit", "b2").commands


def test_a_greeting_may_stand_before_the_first_command() -> None:
    assert read("Hi Bob,", "", "b2", "", "Alice") == Script(("b2",), "Hi Bob,\n\n\nAlice")


def test_at_most_ten_lines_are_commands() -> None:
    lines = [f"show {n}" for n in range(101, 113)]
    script = read(*lines, reply=None)
    assert script.commands == tuple(lines[:10])
    assert len(script.commands) == COMMAND_LINES
    assert (script.unread, script.comment) == (2, "")


def test_a_command_below_the_tenth_line_of_prose_is_not_looked_for() -> None:
    prose = [f"Line {n} of a letter." for n in range(COMMAND_LINES)]
    assert read(*prose[:9], "b2").commands == ("b2",)
    assert "b2" not in read(*prose, "b2").commands


def test_blank_lines_above_do_not_count() -> None:
    assert read(*[""] * 30, "b2").commands == ("b2",)


@pytest.mark.parametrize(
    "line",
    ["resign already, will you", "Accept my apologies.", "Show me how you do that",
     "noughts is a nice game"],
)  # fmt: skip
def test_a_sentence_that_begins_with_a_verb_is_a_comment(line: str) -> None:
    assert read("b2", line) == Script(("b2",), line)


def test_a_bare_move_is_a_command_only_in_a_reply() -> None:
    assert read("b2").commands == ("b2",)
    assert read("b2", reply=None) == Script((), "", guessed=True)


SEVERAL = Reply(PLAYER, None, 0)
"""Alice answers a mail about several boards; she plays on those in MINE."""

MINE = ("104", "105")


def read_several(*lines: str) -> Script:
    def names_board(line: str) -> str | None:
        return line if line.partition(" ")[0] in MINE else None

    return read_script(mail(*lines), LineReader(GRAMMAR, SEVERAL), names_board)


def test_in_a_reply_to_a_mail_about_several_boards_each_line_that_names_one_counts() -> None:
    script = read_several("Hello,", "104 b2", "move 105 a1", "105 thanks!", "Good luck!", "104 c3")
    assert script.commands == ("104 b2", "move 105 a1", "105 thanks!")
    assert script.comment == "Hello,\nGood luck!\n104 c3"


def test_blank_lines_end_the_commands_except_in_such_a_reply() -> None:
    lines = ("show 104", "", " ", "show 105", "", "Good luck!", "show 106")
    several = Script(("show 104", "show 105"), "Good luck!\nshow 106")
    assert read_several(*lines) == several
    for reply in (None, REPLY):
        assert read(*lines, reply=reply).commands == ("show 104",)


def test_blank_lines_at_the_end_are_neither_commands_nor_comment() -> None:
    assert read_several("104 b2", "", "") == Script(("104 b2",), "")
    assert read_several("104 b2", "", "quit", "105 a1").commands == ("104 b2",)


def test_at_most_ten_lines_of_such_a_reply_are_commands() -> None:
    script = read_several(*("104 b2", "") * 12)
    assert script.commands == ("104 b2",) * COMMAND_LINES


def test_what_was_most_likely_meant_is_handed_on_to_be_refused() -> None:
    assert read("z9", "Hello").commands == ("z9",)
    assert read("mvoee 104 b2", reply=None).commands == ("mvoee 104 b2",)
    assert read("move 104", reply=None).commands == ("move 104",)
    assert read("Dear server,", "how are you?", reply=None).commands == ()


@pytest.mark.parametrize(
    "secret",
    ["move 104 alice alice-pw c3", "SIGNUP alice alice-pw", "resign 104 alice alice-pw",
     "noughts challenge alice alice-pw bob"],
)  # fmt: skip
def test_a_command_with_a_password_never_becomes_a_comment(secret: str) -> None:
    for script in (
        read("b2", "Good luck!", secret),
        read("b2", "end", secret, "Good luck!"),
        read(secret, "Good luck!", subject="move 104 alice alice-pw b2", reply=None),
    ):
        assert script.comment == "Good luck!"


def test_a_comment_has_an_end() -> None:
    assert len(read("b2", "x" * 9000).comment) == COMMENT_LENGTH


LINES = st.lists(
    st.sampled_from(
        ["", "b2", "show 104", "quit", "Hello", "move 104 alice alice-pw c3", "resign x"]
    )
    | st.text(max_size=20),
    max_size=16,
).map(tuple)


@given(LINES, st.text(max_size=20), st.sampled_from([None, REPLY, SEVERAL]))
def test_every_command_is_a_line_that_was_written_and_no_secret_is_repeated(
    lines: tuple[str, ...], subject: str, reply: Reply | None
) -> None:
    script = read(*lines, subject=subject, reply=reply)
    assert len(script.commands) <= COMMAND_LINES
    assert set(script.commands) <= {subject, *lines}
    assert "alice-pw" not in script.comment


def test_commands_beyond_ten_are_no_comment_and_what_stands_below_them_is() -> None:
    lines = [f"move 104 alice secret b{n}" for n in range(1, 14)]
    script = read(*lines, "Good luck!", reply=None)
    assert (len(script.commands), script.unread, script.comment) == (10, 3, "Good luck!")
