"""Every sentence of OLIX, and every ruling on it, as a position."""

from games.olix import game
from games.olix.patterns import CELL, best_values, can_raise, points
from games.olix.positions import State, empty, stones_left
from pbm.engine import Mark, MarkKind, Result, Viewer, draw
from tests.tables import each

START = game.start(game.info.setup())


def bits(cells: str) -> int:
    return sum(1 << CELL[name] for name in cells.split())


def values(cells: str) -> dict[str, int]:
    return dict(zip("OLIX", best_values(bits(cells)), strict=True))


def at(black: str, white: str = "", turn: int = 0) -> State:
    stones = bits(black), bits(white)
    return State(stones, (best_values(stones[0]), best_values(stones[1])), turn)


def after(state: State, *moves: str) -> State:
    for move in moves:
        assert move in list(game.legal_moves(state, state.turn))
        state = game.play(state, state.turn, move)
    return state


# Rule text, first sentence, and the first line of the turns.


def test_the_board_is_empty_and_each_player_has_fifty_stones() -> None:
    assert empty(START).bit_count() == 121
    assert (stones_left(START, 0), stones_left(START, 1)) == (50, 50)


def test_black_begins_and_players_alternate() -> None:
    assert game.to_move(START) == (0,)
    assert game.to_move(after(START, "f6")) == (1,)
    assert game.to_move(after(START, "f6", "f7")) == (0,)


def test_a_stone_goes_on_any_empty_cell_and_count_is_always_open() -> None:
    moves = list(game.legal_moves(after(START, "f6", "a1"), 0))
    assert moves == [name for name in CELL if name not in {"f6", "a1"}] + ["count"]


# Rule text, pattern O: two by two or larger, hollow or filled with either colour.


def test_the_smallest_o_has_four_stones() -> None:
    assert values("b2 c2 b3 c3")["O"] == 4
    assert values("b2 c2 b3")["O"] == 0


def test_an_o_is_worth_its_border_and_the_own_stones_within() -> None:
    border = "b2 c2 d2 b3 d3 b4 c4 d4"
    assert values(border)["O"] == 8
    assert values(f"{border} c3")["O"] == 9


def test_an_opponents_stone_within_an_o_neither_helps_nor_hurts() -> None:
    state = at("b2 c2 d2 b3 d3 b4 c4", "c3")
    assert after(state, "d4").values[0][0] == 8


def test_an_o_with_a_gap_in_its_border_is_none() -> None:
    assert values("b2 c2 d2 b3 c3 d3 b4 c4 e4")["O"] == 6  # the two lower rows
    assert values("b2 c2 d2 b3 d3 b4 c4")["O"] == 0


# Rule text, pattern L: at least three stones on each leg, no diagonals, and its examples.


def test_an_l_of_five_and_an_l_of_six_as_in_the_examples() -> None:
    assert values("b2 b3 b4 c2 d2")["L"] == 5
    # Two more stones beyond the corner are no part of the structure.
    assert values("d4 d5 d6 d7 c4 b4 e4 f4")["L"] == 6
    # It could grow to the right.
    assert values("d4 d5 d6 d7 c4 b4 e4 f4 g4 h4")["L"] == 8


def test_a_leg_of_two_makes_no_l() -> None:
    assert values("b2 b3 b4 b5 c2")["L"] == 0


def test_diagonal_legs_make_no_l() -> None:
    assert values("c3 d4 e5 b4 a5")["L"] == 0


@each("cells", ["f6 g6 h6 f7 f8", "f6 e6 d6 f7 f8", "f6 g6 h6 f5 f4", "f6 e6 d6 f5 f4"])
def test_an_l_may_point_anywhere(cells: str) -> None:
    assert values(cells)["L"] == 5


# Rule text, patterns I and X: four stones or more.


def test_an_i_is_a_row_or_column_of_four_or_more() -> None:
    assert values("b2 b3 b4")["I"] == 0
    assert values("b2 b3 b4 b5")["I"] == 4
    assert values("b2 c2 d2 e2 f2")["I"] == 5


def test_an_x_is_a_straight_diagonal_of_four_or_more() -> None:
    assert values("b2 c3 d4")["X"] == 0
    assert values("b2 c3 d4 e5")["X"] == 4
    assert values("b5 c4 d3 e2 f1")["X"] == 5
    assert values("b2 c3 d4 e3 f2")["X"] == 0


def test_nothing_runs_on_from_one_column_to_the_next() -> None:
    assert values("a9 a10 a11 b1 b2") == {"O": 0, "L": 0, "I": 0, "X": 0}
    assert values("h11 i1 j2 k3")["X"] == 0


# Rule text, last example: patterns share stones.


