"""The rules of The Power of Two, one position for each sentence; the comments name it."""

import json
from itertools import combinations
from pathlib import Path

from games.pow2 import game
from games.pow2.board import BORDERS, LINES, NEIGHBOURS, POINTS, column_and_row
from games.pow2.position import State
from pbm.engine import Result
from tests.games.pow2_boards import DARK, LIGHT, after, at, begin, legal, standing
from tests.tables import each

FIFTEEN = "A1 I13 M7 M9 K9 I9 J10 I11 G13 E13 E11 C9 A7 A9 D10"
"""Fifteen pieces of Dark; only the first is near d2 and e3."""


def named(points: int) -> set[str]:
    return {name for point, name in enumerate(POINTS) if points >> point & 1}


# The board: 64 points, 44 lines, all symmetric.


def test_the_board_has_64_points_44_lines_168_edges_and_104_triangles() -> None:
    edges = [pair for pair in combinations(range(64), 2) if NEIGHBOURS[pair[0]] >> pair[1] & 1]
    triangles = [
        (a, b, c)
        for a, b in edges
        for c in range(b + 1, 64)
        if NEIGHBOURS[a] & NEIGHBOURS[b] & 1 << c
    ]
    assert (len(POINTS), len(LINES), len(edges), len(triangles)) == (64, 44, 168, 104)
    data = Path(__file__).resolve().parents[2] / "games" / "pow2" / "board.json"
    assert json.loads(data.read_text("utf-8"))["points"] == len(POINTS)


@each("quarter_turns", range(4))
@each("mirrored", [False, True])
def test_the_board_is_the_same_turned_and_mirrored(quarter_turns: int, mirrored: bool) -> None:
    def moved(name: str) -> tuple[int, int]:
        x, y = column_and_row(name)
        x = 12 - x if mirrored else x
        for _ in range(quarter_turns):
            x, y = 12 - y, x
        return x, y

    lines = {tuple(column_and_row(POINTS[point]) for point in line) for line in LINES}
    either_way = lines | {line[::-1] for line in lines}
    assert {tuple(moved(POINTS[point]) for point in line) for line in LINES} <= either_way


def test_two_points_share_one_line_at_most() -> None:
    pairs = [frozenset(pair) for line in LINES for pair in combinations(line, 2)]
    assert len(pairs) == len(set(pairs))


def test_the_four_outer_edges_are_lines() -> None:
    assert {frozenset(POINTS[point] for point in line) for line in BORDERS} == {
        frozenset({"a1", "a5", "a7", "a9", "a13"}),
        frozenset({"m1", "m5", "m7", "m9", "m13"}),
        frozenset({"a1", "e1", "g1", "i1", "m1"}),
        frozenset({"a13", "e13", "g13", "i13", "m13"}),
    }


# The start: Light begins; Dark is on a1 and a13, Light on m1 and m13, all fresh, and each has 14
# in supply.


def test_each_side_starts_with_two_fresh_pieces_and_light_begins() -> None:
    state = begin()
    assert standing(state) == {"a1": "X", "a13": "X", "m1": "O", "m13": "O"}
    assert (state.supply(LIGHT), state.supply(DARK)) == (14, 14)
    assert game.info.seats[game.to_move(state)[0]] == "Light"


# "A player moves one of his pieces any distance along a line. For example, one possible first
# move for Light is m13-j7."


def test_a_piece_slides_any_distance_along_a_line() -> None:
    targets = {turn.split(":")[0] for turn in legal(begin()) if turn.startswith("m13-")}
    assert {"m13-l10", "m13-k9", "m13-k8", "m13-j7", "m13-i5", "m13-h3", "m13-g1"} <= targets
    assert "m13-d4" not in targets


def test_a_slide_does_not_pass_a_piece_of_either_side() -> None:
    for light, dark in (("M13", "K9 A1"), ("M13 K9", "A1")):
        state = at(light, dark, mover=LIGHT)
        slides = {turn.split(":")[0] for turn in legal(state)}
        assert "m13-l10" in slides
        assert not slides & {"m13-k9", "m13-k8", "m13-j7", "m13-g1"}


# "If the destination of a newly moved piece contains no occupied neighbors then the turn is
# complete and no pieces are added or aged."


def test_a_slide_beside_no_piece_places_and_ages_nothing() -> None:
    state = begin()
    assert legal(state, "m13-j7") == ["m13-j7"]
    reached = after(state, "m13-j7")
    assert standing(reached) == {"a1": "X", "a13": "X", "m1": "O", "j7": "O"}
    assert reached.supply(LIGHT) == 14
    aged = at("m13 M1", "A1", mover=LIGHT)
    assert standing(after(aged, "m13-j7"))["j7"] == "o"


