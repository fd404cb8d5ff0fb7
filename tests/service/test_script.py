"""Lines of a mail that are commands (scripts.txt), and early decisions about a line.

Tables and laws of pure functions: there are too many cases for conversations.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pbm.dispatch.script
from pbm.dispatch import carry_out
from pbm.dispatch.script import COMMAND_LINES, COMMENT_LENGTH, LineReader, Script, read_script
from pbm.domain.errors import NotUnderstood
from pbm.domain.phrases import LONGEST, meaning_of
from tests.engine.noughts import CELLS
from tests.house import HouseUnderTest
from tests.readings import answers
from tests.service.houses import GRAMMAR, PLAYER, REPLY, Reply, mail

SCRIPTS = Path(__file__).with_name("scripts.txt").read_text("utf-8")

SEVERAL = Reply(PLAYER, None, 0)
"""Alice answers a mail about several boards; she plays on those in MINE."""

MINE = ("104", "105")
REPLIES = {"reply": REPLY, "command": None, "several": SEVERAL}


def read(lines: tuple[str, ...], subject: str, reply: Reply | None) -> Script:
    def as_move(line: str) -> str | None:
        known = line.partition(" ")[0] in MINE if reply is SEVERAL else line in CELLS
        return line if known else None

    return read_script(mail(*lines, subject=subject), LineReader(GRAMMAR, reply), as_move)


def told(reply: str, subject: str, text: str) -> str:
    """Return a script as the table writes it."""
    script = read(tuple(text.split("\n")), subject.strip("."), REPLIES[reply])
    unread = f" (+{script.unread})" if script.unread else ""
    comment = f" // {script.comment}" if script.comment else ""
    guess = "" if script.guess is None else " ?"
    return f"{' / '.join(script.lines)}{unread}{guess}{comment}".strip()


def test_a_mail_is_read_as_the_table_says() -> None:
    assert answers(SCRIPTS, told) == SCRIPTS


def test_a_comment_has_an_end() -> None:
    assert len(read(("b2", "x" * 9000), "", REPLY).comment) == COMMENT_LENGTH


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
    script = read(lines, subject, reply)
    assert len(script.lines) <= COMMAND_LINES
    assert set(script.lines) <= {subject, *lines}
    assert "alice-pw" not in script.comment


# ---- what is decided early about a line is what reading it in full would have said

WORDS = st.sampled_from(
    ["a1", "B2", "104", "104#7", "#7", "swap", "resign", "undo", "alice", "secret", "-size=5", "é"]
)


@given(
    st.lists(WORDS, max_size=5).map(" ".join) | st.text(max_size=12),
    st.sampled_from([None, REPLY, SEVERAL]),
)
def test_a_move_without_its_verb_is_read_as_one_with_it(line: str, reply: Reply | None) -> None:
    def outcome(method: str, line: str) -> object:
        try:
            return getattr(GRAMMAR, method)(line, reply)
        except NotUnderstood as error:
            return str(error)

    assert outcome("read_move", line) == outcome("read", f"move {line}")


def digits() -> list[str]:
    """Return all digits of Unicode; to find them takes a third of a second."""
    return [c for c in map(chr, range(sys.maxunicode + 1)) if c.isdigit()]


@given(
    st.text(max_size=10),
    st.sampled_from(["", "help", "stop ", "no mails, "]),
    st.deferred(lambda: st.sampled_from(digits())),
)
def test_a_line_with_a_digit_asks_for_nothing_in_plain_words(
    around: str, wish: str, digit: str
) -> None:
    assert meaning_of(f"{wish}{digit}{around}"[:LONGEST]) is None


def test_every_digit_of_every_script_counts() -> None:
    assert [digit for digit in digits() if meaning_of(f"help. {digit}") or meaning_of(digit)] == []


# ---- a mail is read once, though several stages ask what is in it: a cost


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the calls of what reads; what they do is unchanged."""
    calls: Counter[str] = Counter()

    def count(place: Any, name: str) -> None:
        function = getattr(place, name)

        def counting(*given: Any, **named: Any) -> Any:
            line = f" {given[1]}" if place is type(GRAMMAR) else ""
            calls[f"{name}{line}"] += 1
            return function(*given, **named)

        monkeypatch.setattr(place, name, counting)

    count(pbm.dispatch.script, "prove")
    count(carry_out, "read_script")
    count(type(GRAMMAR), "read")
    count(type(GRAMMAR), "read_move")
    return calls


READ_ONCE = [
    ("show 101\nshow 101#0\nGood luck!", 1),
    ("C3\nGood luck!", 1),
    ("resign", 1),
    ("chat\nThis is no command.", 1),
    # Again after the hashes were worked out: a log-out may have come between.
    ("resign 101 alice alice-pw", 2),
]


@pytest.mark.parametrize(("text", "proofs"), READ_ONCE)
def test_a_mail_is_proven_once_and_each_of_its_lines_is_read_once(
    text: str, proofs: int, tmp_path: Path, counted: Counter[str]
) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.begin_match()
    counted.clear()
    house.reply(house.last_to("alice@example.org"), text)
    assert (counted.pop("read_script"), counted.pop("prove")) == (1, proofs)
    assert {what for what, times in counted.items() if times > 1} == set()