def test_a_stone_serves_an_l_of_six_and_an_i_of_four() -> None:
    assert values("b2 b3 b4 b5 c2 d2") == {"O": 0, "L": 6, "I": 4, "X": 0}


# Rule text, goal: the four ways to win at once.


@each(
    ("stones", "last", "reason"),
    [
        ("b2 c2 d2 e2 b3 e3 b4 c4 d4", "e4", "o"),
        ("b2 c2 d2 e2 f2 b3 c3 d3 e3", "f3", "o"),
        ("b2 b3 b4 b5 b6 c2 d2 e2", "f2", "l"),
        ("b2 b3 b4 b5 b6 b7 b8", "b9", "i"),
        ("a1 b1 c1 d1 f1 g1 h1", "e1", "i"),
        ("b2 c3 d4 e5 f6 g7 h8", "i9", "x"),
        ("b9 c8 d7 f5 g4 h3 i2", "e6", "x"),
    ],
)
def test_a_pattern_that_is_large_enough_wins_at_once(stones: str, last: str, reason: str) -> None:
    state = at(stones)
    assert game.result(state) is None
    won = after(state, last)
    assert game.result(won) == Result((0,), reason)
    assert game.to_move(won) == ()


@each(
    ("stones", "last"),
    [
        ("b2 c2 d2 b3 d3 b4 c4 d4", "c3"),  # an O of nine
        ("b2 b3 b4 b5 b6 c2 d2", "e2"),  # an L of eight
        ("b2 b3 b4 b5 b6 b7", "b8"),  # an I of seven
        ("b2 c3 d4 e5 f6 g7", "h8"),  # an X of seven
    ],
)
def test_one_stone_less_does_not_win(stones: str, last: str) -> None:
    assert game.result(after(at(stones), last)) is None


def test_white_wins_in_the_same_way() -> None:
    state = at("a1", "b2 b3 b4 b5 b6 b7 b8", turn=1)
    assert game.result(after(state, "b9")) == Result((1,), "i")


# Rule text, counting, and the ruling on it: the larger of each pattern, for both if equal.


def test_the_count_of_thirteen_to_twelve() -> None:
    # The figure is lost. In this position Black has an O of 8 and an X of 5, as the text says.
    black = "b2 c2 d2 b3 d3 b4 c4 d4 f6 g7 h8 i9 j10"
    white = "k1 j1 i1 h1 g1 k2 k3"
    state = after(at(black, white), "count", "count")
    assert game.result(state) == Result((0,), "agreed", (13, 12))


def test_the_smaller_of_a_pattern_does_not_count_and_equal_ones_count_for_both() -> None:
    assert points(((8, 5, 0, 5), (0, 7, 5, 0))) == (13, 12)
    assert points(((0, 0, 4, 0), (0, 0, 4, 0))) == (4, 4)


def test_equal_points_are_a_draw() -> None:
    state = at("b2 b3 b4 b5", "h2 h3 h4 h5")
    assert game.result(after(state, "count", "count")) == Result((), "equal", (4, 4))


# Ruling: to agree to count, each player spends a move.


def test_count_is_an_offer_that_the_opponent_may_leave_alone() -> None:
    state = after(START, "f6", "count", "f7")
    assert game.result(state) is None
    assert game.to_move(state) == (1,)
    # The offer is gone: the next count is a new offer.
    assert game.result(after(state, "count")) is None


