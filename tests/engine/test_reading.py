"""Typed texts: brought into one form, quoted, and read by games that have no reader.

The tables are in reading.txt. They enter by functions because they are the cases of all games.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm.engine import (
    MOVE_LENGTH_LIMIT,
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    PointReader,
    Seat,
    fold,
    listing,
    near,
    quote,
    read_move,
)
from pbm.engine.laws import is_reserved
from tests.engine.noughts import Noughts, State, game
from tests.readings import answers, rows, sections

TABLES = sections(Path(__file__).with_name("reading.txt"))
START = game.start(game.info.setup())


def test_what_is_typed_is_folded_to_one_form() -> None:
    table = TABLES["folded"]
    assert answers(table, fold) == table
    assert fold("") == ""
    assert len(fold("a" * 10_000)) == MOVE_LENGTH_LIMIT + 1


@given(st.text(max_size=600))
@example("e\u200b\u0301")
@example("J\u030c")
@example("\u00b4")
@example("\ufdfa" * 300)
@example("\u2192" * 300)
@example("a" * 400 + " b")
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=400))
@example("`B2`  c3")
def test_plain_typing_folds_as_it_does_beside_an_invisible_character(text: str) -> None:
    assert fold(text) == fold(f"\u200b{text}")


@given(st.text(alphabet=st.sampled_from("a \ufdfa\u3300\u00b4\u200b"), max_size=900))
def test_a_folded_text_is_never_longer_than_what_is_looked_at(text: str) -> None:
    assert len(fold(text)) <= MOVE_LENGTH_LIMIT + 1


@given(st.text(max_size=300), st.integers(4, 80))
def test_a_quotation_is_one_short_printable_line(text: str, limit: int) -> None:
    shown = quote(text, limit)
    assert shown.isprintable()
    assert shown[0] == shown[-1] == '"'
    assert len(shown) <= limit + 2


def test_a_quotation_leaves_out_control_characters_and_says_that_it_goes_on() -> None:
    assert quote("x" * 100, 10) == '"xxxxxxx..."'
    assert quote("a\r\nb\x1b[31mc") == '"a b [31mc"'


def test_near_names_are_the_nearest_first_and_few_in_any_case() -> None:
    known = ["gonnect", "morris", "connect", "konnect", "gonnecta"]
    assert near("gonect", known)[0] == "gonnect"
    assert len(near("gonect", known)) == 3
    assert near("chess", known) == near("a" * 100_000, ["alice"]) == ()
    assert near("ALICF", ["Alice", "bob"]) == ("Alice",)


def test_a_listing_reads_like_a_sentence() -> None:
    table = TABLES["lists of three words at most"]
    assert answers(table, lambda words: listing(words.split(), most=3)) == table
    assert listing([], most=3) == ""
    assert listing("ab", last="and") == "a and b"


def test_a_notation_that_a_mail_would_take_for_something_else_is_reserved() -> None:
    reserved = rows(TABLES["no move, but a command, a game or a number"])
    assert [typed for typed in reserved if not is_reserved(typed, "noughts", "xo")] == []
    free = rows(TABLES["a move"])
    assert [typed for typed in free if is_reserved(typed, "noughts", "xo")] == []


class Sliding(Noughts):
    """Its moves are written as slides, one of them with an arrow of its own."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        yield from ("a1-b2", "a1-b3", "c1>c2", "b1=>b3", "d10-e10")


def test_a_game_without_a_reader_reads_arrows_and_completes_half_a_name() -> None:
    table = TABLES["moves of slides"]
    assert answers(table, lambda typed: Sliding().parse(START, 0, typed), IllegalMoveError) == table
    table = TABLES["half a name in noughts and crosses"]
    assert answers(table, lambda typed: game.parse(START, 0, typed), IncompleteMoveError) == table
    with pytest.raises(IncompleteMoveError) as begun:
        Sliding().parse(START, 0, "a1")
    assert begun.value.candidates == ("a1-b2", "a1-b3")


