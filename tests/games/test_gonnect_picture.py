"""Gonnect's board as it is drawn and marked, and as it is stored."""

import json
import random

from games.gonnect import game
from games.gonnect.board import board_of
from pbm.engine import MarkKind, Viewer, decode, encode
from tests.games.gonnect_boards import after, at, rows, start
from tests.tables import each

# The rule text, Figure 1 -- Empty Gonnect Board.
FIGURE_1 = """\
          A B C D E F G H J K L M N
      13  . . . . . . . . . . . . .  13
      12  . . . . . . . . . . . . .  12
      11  . . . . . . . . . . . . .  11
      10  . . . . . . . . . . . . .  10
       9  . . . . . . . . . . . . .   9
       8  . . . . . . . . . . . . .   8
       7  . . . . . . . . . . . . .   7
       6  . . . . . . . . . . . . .   6
       5  . . . . . . . . . . . . .   5
       4  . . . . . . . . . . . . .   4
       3  . . . . . . . . . . . . .   3
       2  . . . . . . . . . . . . .   2
       1  . . . . . . . . . . . . .   1
          A B C D E F G H J K L M N
"""


def test_the_empty_board_is_figure_1_to_the_character() -> None:
    assert rows(start()) == FIGURE_1.splitlines()


@each("size", range(5, 20))
def test_every_size_is_drawn_in_the_same_form(size: int) -> None:
    header, *middle, footer = rows(start(size=str(size)))
    assert header == footer == " " * 10 + " ".join("ABCDEFGHJKLMNOPQRST"[:size])
    dots = " ".join("." * size)
    assert middle == [f"      {row:>2}  {dots}  {row:>2}" for row in range(size, 0, -1)]


def test_the_last_move_stands_in_parentheses() -> None:
    drawn = rows(after(start(), "C4"))
    assert drawn[10] == "       4  . .(x). . . . . . . . . .   4"
    drawn = rows(after(start(), "C4 N13"))
    assert drawn[1] == "      13  . . . . . . . . . . . .(o) 13"
    assert drawn[10] == "       4  . . x . . . . . . . . . .   4"


def test_a_winning_chain_stands_in_brackets() -> None:
    drawn = rows(after(start(size="5"), "A3 A1 B3 B1 C3 C1 D3 D1 E3"))
    assert drawn[3] == "       3 [x x x x x]  3"


def marked(moves: str, kind: MarkKind) -> list[str]:
    marks = game.diagram(after(start(size="5"), moves), Viewer()).marks
    return [mark.at for mark in marks if mark.kind is kind]


def test_the_last_stone_and_what_it_took_are_marked_and_nothing_older() -> None:
    before = "B1 A1 B2 A2 C4 C5"
    assert marked(before, MarkKind.LAST) == ["C5"]
    assert marked(before, MarkKind.CAPTURED) == []
    two = f"{before} A3"
    assert marked(two, MarkKind.CAPTURED) == ["A2", "A1"]
    assert marked(two, MarkKind.LAST) == ["A3"]
    assert marked(f"{two} E5", MarkKind.CAPTURED) == []


def test_the_whole_winning_chain_is_marked_and_no_stone_beside_it() -> None:
    moves = "A3 A1 B3 B1 C3 C1 D3 D1 E5 E1"
    assert marked(moves, MarkKind.WINNING) == ["A1", "B1", "C1", "D1", "E1"]
    assert marked(moves, MarkKind.LAST) == ["E1"]
    moves = "A3 A1 B3 B1 C3 C1 D3 D1 C4 B5 E3"
    assert marked(moves, MarkKind.WINNING) == ["C4", "A3", "B3", "C3", "D3", "E3"]


def test_pieces_belong_to_their_seats() -> None:
    pieces = game.diagram(after(start(), "C4 N13"), Viewer()).pieces
    assert {(p.at, p.symbol, p.seat) for p in pieces} == {("C4", "x", 0), ("N13", "o", 1)}


def test_a_stored_state_stays_small_in_a_long_match() -> None:
    chance = random.Random(7)
    state = start(size="19", ko="superko")
    while state.result is None and len(state.history) <= 300:
        state = game.play(
            state, state.mover, chance.choice([*game.legal_moves(state, state.mover)])
        )
    assert len(state.history) > 300
    text = encode(game, state)
    assert len(text) < 4000
    assert decode(game, text) == state


def test_a_finished_match_is_stored_with_its_result() -> None:
    over = after(start(size="5"), "A3 A1 B3 B1 C3 C1 D3 D1 E3")
    assert game.result(decode(game, encode(game, over))) == over.result
    assert over.result is not None


def test_the_form_of_a_stored_state_stays_what_it_is() -> None:
    """Matches on disk hold these values, so a change to them needs a new rules_version."""
    state = after(start(size="5"), "A1 A2 C3 B1")
    assert json.loads(encode(game, state)) == {
        "size": 5,
        "superko": False,
        "stones": ["8000", "810"],
        "last": "B1",
        "taken": "20",
        "ko": "0",
        "history": "AAAAAAAAAABueJ5qobll9HVBFwDwERFvM+jqrLCuESfZezCStoXm+Q==",
        "result": None,
    }


def test_equal_boards_have_equal_hashes_whatever_the_order_of_moves() -> None:
    one, other = after(start(), "A1 B2 C3 D4"), after(start(), "C3 D4 A1 B2")
    assert one.history[-1] == other.history[-1]
    assert one.history[-1] != after(start(), "D4 C3 B2 A1").history[-1]


def test_no_two_stones_share_a_key() -> None:
    board = board_of(19)
    keys = [key for of_seat in board.keys for key in of_seat.values()]
    assert len(keys) == len(set(keys)) == 722
    assert all(0 < key < 2**64 for key in keys)


def test_a_drawn_position_has_the_hash_of_the_played_one() -> None:
    state = at("""
        . . . . .
        . . . o .
        . . x . .
        . o . . .
        x . . . .
    """)
    assert state.history[-1] == after(start(size="5"), "A1 B2 C3 D4").history[-1]
