"""How The Power of Two reads what people type, and what its refusals teach."""

import pytest

from games.pow2 import game
from pbm.engine import IncompleteMoveError, MoveError
from tests.games.pow2_boards import DARK, LIGHT, after, at, begin, legal, refusal
from tests.tables import each


@each(
    "text",
    [
        "m13-m5:l4",
        "M13-M5:L4",
        " m13 - m5 : l4 ",
        "m13\u2013m5:l4",
        "m13\u00a0m5\u00a0l4",
        "m13-m5,l4",
        "m13->m5;l4",
        "m13m5l4",
        "\uff4d13-m5: l4.",
        "m 13 - m 5 : l 4",
        "m13 to m5, l4",
        "m13\u2192m5 l4",
        "m13=>m5: l4!",
    ],
)
def test_a_turn_is_read_in_any_case_with_any_separators(text: str) -> None:
    assert game.parse(begin(), LIGHT, text) == "m13-m5:l4"


@each("text", ["a13-c11:d10,a13", "a13-c11:a13,d10", "a13 c11 d10 a13", "a13-c11: d10 and a13"])
def test_placements_are_read_in_any_order_and_written_in_one(text: str) -> None:
    state = at("M1 B10 D12", "A13", mover=DARK)
    assert game.parse(state, DARK, text) == "a13-c11:a13,d10"


def test_placements_are_sorted_by_letter_and_then_as_numbers() -> None:
    # Sorted as text, c11 would come before c9.
    state = at("B10 D12", "F8", mover=DARK)
    assert "f8-d10:c9,c11" in legal(state)
    assert game.parse(state, DARK, "f8-d10:c11,c9") == "f8-d10:c9,c11"


def test_a_slide_without_its_placement_is_answered_with_what_completes_it() -> None:
    error = refusal(begin(), "m13-m5")
    assert isinstance(error, IncompleteMoveError)
    assert error.candidates == ("m13-m5:l4",)
    assert str(error) == "m13-m5 comes next to m1, so it places one piece: m13-m5:l4."


def test_a_part_of_the_placements_is_answered_with_those_that_hold_it() -> None:
    state = at("M1 E3", "A1 c5", mover=DARK)
    assert refusal(state, "a1-d4").candidates == (
        "a1-d4:b4,d2",
        "a1-d4:b4,e5",
        "a1-d4:d2,e5",
    )
    assert refusal(state, "a1-d4:e5").candidates == ("a1-d4:b4,e5", "a1-d4:d2,e5")


def test_a_long_list_of_completions_is_told_in_part_and_given_in_full() -> None:
    error = refusal(begin(), "m13")
    assert len(error.candidates) == 24
    assert str(error).endswith("m13-k11 and 4 more?")


def test_a_destination_alone_is_answered_with_the_pieces_that_reach_it() -> None:
    assert refusal(begin(), "j7").candidates == ("m1-j7", "m13-j7")
    assert refusal(begin(), "f6").kind == "illegal"


START_REFUSALS = [
    ("", "syntax", "No move was given; one looks like m13-j7."),
    ("hello", "syntax", '"hello" cannot be read as a move'),
    (
        "m13-d3",
        "illegal",
        "no point d3 on this board; column d has d2, d4, d7, d10 and d12.",
    ),
    ("z4-a1", "illegal", "the columns are a to m, the rows 1 to 13."),
    ("d4-e5", "illegal", "There is no piece on d4."),
    ("a1-e1", "illegal", "The piece on a1 is Dark's."),
    ("a1", "illegal", "The piece on a1 is Dark's."),
    ("m13-m13", "illegal", "there is no passing."),
    ("m13-d4", "illegal", "No line leads from m13 to d4."),
    ("m13-m1", "illegal", "m1 is occupied."),
    ("m13-j7:k8", "illegal", "m13-j7 comes next to no piece, so nothing can be placed on k8."),
]


@each(("text", "kind", "words"), START_REFUSALS)
def test_a_refused_slide_says_which_rule_forbids_it(text: str, kind: str, words: str) -> None:
    error = refusal(begin(), text)
    assert error.kind == kind
    assert words in str(error)


def test_a_barred_way_names_the_piece_that_bars_it() -> None:
    error = refusal(at("M13", "K9 A1", mover=LIGHT), "m13-j7")
    assert str(error) == "The way from m13 to j7 is blocked by the piece on k9."


def test_with_noborder_the_refusal_names_the_option() -> None:
    error = refusal(begin(noborder="yes"), "m13-m5")
    assert str(error) == (
        "m13-m5 is along an outer edge, where the option noborder forbids slides."
    )