class Asked(Noughts):
    """Notes what it is asked to read, and knows a pass."""

    def __init__(self) -> None:
        self.asked: list[tuple[State, Seat, str]] = []
        self.listed = 0

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        self.listed += 1
        yield from (*super().legal_moves(state, seat), "pass")

    def parse(self, state: State, seat: Seat, text: str) -> str:
        self.asked.append((state, seat, text))
        return super().parse(state, seat, text)


def test_a_pass_is_refused_where_a_game_cannot_read_it_and_only_there() -> None:
    class Strict(Noughts):
        def parse(self, state: State, seat: Seat, text: str) -> str:
            return self.readable("" if "pass" in text.lower() else text)

    sentence = "There is no passing in Noughts and Crosses; the side to move must play."
    for typed in ("pass", "I pass.", "Passing!"):
        with pytest.raises(IllegalMoveError) as refused:
            read_move(Strict(), START, 0, typed)
        assert str(refused.value) == sentence
    assert read_move(Asked(), START, 0, "Pass.") == "pass"


def test_a_move_is_asked_of_the_game_once_unless_game_position_or_text_is_another() -> None:
    one, other, corner = Asked(), Asked(), game.play(START, 0, "a1")
    assert [read_move(one, START, 0, " B2") for _ in range(3)] == ["b2"] * 3
    assert one.asked == [(START, 0, " B2")]
    assert read_move(one, START, 0, "b3") == "b3"
    assert read_move(one, corner, 1, "b3") == "b3"
    assert read_move(other, corner, 1, "b3") == "b3"
    assert (len(one.asked), len(other.asked)) == (3, 1)


def test_what_is_illegal_for_one_seat_or_now_is_refused_though_it_was_just_read() -> None:
    fresh = Noughts()
    assert read_move(fresh, START, 0, "b2") == "b2"
    for state, seat in ((START, 1), (game.play(START, 0, "b2"), 1)):
        for _ in range(2):
            with pytest.raises(MoveError):
                read_move(fresh, state, seat, "b2")


def test_the_moves_of_a_position_are_looked_up_once() -> None:
    asked, state = Asked(), START
    assert [asked.parse(state, 0, move) for move in ("a1", "B2", "c3")] == ["a1", "b2", "c3"]
    assert asked.listed == 1
    after: Any = asked.play(state, 0, "a1")
    with pytest.raises(MoveError):
        asked.parse(after, 1, "a1")
    assert asked.parse(state, 0, "a1") == "a1"


READER = PointReader(
    [f"{letter}{row}" for letter in "abcx" for row in (1, 2, 10)][:-1],
    "cannot be read; a turn looks like a1-b2",
    signs={"takes": "x", "x": "x"},
    words=("move",),
    noun="field",
    piece="stone",
    most=3,
)
TURNS = ("a1-b2", "a1-b2xc1", "a1-b2xc10", "a10-b2", "b1-c2xa1,c10")


def test_a_reader_of_points_reads_them_and_says_what_is_wrong() -> None:
    def named(typed: str) -> str:
        found = READER.named(typed, typed)
        pairs = zip(found.points, found.signs, strict=True)
        words = " ".join(f"{point} '{sign}'" for point, sign in pairs)
        return f"{found.word}: {words}" if found.word else words

    table = TABLES["points with the signs behind them"]
    assert answers(table, named, MoveError) == table


def test_a_reader_of_points_finds_a_turn_or_asks_for_what_is_missing() -> None:
    def turn(points: str) -> str:
        try:
            return READER.turn(tuple(points.split()), TURNS, "Add more.")
        except MoveError as error:
            return f"! {error.kind}: {' '.join(error.candidates)}".rstrip()

    table = TABLES["turns by their points"]
    assert answers(table, turn) == table
    table = TABLES["questions to a point alone"]
    assert answers(table, lambda ps: READER.ask(tuple(ps.split()), TURNS), MoveError) == table
