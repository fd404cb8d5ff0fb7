"""Facts that a game leaves out are worked out: forms, cells, hexagons, the size of stones."""

from dataclasses import replace
from itertools import count

from gallery.boards import boards
from pbm.engine import Diagram, Line, Mark, Piece, Point, Tally, TallyRow, Viewer, hexagon
from pbm.plugins import installed_games
from pbm.render.boards.plotted_picture import Edge
from pbm.render.boards.plotting import Cache, Plotter, stone_of
from tests.readings import answers
from tests.render.boards.samples import CAPTURED, LAST, WINNING, bare, cells, lines, plot

STONES = """
    x | 0 -> DARK
    x | 1 -> DARK
    o | 0 -> LIGHT
    O | 1 -> LIGHT
    K | 0 -> DARK K
    k | 1 -> LIGHT k
    k | 2 -> NEUTRAL k
    x | - -> NEUTRAL
    * | - -> NEUTRAL *
    # a stack shows its height where it cannot be seen
    o | - | 1 -> NEUTRAL
    o | - | 2 -> NEUTRAL
    o | - | 3 -> NEUTRAL 3
    o | - | 12 -> NEUTRAL 12
"""


def stone(symbol: str, seat: str, height: str = "1") -> str:
    """Return the form and the letter of a stone."""
    found = stone_of(symbol, None if seat == "-" else int(seat), int(height))
    return f"{found.form.name} {found.letter}".strip()


def test_a_stone_has_the_form_of_its_sign_or_of_its_seat() -> None:
    assert answers(STONES, stone) == STONES


def test_a_board_without_lines_is_made_of_cells() -> None:
    ground = plot(cells(2)).ground
    assert set(ground.cells) == {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert not ground.lines
    assert not ground.dots


def test_a_grid_of_lines_needs_no_dots() -> None:
    ground = plot(lines(2)).ground
    assert ground.lines == (((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 0), (0, 1)), ((1, 0), (1, 1)))
    assert not ground.cells
    assert not ground.dots


def test_points_on_a_board_that_is_no_grid_are_dots() -> None:
    grid = lines(2)
    three = replace(grid, points=grid.points[:3], lines=(Line(("a2", "b2")), Line(("a2", "a1"))))
    assert plot(three).ground.dots == ((0, 0), (1, 0), (0, 1))


def test_a_board_of_hexagons_has_upright_columns_and_labels_that_belong_to_points() -> None:
    plotted = plot(hexagon(2).diagram((), ()))
    places = {spot.name: (round(spot.x, 2), spot.y) for spot in plotted.spots}
    assert places == {
        "a1": (0, 0.5), "b1": (0.87, 0), "a2": (0, 1.5), "b2": (0.87, 1), "c2": (1.73, 0.5),
        "b3": (0.87, 2), "c3": (1.73, 1.5),
    }  # fmt: skip
    labels = [(at.text, at.edge, round(at.x, 2), at.y) for at in plotted.ground.labels]
    assert labels == [
        ("a", Edge.TOP, 0, -0.5), ("b", Edge.TOP, 0.87, -1), ("c", Edge.TOP, 1.73, -0.5),
        ("1", Edge.LEFT, -0.87, 1), ("2", Edge.LEFT, -0.87, 2), ("3", Edge.LEFT, 0, 2.5),
    ]  # fmt: skip


def test_a_point_with_a_place_is_drawn_there_but_keeps_its_cell() -> None:
    plotted = plot(bare(Point("a1", 0, 0), Point("b1", 1, 0, (1.25, 0.5))))
    spot = plotted.spots[1]
    assert (spot.x, spot.y, spot.column, spot.row) == (1.25, 0.5, 1, 0)


def test_stones_do_not_touch_where_points_are_near() -> None:
    near = (Point("a1", 0, 0, (0, 0)), Point("b1", 1, 0, (0.5, 0)))
    ground = plot(Diagram((), (), near, lines=(Line(("a1", "b1")),))).ground
    assert 0.2 < ground.radius < 0.25


def test_the_picture_holds_every_label_with_room_around_it() -> None:
    ground = plot(cells(3)).ground
    assert len(ground.labels) == 6
    for label in ground.labels:
        assert ground.left + 0.4 < label.x < ground.left + ground.width - 0.4
        assert ground.top + 0.4 < label.y < ground.top + ground.height - 0.4
    tops = [label.text for label in ground.labels if label.edge is Edge.TOP]
    assert tops == ["a", "b", "c"]


def test_all_marks_of_a_point_are_kept_each_once() -> None:
    marks = (Mark("a1", LAST), Mark("a1", WINNING), Mark("a1", LAST), Mark("b1", CAPTURED))
    spots = {spot.name: spot for spot in plot(cells(2, (Piece("a1", "x", 0),), *marks)).spots}
    assert spots["a1"].marks == (LAST, WINNING)
    assert spots["b1"].marks == (CAPTURED,)
    assert spots["a2"].marks == ()


def test_lines_of_text_lose_their_common_margin() -> None:
    diagram = replace(cells(2), above=("   In hand:", ""), below=("", "     x 3  ", "   o 2"))
    assert plot(diagram).captions == ("In hand:", "  x 3", "o 2")


def test_a_tally_stands_for_the_lines_of_text() -> None:
    tally = Tally(("in hand",), (TallyRow("Black", ("3",), "x", 0),))
    plotted = plot(replace(cells(2), below=("Black x: 3 in hand",), tally=tally))
    assert plotted.tally == tally
    assert plotted.captions == ()


def test_a_plotter_draws_as_if_it_remembered_nothing() -> None:
    plotter = Plotter(boards=2)
    for game in installed_games():
        for shown in boards(game):
            diagram = game.diagram(shown.state, Viewer())
            assert plotter.plot(diagram) == plot(diagram)


def test_the_mark_of_one_diagram_is_not_in_the_next_one() -> None:
    plotter, marked = Plotter(), cells(2, (Piece("a1", "x", 0),), Mark("a1", LAST))
    assert any(spot.marks for spot in plotter.plot(marked).spots)
    assert not any(spot.marks for spot in plotter.plot(replace(marked, marks=())).spots)


def test_a_board_without_points_can_be_plotted() -> None:
    plotted = plot(Diagram((), (), ()))
    assert plotted.spots == ()
    assert plotted.ground.width > 0


def test_a_value_is_made_once() -> None:
    numbers = count(1)
    cache: Cache[str, int] = Cache(2)
    assert [cache.get("a", lambda: next(numbers)) for _ in range(2)] == [1, 1]


def test_what_was_not_used_for_longest_goes_first() -> None:
    cache: Cache[str, int] = Cache(2)
    for key in ("a", "b", "a", "c"):
        cache.get(key, lambda: 1)
    assert cache.get("a", lambda: 2) == 1
    assert cache.get("b", lambda: 2) == 2
