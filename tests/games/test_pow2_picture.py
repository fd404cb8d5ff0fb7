"""The boards of The Power of Two as text and as data."""

import re
from textwrap import dedent

from games.pow2 import game
from games.pow2.board import NEIGHBOURS, POINTS
from games.pow2.picture import PLATES
from games.pow2.position import State
from pbm.engine import MarkKind, Viewer, bits, draw
from tests.games.pow2_boards import DARK, LIGHT, after, at, begin, legal
from tests.tables import each

WON = "A1 I13 M7 M9 K9 I9 J10 I11 G13 E13 E11 C9 A7 A9 D10"


def small(state: State) -> str:
    return draw(game.diagram(state, Viewer(None, "small")))


def test_the_small_board_looks_like_the_original_servers_page() -> None:
    assert dedent(small(begin())) == dedent(
        """\
            Light  O fresh, o aged; 14 of 16 in supply
            Dark   X fresh, x aged; 14 of 16 in supply
            Empty  *

            a b c d e f g h i j k l m
         1  X - - - * - * - * - - - O   1
         2  |     * |   |   | *     |   2
         3  |   *   * * | * *   *   |   3
         4  | *   * |   *   | *   * |   4
         5  * - * - * - * - * - * - *   5
         6  |   *   | *   * |   *   |   6
         7  * - - * *  PoT  * * - - *   7
         8  |   *   | *   * |   *   |   8
         9  * - * - * - * - * - * - *   9
        10  | *   * |   *   | *   * |  10
        11  |   *   * * | * *   *   |  11
        12  |     * |   |   | *     |  12
        13  X - - - * - * - * - - - O  13
            a b c d e f g h i j k l m

            Slide a piece along a line to an empty point, like m13-j7.
            Every piece that it meets calls for a new one of yours, on a
            point next to both: m13-m5:l4. Then it and your own that it met
            age: fresh ones turn aged, aged ones go back to the supply.
            You win when all 16 of your pieces are on the board."""
    )


def test_nothing_is_left_to_explain_once_the_game_is_over() -> None:
    over = after(at("M1 E3 D2", WON, mover=DARK), "a1-e1:g1")
    assert small(over).split("\n")[-1].split() == list("abcdefghijklm")


def test_the_large_board_draws_every_line() -> None:
    plate = PLATES["large"]
    for point, neighbours in enumerate(NEIGHBOURS):
        for other in bits(neighbours):
            here, there = plate.places[POINTS[point]], plate.places[POINTS[other]]
            assert sign_between(here, there) in signs_along(plate.rows, here, there), (
                f"{POINTS[point]}-{POINTS[other]}"
            )


Place = tuple[int, int]


def sign_between(here: Place, there: Place) -> str:
    """Return the sign for a straight line between two places, each (row, column)."""
    rows, columns = there[0] - here[0], there[1] - here[1]
    if abs(rows) < 2:
        return "-"
    if columns == 0:
        return "|"
    return "\\" if rows * columns > 0 else "/"


def signs_along(rows: tuple[str, ...], here: Place, there: Place) -> str:
    """Return what is drawn near the straight line between two places, without its ends."""
    steps = max(abs(there[0] - here[0]), abs(there[1] - here[1]))
    found = ""
    for step in range(1, steps):
        row = here[0] + (there[0] - here[0]) * step / steps
        column = here[1] + (there[1] - here[1]) * step / steps
        found += rows[round(row)][round(column)]
    return found


@each("style", ["small", "large"])
def test_the_columns_and_rows_are_labelled_on_both_sides(style: str) -> None:
    plate = PLATES[style]
    assert plate.rows[0] == plate.rows[-1]
    for name, (row, column) in plate.places.items():
        assert plate.rows[0][column] == name[0]
        assert plate.rows[row].split()[0] == plate.rows[row].split()[-1] == name[1:]
        assert plate.rows[row][column] in "* "


@each("style", ["default", "blue"])
def test_any_other_style_is_the_large_board(style: str) -> None:
    assert game.diagram(begin(), Viewer(LIGHT, style)) == game.diagram(
        begin(), Viewer(None, "large")
    )


@each(("style", "rows", "width"), [("small", 15, 35), ("large", 33, 71)])
def test_a_board_has_one_width_in_every_position(style: str, rows: int, width: int) -> None:
    state = begin()
    widths = set()
    for ply in range(40):
        picture = draw(game.diagram(state, Viewer(None, style)))
        widths.add(max(map(len, picture.split("\n")[3 : 3 + rows])))
        if state.ended:
            break
        turns = legal(state)
        state = game.play(state, state.seat, turns[(7 * ply) % len(turns)])
    assert widths == {width}


def test_fresh_pieces_are_capital_and_aged_ones_small() -> None:
    rows = small(after(begin(), "m13-m5:l4", "a1-c5")).split("\n")
    assert rows[0].strip() == "Light  O fresh, o aged; 13 of 16 in supply"
    assert rows[1].strip() == "Dark   X fresh, x aged; 14 of 16 in supply"
    assert rows[5].endswith("o   1")
    assert "O" in rows[8]
    assert "X" in rows[9]


def marked(state: State, kind: MarkKind) -> set[str]:
    return {m.at for m in game.diagram(state, Viewer()).marks if m.kind == kind}


def test_the_last_turn_and_what_it_took_away_are_marked() -> None:
    state = after(at("M1 E3", "A1 c5", mover=DARK), "a1-d4:b4,e5")
    assert marked(state, MarkKind.LAST) == {"a1", "d4", "b4", "e5"}
    assert marked(state, MarkKind.CAPTURED) == {"c5"}
    assert " 1 (*)-" in small(state)
    assert " 4  |(X) (x)|" in small(state)


@each("style", ["small", "large"])
def test_no_mark_touches_the_number_of_its_row(style: str) -> None:
    outermost = "A1 A5 A7 A9 A13 M5 M7 M9 M13 K9 I9 J10 I11 E11 C9"
    state = after(at("M1 E3 D2", outermost, mover=DARK), "a1-e1:g1")
    picture = draw(game.diagram(state, Viewer(None, style)))
    assert picture.count("[X]") + picture.count("[x]") == 16
    assert not re.search(r"\d[(\[]|[)\]]\d", picture)


def test_the_sixteen_that_won_are_marked() -> None:
    state = after(at("M1 E3 D2", WON, mover=DARK), "a1-e1:g1")
    winning = marked(state, MarkKind.WINNING)
    assert len(winning) == 16
    assert {"e1", "g1", "d10"} <= winning


def test_the_pieces_that_are_shut_in_are_marked() -> None:
    state = after(at("E1 D2 C3 A5 I5", "A1", mover=LIGHT), "i5-c5:b4")
    assert marked(state, MarkKind.WINNING) == {"a1"}


def test_a_piece_is_drawn_for_its_seat_and_every_line_is_given() -> None:
    diagram = game.diagram(begin(), Viewer())
    assert {(p.at, p.symbol, p.seat) for p in diagram.pieces} == {
        ("m1", "O", LIGHT),
        ("m13", "O", LIGHT),
        ("a1", "X", DARK),
        ("a13", "X", DARK),
    }
    assert len(diagram.lines) == 44