# "If Light moves initially from m13-m5, he must place a piece at l4. This move would be written
# m13-m5:l4." A new piece is fresh, and the piece that moved and its own neighbour are aged.


def test_a_slide_beside_a_piece_places_one_in_a_triangle() -> None:
    state = begin()
    assert legal(state, "m13-m5") == ["m13-m5:l4"]
    reached = standing(after(state, "m13-m5:l4"))
    assert reached == {"a1": "X", "a13": "X", "m1": "o", "m5": "o", "l4": "O"}


# "If Dark moves from a1-e1, he may place a piece at a1 (the intersection he just vacated) or at
# g1." Ruling: that can only mean both, with d2 and e3 occupied.


def test_a1_e1_beside_d2_and_e3_places_on_a1_and_g1() -> None:
    state = at("D2 E3", "A1", mover=DARK)
    assert legal(state, "a1-e1") == ["a1-e1:a1,g1"]


def test_there_may_be_more_than_one_way_to_form_a_triangle() -> None:
    assert legal(at("D2", "A1", mover=DARK), "a1-e1") == ["a1-e1:a1", "a1-e1:e3"]
    assert legal(at("E3", "A1", mover=DARK), "a1-e1") == ["a1-e1:d2", "a1-e1:g1"]


# "You must place a piece for each occupied neighbor. For example, Dark may move from a13-c11 and
# place pieces at d10 and a13."


def test_a13_c11_beside_b10_and_d12_places_on_d10_and_a13() -> None:
    state = at("M1 B10 D12", "A13", mover=DARK)
    assert "a13-c11:a13,d10" in legal(state, "a13-c11")
    assert after(state, "a13-c11:d10,a13") == after(state, "a13-c11:a13,d10")


# The same sentence: even if one point would have formed a triangle with more than one of them.


def test_one_placement_answers_one_neighbour_only() -> None:
    # At g4 both e5 and f3 are neighbours, so two points are filled.
    state = at("E5 F3", "G1", mover=DARK)
    assert legal(state, "g1-g4") == ["g1-g4:g1,g5"]
    # Three neighbours with two third points between them cannot all be answered.
    assert legal(at("E1 C3 A5", "E3", mover=DARK), "e3-a1") == []
    assert legal(at("E1 A5", "E3", mover=DARK), "e3-a1") == ["e3-a1:b4,d2"]


# "If there is not room to add the required number of pieces, the move is illegal. For example
# Light cannot move from m13-k11 since there would be no way to form a triangle with j10."


def test_a_slide_is_illegal_if_a_neighbour_cannot_be_answered() -> None:
    assert legal(at("M13 L10", "J10 J12", mover=LIGHT), "m13-k11") == []
    assert legal(at("M13 L10", "J12", mover=LIGHT), "m13-k11") != []


# "The piece you moved and any pieces of yours which you moved adjacent to are aged." "If an aged
# piece undergoes aging a second time, it is returned to your supply." "In a1-d3:b4,e5 [a1-d4] the
# moved piece would be aged to x and the piece at c5 would be removed. The newly placed pieces are
# entered as fresh pieces X and the opponent's piece at e3 is unaffected."


@each("opponent", ["E3", "e3"])
def test_placing_ages_the_mover_and_its_own_neighbours_but_not_the_opponents(
    opponent: str,
) -> None:
    state = at(f"M1 {opponent}", "A1 c5", mover=DARK)
    reached = after(state, "a1-d4:b4,e5")
    sign = "O" if opponent == "E3" else "o"
    assert standing(reached) == {"m1": "O", "e3": sign, "d4": "x", "b4": "X", "e5": "X"}
    assert reached.supply(DARK) == state.supply(DARK) - 1


def test_an_aged_piece_that_moves_beside_another_leaves_after_placing() -> None:
    reached = after(at("E3", "a1 A13", mover=DARK), "a1-e1:g1")
    assert standing(reached) == {"e3": "O", "a13": "X", "g1": "X"}


def test_new_pieces_are_not_aged_by_the_turn_that_places_them() -> None:
    # e5 and b4 are next to d4, but they came after the move.
    reached = standing(after(at("E3 C5", "A1", mover=DARK), "a1-d4:b4,e5"))
    assert (reached["b4"], reached["e5"]) == ("X", "X")


# "Aging occurs strictly after placement, so a piece cannot be placed on an intersection which
# will be vacated by aging. Aging is not taken into account when determining if a move is legal."


