"""The rule text of Gonnect and the rulings on it, sentence by sentence."""

import pytest

from games.gonnect import game
from pbm.engine import MoveError, Position, advance, begin, read_move
from tests.games.gonnect_boards import after, at, legal, start, taken, won
from tests.tables import each


# "On a 13x13 board". Ruling: the option size is 5-19 and the default 13.
def test_the_board_has_13_rows_unless_another_size_is_chosen() -> None:
    assert len(legal(start())) == 169
    assert [len(legal(start(size=str(n)))) for n in range(5, 20)] == [n * n for n in range(5, 20)]


# "Eks move first." "On your turn, you place a piece of your colour wherever you desire".
def test_eks_begins_and_each_turn_lays_one_own_stone_on_any_empty_point() -> None:
    state = start()
    assert game.to_move(state) == (0,)
    state = after(state, "G7")
    assert game.to_move(state) == (1,)
    state = after(state, "A1")
    board = state.board
    assert state.stones == (board.bits["G7"], board.bits["A1"])
    assert set(legal(state)) == set(board.bits) - {"G7", "A1"}


# The text: "create a connected chain of stones between any two opposite board sides (east-west ..."
def test_a_chain_from_west_to_east_wins() -> None:
    state = at("""
        . . . . .
        . . x x .
        x x x . x
        o o . o o
        . . . o .
    """)
    assert won(after(state, "E4")) == ("x", "connection")
    assert won(after(state, "B4")) is None


# The text: "... or north-south)"
def test_a_chain_from_north_to_south_wins_for_either_side() -> None:
    state = at(
        """
        x . o . .
        x . o . .
        x o o . .
        x o . . .
        . . . . x
        """,
        mover="o",
    )
    assert won(after(state, "B1")) == ("o", "connection")
    assert won(after(state, "C2 A1")) == ("x", "connection")


@each("size", range(5, 20))
def test_a_row_or_column_wins_with_its_last_stone_on_every_size(size: int) -> None:
    letters, numbers = "ABCDEFGHJKLMNOPQRST"[:size], range(1, size + 1)
    down = [f"C{number} E{number}" for number in numbers]
    across = [f"{letter}3 {letter}1" for letter in letters]
    for *pairs, last in (down, across):
        state = after(start(size=str(size)), " ".join(pairs))
        assert won(state) is None
        assert won(after(state, last.split()[0])) == ("x", "connection")


def test_two_sides_that_meet_are_not_opposite() -> None:
    state = at("""
        . . . . .
        . . . . .
        x x . . .
        . x . . .
        . . . . .
    """)
    assert won(after(state, "B1")) is None


# Ruling: corners belong to both their sides.
def test_a_corner_belongs_to_both_its_sides() -> None:
    across = at("""
        x x x x .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """)
    assert won(after(across, "E5")) == ("x", "connection")
    down = at("""
        . . . . .
        . . . . x
        . . . . x
        . . . . x
        . . . . x
    """)
    assert won(after(down, "E5")) == ("x", "connection")


# "Connections are just like Go connections, i.e., diagonal pieces are not connected."
def test_diagonal_neighbours_are_not_connected() -> None:
    state = at("""
        . . . . x
        . . . x .
        . . . . .
        . x . . .
        x . . . .
    """)
    assert won(after(state, "C3")) is None


# "In the left example, the eight 'x' stones are connected." So they are taken together.
def test_the_eight_stones_of_the_left_example_are_one_chain() -> None:
    state = at(
        """
        . . . . o .
        . . . o x o
        . . . o x o
        . o o x x o
        o x x x x o
        . o o . o .
        """,
        mover="o",
    )
    assert taken(after(state, "D1")) == ["E5", "E4", "D3", "E3", "B2", "C2", "D2", "E2"]


# "in the right example, the five 'o' stones are not connected to each other."
def test_the_five_stones_of_the_right_example_are_five_chains() -> None:
    state = at("""
        . . . . x .
        . . . x o .
        . . . o . o
        . . o . . .
        . o . . . .
        . . . . . .
    """)
    state = after(state, "F5 A6 E4")
    assert taken(state) == ["E5"]
    assert len(state.board.listed(state.stones[1])) == 5