def test_a_player_without_stones_in_hand_can_only_count() -> None:
    spread = [name for name in CELL if (CELL[name] + CELL[name] // 12) % 2 == 0]
    state = at(" ".join(spread[:50]), " ".join(spread[50:55]))
    assert stones_left(state, 0) == 0
    assert list(game.legal_moves(state, 0)) == ["count"]


# Rule text, counting after a stalemate, and the ruling on when that happens.


def test_a_value_can_be_raised_only_with_enough_stones() -> None:
    own, free = bits("b2 b3 b4 b5"), bits("b7 b8")
    best = best_values(own)
    assert not can_raise(own, free, best, 50)  # b6 is missing, and not empty
    free |= bits("b6")
    assert can_raise(own, free, best, 1)
    assert not can_raise(own, free, best, 0)


def test_a_pattern_that_needs_more_stones_than_are_left_is_out_of_reach() -> None:
    own, free = bits("a1 a2"), bits("a3 a4")
    assert can_raise(own, free, best_values(own), 2)
    assert not can_raise(own, free, best_values(own), 1)


def test_a_stone_within_an_o_raises_it() -> None:
    own, free = bits("b2 c2 d2 b3 d3 b4 c4 d4"), bits("c3")
    assert can_raise(own, free, best_values(own), 1)


def test_stones_that_are_left_after_the_border_may_fill_an_o() -> None:
    # Beside an O of eight lies a border that lacks two stones, i3 and i4. With them it is worth
    # eight as well, and a third stone inside it, on h3, makes nine.
    own = bits("b2 c2 d2 b3 d3 b4 c4 d4 g2 h2 i2 g3 g4 h4")
    free = bits("i3 i4 h3")
    assert not can_raise(own, free, best_values(own), 2)
    assert can_raise(own, free, best_values(own), 3)


def nearly_full(black: int, white: int, *, extra: str = "") -> State:
    """Return a board with pairs of stones in each row and no pattern except an I in a1-a5.

    Each row is shifted by two, so that one more stone makes no pattern. The right columns stay
    empty except for the `extra` stones of White. White is to move.
    """
    run = ["a1", "a2", "a3", "a4", "a5"]
    own = {name for name, cell in CELL.items() if (cell // 12 + 2 * (cell % 12)) % 4 < 2}
    blacks = run + [name for name in CELL if name in own and name not in run]
    whites = extra.split() + [name for name in CELL if name not in own and name not in run]
    return at(" ".join(blacks[:black]), " ".join(whites[:white]), turn=1)


def test_the_game_ends_when_neither_player_can_raise_a_value_any_more() -> None:
    before = nearly_full(50, 48)
    assert before.values == ((0, 0, 5, 0), (0, 0, 0, 0))
    ended = after(before, "k11")
    assert stones_left(ended, 1) == 1
    assert game.result(ended) == Result((0,), "stalemate", (5, 0))


def test_the_game_goes_on_while_one_player_can_raise_a_value() -> None:
    assert game.result(after(nearly_full(50, 48, extra="k1 k2 k3"), "k11")) is None


def test_the_game_ends_when_all_stones_are_used() -> None:
    ended = after(nearly_full(50, 49, extra="k1 k2 k3"), "k11")
    assert game.result(ended) == Result((0,), "stones_used", (5, 0))


# The picture.


def test_the_picture_shows_best_values_points_stones_and_the_last_stone() -> None:
    state = after(at("b2 b3 b4 c2", "h2 h3"), "d2")
    assert draw(game.diagram(state, Viewer())).split("\n")[7:] == [
        "       5  . . . . . . . . . . .   5",
        "       4  . x . . . . . . . . .   4",
        "       3  . x . . . . . o . . .   3",
        "       2  . x x(x). . . o . . .   2",
        "       1  . . . . . . . . . . .   1",
        "          a b c d e f g h i j k",
        "",
        "                 O  L  I  X   points   stones left",
        "      Black (x)  -  5  -  -        5            45",
        "      White (o)  -  -  -  -        0            48",
        "",
        "      The table counts the stones in the largest O (border of a",
        "      rectangle), L (angle), I (row or column) and X (diagonal).",
        "      An O of 10, L of 9, I of 8 or X of 8 wins at once. Otherwise the",
        "      most points win: for each pattern, the stones of the larger one.",
        "      White puts a stone on an empty cell, such as f6, or replies",
        "      count to offer to end the game and count the points.",
    ]


def last_words(state: State) -> str:
    """Return what the last lines below the board say, those that change."""
    return " ".join(" ".join(game.diagram(state, Viewer()).told[4:]).split())


def test_the_words_below_the_board_say_what_is_to_do() -> None:
    offered = after(game.start(game.info.setup()), "f6", "count")
    assert last_words(offered) == (
        "White offers to count the points now; Black accepts by count, "
        "or puts a stone on an empty cell and plays on."
    )
    assert "such as f5, or replies" in last_words(after(offered, "f7"))
    assert last_words(after(offered, "count")) == ""
    used = after(nearly_full(50, 48, extra="k1 k2 k3"), "k11")
    assert last_words(used) == "Black has no stone left and can only reply count."


def winning_marks(state: State) -> list[str]:
    marks = game.diagram(state, Viewer()).marks
    return [mark.at for mark in marks if mark.kind is MarkKind.WINNING]


def test_the_picture_marks_the_pattern_that_won() -> None:
    won = after(at("b2 b3 b4 b5 b6 c2 d2 e2 k9"), "f2")
    assert winning_marks(won) == ["b2", "b3", "b4", "b5", "b6", "c2", "d2", "e2", "f2"]
    assert winning_marks(at("b2 b3 b4 b5")) == []


def test_the_picture_marks_what_counts_for_either_player() -> None:
    ended = after(at("b2 b3 b4 b5 d2 e3 f4 g5", "h2 h3 h4 h5 h6"), "count", "count")
    assert winning_marks(ended) == ["d2", "e3", "f4", "g5", "h2", "h3", "h4", "h5", "h6"]


def test_the_picture_marks_no_stone_after_an_offer_to_count() -> None:
    offered = game.diagram(after(START, "f6", "count"), Viewer())
    assert Mark("f6", MarkKind.LAST) not in offered.marks