def test_a_point_that_ageing_will_free_cannot_be_filled() -> None:
    # d2 will leave, and would be a third point for e3; only a1 and g1 remain.
    state = at("E3", "A1 d2", mover=DARK)
    assert legal(state, "a1-e1") == ["a1-e1:a1,g1"]
    assert standing(after(state, "a1-e1:a1,g1")) == {"e3": "O", "a1": "X", "g1": "X", "e1": "x"}


def test_a_slide_stays_illegal_though_ageing_would_make_room() -> None:
    # j12 and l10 are aged pieces of Light and would be free for j10's triangle afterwards.
    assert legal(at("M13 l10 j12", "J10", mover=LIGHT), "m13-k11") == []


# Ruling: the point just left is free, and the piece that moved is no neighbour of itself.


def test_the_point_just_left_is_free_and_no_neighbour() -> None:
    assert legal(at("M13", "A1", mover=LIGHT), "m13-l10") == ["m13-l10"]
    assert "a1-e1:a1" in legal(at("D2", "A1", mover=DARK), "a1-e1")


# "The game ends if your turn ends (i.e., including aging) with all sixteen of your pieces on the
# board." "Normally you may run out of pieces to place."


def fifteen(d2: str, *, exact: bool = False) -> State:
    """Return a position where Dark may slide a1-e1 beside e3 and d2, with one piece left."""
    light, dark = ("M1 E3 D2", FIFTEEN) if d2 == "O" else ("M1 E3", FIFTEEN.replace("D10", "d2"))
    return at(light, dark, mover=DARK, exact=exact)


def test_sixteen_on_the_board_win_and_too_few_left_are_enough() -> None:
    state = fifteen("O")
    assert legal(state, "a1-e1") == ["a1-e1:a1", "a1-e1:g1"]
    reached = after(state, "a1-e1:g1")
    assert reached.supply(DARK) == 0
    assert game.result(reached) == Result((DARK,), "all_16")
    assert game.to_move(reached) == ()
    assert not legal(reached)


def test_sixteen_that_ageing_brings_down_do_not_win() -> None:
    reached = after(fifteen("x"), "a1-e1:g1")
    assert reached.supply(DARK) == 1
    assert game.result(reached) is None


# "If you play with the exact option you must use your markers up by exact count."


def test_with_exact_a_slide_beside_more_than_one_has_left_is_illegal() -> None:
    assert legal(fifteen("O", exact=True), "a1-e1") == []
    assert legal(at("M1 E3", FIFTEEN, mover=DARK, exact=True), "a1-e1") == [
        "a1-e1:d2",
        "a1-e1:g1",
    ]


# "If none of your pieces has a legal move, you lose." Ruling: no passing, no repetition rule.


def test_a_side_that_cannot_move_has_lost() -> None:
    light = "E1 D2 C3 A5 I5"
    assert legal(at(light, "A1", mover=DARK))
    reached = after(at(light, "A1", mover=LIGHT), "i5-c5:b4")
    assert game.result(reached) == Result((LIGHT,), "no_move")
    assert game.to_move(reached) == ()
    assert not legal(reached)


def test_positions_may_come_back_without_end() -> None:
    state = begin()
    for _ in range(10):
        state = after(state, "m13-j7", "a13-d7", "j7-m13", "d7-a13")
    assert game.result(state) is None
    assert standing(state) == standing(begin())


# Option noborder: no slide along the four outer edges, and nothing else is different.


def test_with_noborder_no_piece_slides_along_an_outer_edge() -> None:
    slides = {turn.split(":")[0] for turn in legal(begin(noborder="yes"))}
    assert not slides & {"m13-m9", "m13-m7", "m13-m5", "m13-i13", "m13-g13", "m13-e13"}
    assert {"m13-j7", "m13-g1", "m13-a7"} <= slides


def test_with_noborder_the_edges_still_make_neighbours() -> None:
    state = at("L10 M13", "A1", mover=LIGHT, noborder=True)
    assert legal(state, "l10-m9") == ["l10-m9:l10"]


def test_legal_turns_are_in_the_order_of_letters_and_numbers() -> None:
    turns = legal(at("C5 E3", "A1", mover=DARK))
    assert turns.index("a1-d4:b4,d2") < turns.index("a1-d4:b4,e5") < turns.index("a1-d4:d2,e5")
    starts = [turn.split("-")[1].split(":")[0] for turn in turns]
    assert starts == sorted(starts, key=column_and_row)
    assert starts.index("b4") < starts.index("d2")
