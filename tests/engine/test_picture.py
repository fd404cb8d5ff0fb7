"""Boards as text: grids, plates, and the marks beside a point."""

from pathlib import Path
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from pbm.engine import Diagram, Mark, MarkKind, Piece, Plate, Point, draw, grid_points
from tests.readings import answers, sections

LAST, WINNING, CAPTURED = MarkKind.LAST, MarkKind.WINNING, MarkKind.CAPTURED


def row(symbols: str, **marks: MarkKind) -> str:
    """Draw a board of one row and return that row between its labels."""
    columns = tuple("abcdefgh"[: len(symbols)])
    pieces = tuple(Piece(f"{x}1", s, 0) for x, s in zip(columns, symbols, strict=True) if s != ".")
    marked = tuple(Mark(f"{x}1", kind) for x, kind in marks.items())
    diagram = Diagram(columns, ("1",), grid_points(columns, ("1",)), pieces, marks=marked)
    return draw(diagram).split("\n")[1][9:-3]


def plate(symbols: str, marks: dict[str, MarkKind], rows: tuple[str, ...] = ("*-*-* *",)) -> str:
    """Set pieces into a plate whose points a, b, c, ... stand at every other column."""
    names = "abcd"[: len(symbols)]
    places = {name: (0, 2 * x) for x, name in enumerate(names)}
    points = tuple(Point(name, x, 0) for x, name in enumerate(names))
    pieces = tuple(Piece(n, s, 0) for n, s in zip(names, symbols, strict=True) if s != "*")
    marked = tuple(Mark(name, kind) for name, kind in marks.items())
    return draw(Diagram((), (), points, pieces, marks=marked, empty="*", plate=Plate(rows, places)))


def test_a_grid_has_its_labels_on_four_sides_and_no_trailing_blanks() -> None:
    columns, rows = tuple("abc"), ("10", "9")
    diagram = Diagram(
        columns,
        rows,
        grid_points(columns, rows),
        (Piece("b10", "x", 0), Piece("c9", "o", 1)),
        above=("In hand: 3  ",),
        below=("Best: 7",),
    )
    assert draw(diagram) == (
        "In hand: 3\n"
        "          a b c\n"
        "      10  . x .  10\n"
        "       9  . . o   9\n"
        "          a b c\n"
        "Best: 7"
    )


def test_the_empty_sign_is_the_games_own_and_a_hole_in_the_grid_stays_blank() -> None:
    diagram = Diagram(tuple("ab"), ("1",), (Point("b1", 1, 0),), empty="+")
    assert draw(diagram).split("\n")[1] == "       1    +   1"


def marked(words: str) -> dict[str, MarkKind]:
    """Return marks as in pictures.txt, such as `a=last b=winning`."""
    pairs = [word.split("=") for word in words.split() if "=" in word]
    return {at: MarkKind(kind) for at, kind in pairs}


def test_marks_stand_in_the_gaps_between_points() -> None:
    tables = sections(Path(__file__).with_name("pictures.txt"))
    grid, on_plate = tables["of a grid"], tables["of a plate"]
    assert answers(grid, lambda words: row("xox.", **marked(words)).rstrip()) == grid
    assert answers(on_plate, lambda words: plate("xox*", marked(words))) == on_plate


def test_marks_never_cover_a_neighbouring_point() -> None:
    names = {"a": (0, 0), "b": (0, 1)}
    points = (Point("a", 0, 0), Point("b", 1, 0))
    diagram = Diagram(
        (), (), points, (Piece("a", "x", 0), Piece("b", "o", 1)),
        marks=(Mark("a", LAST),), plate=Plate(("**  ",), names),
    )  # fmt: skip
    assert draw(diagram) == "xo"


def test_the_pieces_of_a_plate_stand_between_what_is_above_and_below() -> None:
    diagram = Diagram(
        (), (), (Point("a", 0, 0),), (), above=("top",), below=("end",), empty="o",
        plate=Plate((" +-+ ", " |*| "), {"a": (1, 2)}),
    )  # fmt: skip
    assert draw(diagram) == dedent(
        """\
        top
         +-+
         |o|
        end"""
    )


