"""What players type for Gonnect, and what they are told when it is no move."""

import pytest

from games.gonnect import game
from games.gonnect.position import State
from pbm.engine import IncompleteMoveError, MoveError, OptionError
from tests.games.gonnect_boards import after, at, legal, start
from tests.tables import each


def refusal(state: State, text: str) -> tuple[str, str]:
    with pytest.raises(MoveError) as caught:
        game.parse(state, state.mover, text)
    return caught.value.kind, str(caught.value)


@each(
    "text",
    ["G7", "g7", " g 7 ", "G-7", "g\u20137", "G\u00a07", "G07", "\uff27\uff17", "G,7", "g7."],
)
def test_a_point_is_read_in_any_spelling_that_leaves_no_doubt(text: str) -> None:
    assert game.parse(start(), 0, text) == "G7"


@each("text", ["", "77", "G7 H7", "seven", "?", "G7-H7", "swap", "\u0667G", "A" + "9" * 300])
def test_what_names_no_point_cannot_be_read(text: str) -> None:
    kind, words = refusal(start(), text)
    assert kind == "syntax"
    assert words.endswith("like C4.")


def test_half_a_name_is_completed_by_the_legal_points() -> None:
    state = after(start(size="5"), "B1 C1 B3 C3")
    with pytest.raises(IncompleteMoveError) as caught:
        game.parse(state, 0, "b")
    assert caught.value.candidates == ("B5", "B4", "B2")
    assert str(caught.value) == '"b" is only a part of a move: B5, B4 or B2.'
    with pytest.raises(IncompleteMoveError) as caught:
        game.parse(state, 0, "1")
    assert caught.value.candidates == ("A1", "D1", "E1")


def test_an_occupied_point_names_its_owner() -> None:
    state = after(start(), "G7 H7")
    words = "{} is already occupied by a stone of {}."
    assert refusal(state, "g7") == ("illegal", words.format("G7", "Eks (x)"))
    assert refusal(state, "h7") == ("illegal", words.format("H7", "Ohs (o)"))


@each("text", ["O3", "A14", "A0", "Z99", "A999"])
def test_a_point_outside_names_the_columns_and_rows(text: str) -> None:
    kind, words = refusal(start(), text)
    assert kind == "illegal"
    assert words.endswith(
        f"no point {text} on this board; the columns are A to N without I, the rows 1 to 13."
    )


def test_a_small_board_has_no_column_behind_the_missing_letter() -> None:
    assert refusal(start(size="8"), "J1")[1] == (
        "There is no point J1 on this board; the columns are A to H, the rows 1 to 8."
    )


def test_the_letter_i_is_said_not_to_exist() -> None:
    assert refusal(start(), "I7") == (
        "illegal",
        ("There is no point I7 on this board; the columns are A to N without I, the rows 1 to 13."),
    )


def test_suicide_is_named_with_the_stones_that_would_choke() -> None:
    state = at("""
        . . . . .
        . . . . .
        o . . . .
        x o . . .
        . o . . o
    """)
    assert refusal(state, "A1") == (
        "illegal",
        "A1 would be suicide: the chain A1 and A2 would have no liberty, and nothing is taken.",
    )
    alone = after(start(size="5"), "C3 A2 C4 B1")
    assert refusal(alone, "A1")[1].startswith("A1 would be suicide: the stone would have no")


KO = """
    . . . . .
    . x o . .
    x . x o .
    . x o . .
    . . . . .
"""


@each("rule", ["simple", "superko"])
def test_ko_is_named_with_the_stone_that_may_not_be_retaken(rule: str) -> None:
    state = after(at(KO, mover="o", ko=rule), "B3")
    assert refusal(state, "C3") == (
        "illegal",
        (
            "C3 would take B3 back and repeat the previous position, which ko forbids; "
            "play elsewhere first."
        ),
    )


def test_where_several_stones_were_taken_a_retake_is_suicide_and_no_ko() -> None:
    state = after(
        at("""
        . x o x .
        x o . o x
        . x o x .
        . . x . .
        . . . . .
        """),
        "C4",
    )
    assert refusal(state, "B4")[1].startswith("B4 would be suicide")


def test_superko_says_how_long_ago_the_position_stood() -> None:
    moves = "A5 A2 B4 B3 G5 G2 F4 F3 F7 C7 E6 D6 G3 A4 D4 E7 A3 G4 D7 A4 G3"
    state = after(start(size="7", ko="superko"), moves)
    assert refusal(state, "E7") == (
        "illegal",
        (
            "E7 would bring back the position of 5 moves ago, and superko (option -ko=superko) "
            "forbids every earlier position."
        ),
    )


def test_nobody_moves_out_of_turn_or_after_the_end() -> None:
    state = after(start(size="5"), "A3 A1 B3 B1 C3 C1 D3 D1")
    with pytest.raises(MoveError, match=r"It is not Ohs's turn\."):
        game.parse(state, 1, "E5")
    assert list(game.legal_moves(state, 1)) == []
    over = after(state, "E3")
    assert legal(over) == []
    assert refusal(over, "E5") == ("illegal", "The game is over.")


def test_options_outside_the_choices_are_refused() -> None:
    for given in ({"size": "4"}, {"size": "20"}, {"ko": "none"}):
        with pytest.raises(OptionError):
            game.info.setup(given)
    assert dict(game.info.setup().options) == {"size": "13", "ko": "simple"}