def test_a_shut_in_piece_is_told_so() -> None:
    state = at("E1 D2 C3 B4 A5", "A1 M9", mover=DARK)
    assert str(refusal(state, "a1")) == "Your piece on a1 cannot move."


PLACEMENT_REFUSALS = [
    ("a1-d4:c3,e5", "c3 is not next to both the piece you moved and its neighbour c5 or e3."),
    ("a1-d4:m7,e5", "m7 is not next to both the piece you moved and its neighbour c5 or e3."),
    ("a1-d4:b4,c5", "c5 is occupied; ageing takes that piece only after placing."),
    ("a1-d4:b4,e3", "e3 is occupied."),
    ("a1-d4:b4,d4", "d4 is taken by the piece that you move there."),
    ("a1-d4:b4,b4", "b4 is named twice; each piece needs a point of its own."),
    ("a1-d4:b4,d2,e5", "a1-d4 places 2 pieces, 3 are named."),
]


@each(("text", "message"), PLACEMENT_REFUSALS)
def test_a_refused_placement_names_its_point_and_the_neighbours(text: str, message: str) -> None:
    error = refusal(at("M1 E3", "A1 c5", mover=DARK), text)
    assert (error.kind, str(error)) == ("illegal", message)


def test_placements_that_leave_a_neighbour_out_name_it_and_what_would_do() -> None:
    error = refusal(at("C8 G9", "E13", mover=DARK), "e13-e9:f8,g10")
    assert str(error) == (
        "f8 or g10 forms no triangle with e9 and its neighbour c8; c9 or d7 would."
    )


def test_placements_that_crowd_one_neighbour_are_told_so_before_all_are_named() -> None:
    # c5 and d7 both answer only c6, and a third and a fourth placement cannot mend that.
    state = at("C6 E3 F3 F6", "G5", mover=DARK)
    assert refusal(state, "g5-e5:c5,d7").kind == "illegal"
    assert str(refusal(state, "g5-e5:c5,d7,g5")) == (
        "c5, d7 and g5 cannot answer a neighbour each; those of e5 are c6, e3, f3 and f6."
    )


def test_a_slide_without_room_names_the_neighbour_that_has_none() -> None:
    error = refusal(at("M13 L10", "J10 J12", mover=LIGHT), "m13-k11")
    assert str(error) == (
        "m13-k11 is not possible: no free point forms a triangle with k11 and its neighbour j10."
    )


def test_a_slide_with_too_little_room_names_the_neighbours_that_share_it() -> None:
    error = refusal(at("E1 C3 A5", "E3", mover=DARK), "e3-a1")
    assert str(error) == (
        "e3-a1 is not possible: a1's neighbours a5, c3 and e1 need a point each for a triangle, "
        "and there is only b4 and d2."
    )


FIFTEEN = "A1 I13 M7 M9 K9 I9 J10 I11 G13 E13 E11 C9 A7 A9 D10"


def test_the_last_piece_in_supply_is_told_of() -> None:
    error = refusal(at("M1 E3 D2", FIFTEEN, mover=DARK), "a1-e1")
    assert "so it places one piece, all that you have left: a1-e1:a1 or a1-e1:g1." in str(error)


def test_with_exact_the_refusal_counts_what_is_left() -> None:
    error = refusal(at("M1 E3 D2", FIFTEEN, mover=DARK, exact=True), "a1-e1")
    assert str(error) == (
        "a1-e1 comes next to 2 pieces and you have one piece left to place; "
        "the option exact asks for one for each."
    )


def test_nobody_moves_out_of_turn_or_after_the_end() -> None:
    with pytest.raises(MoveError, match=r"It is not Dark's turn\."):
        game.parse(begin(), DARK, "a1-d4")
    over = after(at("E1 D2 C3 A5 I5", "A1", mover=LIGHT), "i5-c5:b4")
    with pytest.raises(MoveError, match=r"The game is over\."):
        game.parse(over, DARK, "a1-d4")


def test_every_legal_turn_is_read_back_and_every_slide_is_completed_by_its_candidates() -> None:
    state = at("M1 E3 G4 H3 d4 e5", "A1 c5 I5 J4 e9", mover=DARK)
    for turn in legal(state):
        assert game.parse(state, DARK, turn) == turn
        slide = turn.partition(":")[0]
        if ":" in turn:
            assert refusal(state, slide).candidates == tuple(legal(state, slide))


@each("text", ["m13-" * 2500, "m1" * 5000, "x" * 10000, "-" * 10000, "m" * 399])
def test_a_text_of_any_length_is_refused(text: str) -> None:
    assert refusal(begin(), text).kind == "syntax"