def test_where_marks_meet_the_last_one_named_is_drawn() -> None:
    columns = tuple("ab")
    diagram = Diagram(
        columns, ("1",), grid_points(columns, ("1",)),
        marks=(Mark("a1", LAST), Mark("a1", WINNING)),
    )  # fmt: skip
    assert "[.]." in draw(diagram)


def test_the_widest_grid_of_a_game_fits_a_mail() -> None:
    columns = tuple("abcdefghijklmnopqrs")
    rows = tuple(str(n) for n in range(19, 0, -1))
    lines = draw(Diagram(columns, rows, grid_points(columns, rows))).split("\n")
    assert max(map(len, lines)) == 6 + 2 + 2 + 2 * 19 + 1 + 2


BRACKETS = {LAST: "()", WINNING: "[]"}


def slowly_drawn(diagram: Diagram) -> str:
    """Return the picture of a grid, put together row by row."""
    names = {(point.row, point.column): point.name for point in diagram.points}
    pieces = {piece.at: piece.symbol for piece in diagram.pieces}
    kinds = {mark.at: mark.kind for mark in diagram.marks}
    width = max(2, *map(len, diagram.rows))
    lines = [f"      {'':{width}}  {' '.join(diagram.columns)}"]
    for y, label in enumerate(diagram.rows):
        at = [names.get((y, x)) for x in range(len(diagram.columns))]
        pairs = [BRACKETS.get(kinds.get(name or "", CAPTURED)) for name in at]
        cells = gap(None, pairs[0])
        for name, pair, after in zip(at, pairs, (*pairs[1:], None), strict=True):
            cells += pieces.get(name, diagram.empty) if name else " "
            cells += gap(pair, after)
        lines.append(f"      {label:>{width}} {cells} {label:>{width}}")
    whole = [*diagram.above, *lines, lines[0], *diagram.below]
    return "\n".join(line.rstrip() for line in whole)


def gap(before: str | None, after: str | None) -> str:
    """Return what stands between two points with these pairs of brackets."""
    if before and after:
        return " " if before == after else "|"
    return before[1] if before else after[0] if after else " "


@st.composite
def grids(draw_from: st.DrawFn) -> Diagram:
    columns = draw_from(st.lists(st.sampled_from(("A", "B", "")), min_size=1, max_size=4))
    rows = draw_from(st.lists(st.sampled_from(("1", "22", "333", "")), min_size=1, max_size=3))
    cells = [Point(f"p{x}{y}", x, y) for y in range(len(rows)) for x in range(len(columns))]
    points = tuple(draw_from(st.lists(st.sampled_from(cells), unique=True)))
    some = st.lists(st.sampled_from(points), unique=True) if points else st.just([])
    signs, kinds = st.sampled_from("xo "), st.sampled_from(MarkKind)
    return Diagram(
        tuple(columns),
        tuple(rows),
        points,
        tuple(Piece(point.name, draw_from(signs), 0) for point in draw_from(some)),
        marks=tuple(Mark(point.name, draw_from(kinds)) for point in draw_from(some)),
        above=draw_from(st.sampled_from(((), ("in hand  ",)))),
        empty=draw_from(st.sampled_from(".+ ")),
    )


@given(grids())
def test_a_grid_is_drawn_from_its_frame_as_it_is_row_by_row(diagram: Diagram) -> None:
    assert draw(diagram) == draw(diagram) == slowly_drawn(diagram)


def test_games_with_the_same_labels_have_frames_of_their_own() -> None:
    columns, rows = ("a", "b"), ("1",)
    whole = Diagram(columns, rows, grid_points(columns, rows))
    holed = Diagram(columns, rows, grid_points(("a",), rows))
    crosses = Diagram(columns, rows, whole.points, empty="+")
    drawn = [draw(diagram).split("\n")[1].strip() for diagram in (whole, holed, crosses, whole)]
    assert drawn == ["1  . .   1", "1  .     1", "1  + +   1", "1  . .   1"]
