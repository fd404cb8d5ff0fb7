"""The Power of Two: its sheet of rulings, its board, and recorded games."""

import hashlib
import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from games import pow2
from games.pow2 import game
from games.pow2.board import BORDERS, LINES, NEIGHBOURS, NUMBER, POINTS, column_and_row, point_set
from games.pow2.picture import PLATES
from games.pow2.position import SIDES, State
from pbm.engine import IncompleteMoveError, Viewer, bits, draw
from tests.games.sheets import recorded, wrong_lines


def at(words: str) -> State:
    """Return the position in the words of sheets/pow2.txt."""
    sides, *notes = words.split("; ")
    light, dark = (
        point_set(NUMBER[name.lower()] for name in side.split()) for side in sides.split("/")
    )
    aged = point_set(NUMBER[name] for name in sides.split() if name.islower())
    return State((light, dark), aged, int("dark" in notes), "exact" in notes, "noborder" in notes)


def legal(state: State) -> list[str]:
    return list(game.legal_moves(state, state.seat))


def standing(state: State) -> dict[str, str]:
    return {piece.at: piece.symbol for piece in game.diagram(state, Viewer()).pieces}


def test_every_ruling_and_refusal_is_as_the_sheet_says() -> None:
    assert wrong_lines(game, at) == ""


def test_the_board_has_64_points_44_lines_168_edges_and_104_triangles() -> None:
    edges = [pair for pair in combinations(range(64), 2) if NEIGHBOURS[pair[0]] >> pair[1] & 1]
    triangles = [
        (a, b, c)
        for a, b in edges
        for c in range(b + 1, 64)
        if NEIGHBOURS[a] & NEIGHBOURS[b] & 1 << c
    ]
    assert (len(POINTS), len(LINES), len(edges), len(triangles)) == (64, 44, 168, 104)
    data = Path(pow2.__file__).with_name("board.json")
    assert json.loads(data.read_text("utf-8"))["points"] == len(POINTS)
    pairs = [frozenset(pair) for line in LINES for pair in combinations(line, 2)]
    assert len(pairs) == len(set(pairs)), "two points share one line at most"
    assert {" ".join(POINTS[point] for point in line) for line in BORDERS} == {
        "a1 a5 a7 a9 a13",
        "m1 m5 m7 m9 m13",
        "a1 e1 g1 i1 m1",
        "a13 e13 g13 i13 m13",
    }


@pytest.mark.parametrize("quarter_turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
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


@pytest.mark.parametrize("name", ["pow2_games", "pow2_games_options"])
def test_every_ply_of_the_recorded_games_has_the_same_legal_turns_and_end(name: str) -> None:
    records = recorded(f"{name}.json.gz")["games"]
    for record in records:
        yes = {option: "yes" if record[option] else "no" for option in ("exact", "noborder")}
        state = game.start(game.info.setup(yes))
        for move, count, digest, expected in record["plies"]:
            turns = legal(state)
            assert turns == expected
            assert len(turns) == count
            assert hashlib.sha1(" ".join(turns).encode()).hexdigest()[:12] == digest
            state = game.play(state, state.seat, move)
        result = game.result(state)
        assert result
        assert [SIDES[seat].lower() for seat in result.winners] == [record["winner"]]
        assert result.reason == record["end"]
        assert standing(state) == record["final"]
    assert {record["end"] for record in records} == {"all_16", "no_move"}


def test_the_recorded_examples_have_the_same_turns_and_the_same_outcome() -> None:
    for example in recorded("pow2_examples.json")["examples"]:
        signs = example["pieces"].items()
        names = [
            " ".join(
                name.upper() if sign.isupper() else name for name, sign in signs if sign in own
            )
            for own in ("Oo", "Xx")
        ]
        notes = [example["to_move"]] + ["exact"] * example["exact"]
        state = at("; ".join([" / ".join(names), *notes]))
        start, _, target = example["query"].partition("-")
        found = [t for t in legal(state) if t.startswith(f"{start}-")]
        if target != "*":
            found = [t for t in found if t.split(":")[0] == example["query"]]
        # These lists are sorted as texts; the games' lists are in the order of notation.
        assert sorted(found) == sorted(example["legal"]), example["name"]
        if "do" in example:
            mover = state.seat
            after = game.play(state, mover, game.parse(state, mover, example["do"]))
            assert standing(after) == example["after"], example["name"]
            assert after.supply(mover) == example["supply_after"], example["name"]
            result = game.result(after)
            winner = SIDES[result.winners[0]].lower() if result else None
            assert winner == example["winner"], example["name"]


def test_every_slide_that_places_is_completed_by_its_turns() -> None:
    state = at("M1 E3 G4 H3 d4 e5 / A1 c5 I5 J4 e9; dark")
    turns = legal(state)
    for slide in {turn.partition(":")[0] for turn in turns if ":" in turn}:
        with pytest.raises(IncompleteMoveError) as refused:
            game.parse(state, 1, slide)
        assert refused.value.candidates == tuple(t for t in turns if t.startswith(f"{slide}:"))


Place = tuple[int, int]


def test_the_large_board_draws_every_line() -> None:
    plate = PLATES["large"]
    for point, neighbours in enumerate(NEIGHBOURS):
        for other in bits(neighbours):
            here, there = plate.places[POINTS[point]], plate.places[POINTS[other]]
            assert sign_between(here, there) in signs_along(plate.rows, here, there), (
                f"{POINTS[point]}-{POINTS[other]}"
            )
    assert len(game.diagram(game.start(game.info.setup()), Viewer()).lines) == 44


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


@pytest.mark.parametrize("style", ["small", "large"])
def test_columns_and_rows_are_labelled_on_both_sides_and_no_mark_touches_them(style: str) -> None:
    plate = PLATES[style]
    assert plate.rows[0] == plate.rows[-1]
    for name, (row, column) in plate.places.items():
        assert plate.rows[0][column] == name[0]
        assert plate.rows[row].split()[0] == plate.rows[row].split()[-1] == name[1:]
        assert plate.rows[row][column] in "* "
    outermost = "A1 A5 A7 A9 A13 M5 M7 M9 M13 K9 I9 J10 I11 E11 C9"
    over = game.play(at(f"M1 E3 D2 / {outermost}; dark"), 1, "a1-e1:g1")
    picture = draw(game.diagram(over, Viewer(None, style)))
    assert picture.count("[X]") + picture.count("[x]") == 16
    assert not re.search(r"\d[(\[]|[)\]]\d", picture)


@pytest.mark.parametrize(("style", "rows", "width"), [("small", 15, 35), ("large", 33, 71)])
def test_a_board_has_one_width_in_every_position(style: str, rows: int, width: int) -> None:
    state, widths = game.start(game.info.setup()), set()
    for ply in range(40):
        picture = draw(game.diagram(state, Viewer(None, style)))
        widths.add(max(map(len, picture.split("\n")[3 : 3 + rows])))
        turns = legal(state)
        state = game.play(state, state.seat, turns[(7 * ply) % len(turns)])
    assert widths == {width}


def test_any_other_style_is_the_large_board() -> None:
    start = game.start(game.info.setup())
    for style in ("default", "blue"):
        assert game.diagram(start, Viewer(0, style)) == game.diagram(start, Viewer(None, "large"))
