"""The lines between the server and a program: written, read, and refused where they are wrong."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm.engine import Setup, Turn
from pbm.robots.asking import MOST_MOVES, checked
from pbm.robots.protocol import (
    LONGEST_ANSWER,
    Answer,
    Hello,
    Message,
    NewMatch,
    PositionAsked,
    ProtocolError,
    Quit,
    Ready,
    read_answer,
    read_message,
    read_ready,
    written,
    written_error,
)
from tests.readings import answers, sections
from tests.robots.brute import GAMES
from tests.robots.questions import NOUGHTS, question

MESSAGES: list[Message] = [
    Hello(),
    NewMatch("hex", 2, Setup({"size": "5"}, 7), ("Red", "Blue"), "level3"),
    PositionAsked(1, 1, (1,), (Turn(0, "b2"),), '{"a":[1,"\\u00e9"],"b":null}', ("a1",), True, 0.5),
    PositionAsked(0, 0, (0, 2), (), "{}", None, False, 10),
    Quit(),
]


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_one_line_of_ascii_and_reads_back_as_the_same(message: Message) -> None:
    line = written(message)
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1
    assert read_message(line) == message


@pytest.mark.parametrize("key", GAMES)
def test_the_question_of_each_game_reads_back_as_the_same(key: str) -> None:
    asked = question(GAMES[key])
    assert read_message(written(asked.match)) == asked.match
    assert read_message(written(asked.position)) == asked.position


def test_a_question_travels_to_another_process() -> None:
    asked = question(NOUGHTS, "b2")
    assert pickle.loads(pickle.dumps(asked)) == asked


@pytest.mark.parametrize(
    "answer", [Answer("b2"), Answer("swap", "why not", 0.25, 3), Answer("x" * 400, worth=1)]
)
def test_an_answer_reads_back_as_the_same(answer: Answer) -> None:
    assert read_answer(written(answer)) == answer


def test_fields_and_messages_of_a_later_day_are_ignored() -> None:
    assert read_message(b'{"message": "rest", "until": 5}') is None
    assert read_message(b'{"message": "quit", "until": 5}') == Quit()
    assert read_ready(b'{"protocol": 1, "name": "minimax"}') == Ready()
    assert read_answer(b' {"move": "b2", "why": null, "nodes": 8000}\r') == Answer("b2")


def test_a_reason_becomes_one_short_line() -> None:
    said = json.dumps({"move": "b2", "why": " for\n\x1b[2J fun \ud800"}).encode()
    assert read_answer(said).why == "for [2J fun"
    assert len(read_answer(written(Answer("b2", "because " * 50))).why) == 200


def refused(read: Callable[[bytes], object], line: bytes, words: str) -> str:
    """Return "refused" if the refusal of a line ends in these words."""
    with pytest.raises(ProtocolError) as error:
        read(line)
    return "refused" if str(error.value).endswith(words) else str(error.value)


def test_a_line_of_another_shape_is_refused_in_a_sentence_with_the_name_of_the_field() -> None:
    tables = sections(Path(__file__).with_name("protocol.txt"))

    def answered(line: str, words: str) -> str:
        return refused(read_answer, line.encode("latin-1"), words)

    def asked(name: str, value: str, words: str) -> str:
        whole = {**json.loads(written(MESSAGES[2])), name: json.loads(value)}
        return refused(read_message, json.dumps(whole).encode(), words)

    answer_table, field_table = tables["answers"], tables["fields of a position"]
    assert answers(answer_table, answered) == answer_table
    assert answers(field_table, asked) == field_table
    for line, words in (
        (b"", 'The line "" cannot be read as JSON.'),
        (b"[" * 4000, "cannot be read as JSON."),
        (b'{"move": "%s"}' % (b"x" * 401), '"move" must be a text of 1 to 400 characters.'),
        (b" " * (LONGEST_ANSWER + 1), "A line has 4097 octets; 4096 are the most."),
    ):
        assert refused(read_answer, line, words) == "refused"


def test_a_program_says_that_it_cannot_answer_in_one_line() -> None:
    with pytest.raises(ProtocolError, match='It reports an error: "no book"'):
        read_answer(written_error("no\nbook"))


def test_the_game_reads_the_move_as_it_reads_a_mail() -> None:
    asked = question(NOUGHTS, "b2", "c3")
    assert checked(NOUGHTS, asked, Answer(" A1. ", "the corner", 0.5)) == Answer(
        "a1", "the corner", 0.5, 2
    )
    for wrong in ("b2", "z9", "swap", "resign", "\ud800"):
        with pytest.raises(ProtocolError, match="is refused: "):
            checked(NOUGHTS, asked, Answer(wrong))


def test_a_swap_is_a_move_where_the_question_says_so_and_nowhere_else() -> None:
    game = GAMES["gonnect"]
    for moves, may_swap in (((), False), (("a1",), True), (("a1", "b2"), False)):
        asked = question(game, *moves, options={"size": "5"})
        assert asked.position.may_swap is may_swap
        assert "swap" not in (asked.position.moves or ())
        if may_swap:
            assert checked(game, asked, Answer("pie")).move == "swap"
        else:
            with pytest.raises(ProtocolError):
                checked(game, asked, Answer("swap"))


class Endless(type(NOUGHTS)):  # type: ignore[misc]
    """Noughts and crosses in which a move has any number of names."""

    def legal_moves(self, state: object, seat: int) -> object:
        number = 0
        while True:
            yield number
            number += 1


def test_moves_that_are_too_many_are_not_listed() -> None:
    assert len(question(GAMES["notwos"]).position.moves or ()) < MOST_MOVES
    assert question(Endless()).position.moves is None
