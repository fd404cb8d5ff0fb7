"""What the server and a program say to each other: written, read, and refused where it is wrong."""

import json
import pickle

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
from tests.robots.brute import GAMES
from tests.robots.questions import NOUGHTS, question
from tests.tables import each

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


WRONG = {
    b"": 'The line "" cannot be read as JSON.',
    b"\xff{}": 'The line "\ufffd{}" cannot be read as JSON.',
    b"[" * 4000: "cannot be read as JSON.",
    b'["b2"]': 'The line "["b2"]" is not a JSON object.',
    b"{}": '"move" is missing; it must be a text.',
    b'{"move": null}': '"move" is missing; it must be a text.',
    b'{"move": 2}': '"move" must be a text, and is "2".',
    b'{"move": " "}': '"move" must be a text of 1 to 400 characters.',
    b'{"move": "' + b"x" * 401 + b'"}': '"move" must be a text of 1 to 400 characters.',
    b'{"move": "b2", "why": 5}': '"why" must be a text, and is "5".',
    b'{"move": "b2", "worth": 1.5}': '"worth" must be a number from 0 to 1, and is "1.5".',
    b'{"move": "b2", "worth": true}': '"worth" must be a number from 0 to 1, and is "true".',
    b'{"move": "b2", "worth": NaN}': "cannot be read as JSON.",
    b'{"move": "b2", "worth": 1e999}': '"worth" must be a number from 0 to 1, and is "Infinity".',
    b'{"move": "b2", "ply": -1}': '"ply" must be a whole number from 0, and is "-1".',
    b'{"move": "b2", "ply": 1.0}': '"ply" must be a whole number from 0, and is "1.0".',
    b'{"move": "b2", "error": "no"}': 'It reports an error: "no".',
    b'{"error": []}': '"error" must be a text, and is "[]".',
    b" " * (LONGEST_ANSWER + 1): "A line has 4097 octets; 4096 are the most.",
}


@each("line", WRONG)
def test_an_answer_of_another_shape_is_refused_in_a_sentence(line: bytes) -> None:
    with pytest.raises(ProtocolError) as error:
        read_answer(line)
    assert str(error.value).endswith(WRONG[line])


def test_a_program_says_that_it_cannot_answer_in_one_line() -> None:
    with pytest.raises(ProtocolError, match='It reports an error: "no book"'):
        read_answer(written_error("no\nbook"))


def test_a_message_of_another_shape_is_refused_with_the_name_of_the_field() -> None:
    whole = json.loads(written(MESSAGES[2]))
    for name, value, sentence in (
        ("own_seats", [True], '"own_seats" must be a list of whole numbers, and is "[true]".'),
        ("turns", [{"seat": 0}], '"move" is missing in "turns"; it must be a text.'),
        ("turns", ["b2"], '"turns" must be a list of objects, and is "["b2"]".'),
        ("state", "{}", '"state" must be an object, and is ""{}"".'),
        ("moves", [1], '"moves" must be a list of texts, and is "[1]".'),
        ("may_swap", 1, '"may_swap" must be true or false, and is "1".'),
        ("seconds", 0, '"seconds" must be a number above 0, and is "0".'),
        ("seconds", "1", '"seconds" must be a number, and is ""1"".'),
    ):
        with pytest.raises(ProtocolError) as error:
            read_message(json.dumps({**whole, name: value}).encode())
        assert str(error.value) == sentence


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