# "The rules of Go apply": a chain without a liberty is taken. Ruling: capture comes first.
def test_a_stone_takes_every_enemy_chain_that_it_leaves_without_a_liberty() -> None:
    state = at("""
        . . x . .
        . x o x .
        x o . o x
        . x x x .
        . . . . .
    """)
    state = after(state, "C3")
    assert taken(state) == ["C4", "B3", "D3"]
    assert state.stones[1] == 0


def test_a_capture_comes_before_ones_own_liberties_are_counted() -> None:
    state = at("""
        . . . . .
        . . . . .
        x . . . .
        o x . . .
        . o x . .
    """)
    assert taken(after(state, "A1")) == ["A2", "B1"]


# Ruling: suicide (of any number of stones, even if it would connect) is illegal.
def test_suicide_of_one_stone_is_illegal() -> None:
    state = at("""
        . . . . .
        . . . . .
        . . . . .
        o . . . .
        . o . . .
    """)
    assert "A1" not in legal(state)
    assert len(legal(state)) == 22


def test_suicide_of_many_stones_is_illegal_and_a_liberty_elsewhere_saves_them() -> None:
    picture = """
        . . . . .
        o . . . .
        x o . . .
        x o . . .
        . o . . .
    """
    assert "A1" not in legal(at(picture))
    assert "A1" in legal(at(picture.replace("o . . . .", ". . . . .", 1)))


def test_suicide_is_illegal_even_if_it_would_connect() -> None:
    staircase = """
        x . . o {}
        . . o x x
        . o . x o
        o x x o .
        x x o . .
    """
    assert "C3" not in legal(at(staircase.format("o")))
    assert won(after(at(staircase.format(".")), "C3")) == ("x", "connection")


# Ruling: a win is looked for after captures.
def test_a_stone_may_take_and_connect_at_once() -> None:
    state = at("""
        . o x o .
        o x o x .
        x x . x x
        . o o o .
        . . . . .
    """)
    state = after(state, "C3")
    assert taken(state) == ["C4"]
    assert won(state) == ("x", "connection")


# "The rules of Go apply except that players cannot pass."
def test_there_is_no_passing() -> None:
    for text in ("pass", "PASS", "I pass"):
        with pytest.raises(MoveError, match="no passing in Gonnect"):
            read_move(game, start(), 0, text)


# "or his adversary has no valid move."
def test_a_side_that_leaves_the_other_without_a_legal_move_wins() -> None:
    state = after(start(size="5"), "A1 E3 C2 D4 D2 C3 D1 C5 A4 B4 C1 B2 E1 A3 B5 B1 D3")
    assert legal(state) != []
    assert won(after(state, "E5")) == ("o", "no_move")


# Ruling: a point barred by ko is no valid move.
def test_a_point_barred_by_ko_is_no_legal_move() -> None:
    moves = "A4 E5 E3 D4 A2 B3 C4 C1 E2 A5 B2 A3 D2 E1 E4 C2 D1 B4 D5 C5 B1 C3 D3 A1 C4 B2 B5 B1"
    state = after(after(start(size="5"), moves), "A4")
    assert state.board.listed(state.ko) == ["A5"]
    assert won(state) == ("x", "no_move")


# The text: "PIE rule: Ohs may choose as his 1st move, to exchange places with Eks"
def test_ohs_may_answer_the_first_stone_by_a_swap_and_is_then_to_move_again() -> None:
    position: Position[object] = begin(game, game.info.setup())
    with pytest.raises(MoveError):
        advance(game, position, 0, "swap")
    position, _ = advance(game, position, 0, "G7")
    swapped, turn = advance(game, position, 1, "Swap")
    assert turn.text == "swap"
    assert swapped.state == position.state
    assert game.to_move(swapped.state) == (1,)
    with pytest.raises(MoveError):
        advance(game, swapped, 1, "swap")
