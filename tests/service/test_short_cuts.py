"""What is decided early about a line is what reading it in full would have said."""

import sys
import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import NotUnderstood
from pbm.domain.phrases import LONGEST, meaning_of
from pbm.service.command import Request
from pbm.service.line import Reply
from tests.house import HouseUnderTest
from tests.service.houses import GRAMMAR, PLAYER, REPLY

WORDS = st.sampled_from(
    ["a1", "B2", "104", "104#7", "#7", "swap", "resign", "undo", "alice", "secret", "-size=5", "é"]
)


def digits() -> list[str]:
    """Return all digits of Unicode; to find them takes a third of a second."""
    return [c for c in map(chr, range(sys.maxunicode + 1)) if c.isdigit()]


def read(line: str, reply: Reply | None) -> Request | str:
    try:
        return GRAMMAR.read(line, reply)
    except NotUnderstood as error:
        return str(error)


def read_move(line: str, reply: Reply | None) -> Request | str:
    try:
        return GRAMMAR.read_move(line, reply)
    except NotUnderstood as error:
        return str(error)


@given(
    st.lists(WORDS, max_size=5).map(" ".join) | st.text(max_size=12),
    st.sampled_from([None, REPLY, Reply(PLAYER, None, 0)]),
)
def test_a_move_without_its_verb_is_read_as_one_with_it(line: str, reply: Reply | None) -> None:
    assert read_move(line, reply) == read(f"move {line}", reply)


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


def test_a_comment_in_another_script_costs_about_as_much_as_in_ours(tmp_path: Path) -> None:
    """Each line is brought into one form for every way to read it, which letters make dear."""
    house = HouseUnderTest(tmp_path)

    def cost(word: str) -> float:
        text = f"{f'vacation alice your-password {word} ' * 5}\n" * 400
        began = time.process_time()
        house.mail("stranger@example.net", "signup hi", text)
        return time.process_time() - began

    ours, other = (min(cost(word) for _ in range(5)) for word in ("forfeit", "dzie\u0144"))
    assert other < 2 * ours
