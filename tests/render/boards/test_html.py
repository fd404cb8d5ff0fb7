"""Boards as tables and in words: each cell has its text, link and place.

Every position of every playthrough, strangers' games included, is drawn in all forms.
"""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from gallery.boards import all_games, boards, played, playthroughs, positions
from games.gonnect import game as gonnect
from games.notwos import game as notwos
from pbm.engine import (
    AnyGame,
    Figure,
    Mark,
    Piece,
    Point,
    Tally,
    TallyRow,
    Viewer,
    counted,
    draw,
    rhombus,
)
from pbm.plugins import installed_games
from pbm.render.boards.css import STYLE, rules, slanted_lines
from pbm.render.boards.html import board, card, cell_size, figures
from pbm.render.boards.plotted_picture import PlottedPicture, position_words
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.png import Painter
from pbm.render.html import STYLE as PAGE_STYLE
from tests.render.boards.samples import CAPTURED, LAST, WINNING, bare, cells, lines, plot

ADDRESS = "pbm+q7k2mz4xw3c5dyf6nbr2gtaehj4lvps6u3oi7q2xk@games.example.org"
PLAIN = {"table", "tr", "th", "td", "a", "b", "i", "div", "p", "br"}


def mailto(point: str) -> str:
    """Return a link of about the length that a mail's links have: 126 characters."""
    return f"mailto:{ADDRESS}?subject=Move%20Gonnect%20104&body=move%20104%20{point}%0A"


class Table(HTMLParser):
    """The rows of a table: for each cell its span, its class, its text, title and link."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[dict[str, str]]] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()
        assert not self.open, "every tag is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = {name: value or "" for name, value in attrs}
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append({"text": "", "span": given.get("colspan", "1")})
            self.rows[-1][-1]["rows"] = given.get("rowspan", "1")
            self.rows[-1][-1]["class"] = given.get("class", "")
        elif self.rows and self.rows[-1]:
            self.rows[-1][-1].update({n: v for n, v in given.items() if n in ("href", "title")})
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "tags are nested"

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1]["text"] += data.strip("\n")

    @property
    def cells(self) -> list[dict[str, str]]:
        return [cell for row in self.rows for cell in row if "y" not in cell["class"].split()]

    @property
    def words(self) -> list[str]:
        return [cell.get("title") or cell["text"] for cell in self.cells if cell["text"]]


def test_each_point_has_its_words() -> None:
    pieces = (Piece("a1", "x", 0), Piece("b1", "o", 1), Piece("c1", "4", None, 4))
    marks = (Mark("a1", LAST), Mark("a2", CAPTURED), Mark("b1", WINNING))
    assert Table(board(plot(cells(3, pieces, *marks)))).words == [
        "a3", "b3", "c3", "a2, captured", "b2", "c2",
        "x at a1, last move", "o at b1, decisive", "stack of 4 at c1",
    ]  # fmt: skip


def test_each_point_with_a_target_is_a_link_and_no_other() -> None:
    targets = {"a2": "mailto:?a=1&b=2", "b1": "mailto:b1"}
    plotted = plot(cells(2, (Piece("b1", "x", 0),)))
    links = [(c["text"], c.get("href")) for c in Table(board(plotted, targets.get)).cells]
    assert links == [
        ("a2", "mailto:?a=1&b=2"),
        ("\u00b7", None),
        ("\u00b7", None),
        ("x", "mailto:b1"),
    ]


def test_a_link_cannot_break_out_of_its_attribute() -> None:
    text = board(plot(cells(2)), lambda _: 'mailto:"><script>')
    assert "script>" not in text
    assert Table(text).cells[0]["href"] == 'mailto:"><script>'


def test_what_a_game_writes_is_escaped() -> None:
    diagram = bare(Point("<b>", 0, 0), Point('"&', 1, 0), pieces=(Piece('"&', "<", 0),))
    tally = Tally(("<i>",), (TallyRow("<u>", ("<s>",), "<", 0),))
    plotted = plot(replace(diagram, columns=("<a", "&"), rows=("<p>",), tally=tally))
    table = Table(board(plotted) + figures(plotted))
    assert table.tags <= PLAIN
    assert {"<b>", '< at "&', "<s>"} <= set(table.words)
    captioned = plot(replace(diagram, below=("<script>",)))
    assert "<script" not in figures(captioned)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_every_row_of_every_board_is_equally_wide(game: AnyGame) -> None:
    for shown in boards(game):
        rows = Table(board(plot(shown.diagram), mailto)).rows
        widths = [0] * len(rows)
        for row, inside in enumerate(rows):
            for cell in inside:
                for spanned in range(row, row + int(cell["rows"])):
                    widths[spanned] += int(cell["span"])
        assert len({*widths}) == 1, shown.title


def test_each_column_of_hexagons_is_half_a_cell_off_the_one_before() -> None:
    rows = Table(board(plot(rhombus(3).diagram((), ())), str)).rows
    names = [[cell["text"] for cell in row if cell.get("href")] for row in rows]
    assert names == [
        [], ["a1"], ["b1"], ["a2", "c1"], ["b2"], ["a3", "c2"], ["b3"], ["c3"], [],
    ]  # fmt: skip


def test_the_edge_of_a_hexagon_beside_the_board_is_drawn_there() -> None:
    rows = Table(board(plot(rhombus(2).diagram((), ())))).rows
    corners = [[kind for cell in row if "h" in (kind := cell["class"])] for row in rows]
    assert corners == [
        ["z h"], ["y z h2", "y z h3"], ["z h1", "z h3 h"], ["y z h2", "z h4 h"], ["z h1", "z h3 h"],
        ["z h1", "z h4 h"],
    ]  # fmt: skip


def test_the_rim_of_a_grid_has_no_lines_beyond_it() -> None:
    classes = [cell["class"] for cell in Table(board(plot(lines(3)))).cells]
    west, east, north, south = 1, 2, 4, 8
    assert classes == [
        f"l{east | south}", f"l{west | east | south}", f"l{west | south}",
        f"l{east | north | south}", "", f"l{west | north | south}",
        f"l{east | north}", f"l{west | east | north}", f"l{west | north}",
    ]  # fmt: skip


def test_a_line_between_far_points_passes_the_cells_between() -> None:
    (morris,) = (game for game in installed_games() if game.info.key == "morris")
    state = morris.start(morris.info.setup())
    first = Table(board(plot(morris.diagram(state, Viewer())))).rows[1]
    west, east, south = 1, 2, 8
    level = f"l{west | east}"
    assert [cell["class"] for cell in first[1:]] == [
        f"l{east | south}", level, level, f"l{west | east | south}", level, level,
        f"l{west | south}",
    ]  # fmt: skip


@pytest.mark.parametrize("game", list(installed_games()), ids=lambda game: game.info.key)
def test_a_board_of_the_usual_size_takes_less_than_30_kb(game: AnyGame) -> None:
    for plies in (0, 40):
        plotted = plot(game.diagram(played(game, plies), Viewer()))
        empty = {spot.name: mailto(spot.name) for spot in plotted.spots if not spot.stone}
        text = card(plotted, board(plotted, empty.get), figures(plotted))
        rowspans = 12 * len(plotted.spots) if plotted.ground.lean else 0
        assert len(text) < 30_000 + rowspans, counted(plies, "ply")


def test_the_style_is_small_and_names_nothing_remote() -> None:
    assert len(STYLE) + len(PAGE_STYLE) < 8_192  # Gmail drops a longer block
    assert len(rules(frozenset({24}))) < 6_500
    assert len(rules(frozenset())) < 3_500
    for remote in ("url(", "@import", "http", "<"):
        assert remote not in STYLE


@pytest.mark.parametrize(("size", "least"), [(5, 44), (7, 44), (8, 39), (13, 24), (19, 16)])
def test_a_link_is_as_large_as_its_cell_and_a_finger(size: int, least: int) -> None:
    plotted = plot(lines(size))
    assert cell_size(plotted) == least
    assert size * least <= 360 - 2 * 10 - 6 - 20  # the margins, the card's padding, the labels
    style = rules(frozenset({least}))
    assert f".s{least} td{{height:{least}px}}" in style
    assert f".s{least} a,.s{least} i{{height:{least}px;line-height:{least}px}}" in style
    assert ".pb a{display:block" in style


def test_a_tally_is_a_table_with_headings() -> None:
    rows = (TallyRow("White", ("7", "2"), "o", 0), TallyRow("Black", ("6", "3"), "x", 1))
    text = figures(plot(replace(cells(2), tally=Tally(("in hand", "on board"), rows))))
    assert 'scope="col"' in text
    assert 'scope="row"' in text
    assert [[c["text"] for c in row] for row in Table(text).rows] == [
        ["", "in hand", "on board"], ["o White", "7", "2"], ["x Black", "6", "3"],
    ]  # fmt: skip


def test_lines_of_text_keep_their_columns() -> None:
    text = figures(plot(replace(cells(2), below=("a   1", "bb  2"))))
    assert "a &nbsp; 1<br>\nbb &nbsp;2" in text
    assert figures(plot(cells(2))) == ""


CORNER, CELL = 20, 24

LAYER = re.compile(r"to top (right|left),[^()]+\) (\S+)% (\S+)%/(\S+)% (\S+)% no-repeat")

SLANTED = {"pow2": 48}
"""The number of slanted lines of each board; a bent line is several."""


def drawn(game: AnyGame) -> PlottedPicture:
    return plot(game.diagram(game.start(game.info.setup()), Viewer()))


def ends(layer: tuple[str, ...], side: float) -> list[tuple[float, float]]:
    """Return the columns and rows between which a layer of a square picture draws its line."""
    left, top, wide, high = (float(value) / 100 for value in layer[1:])
    begin = left * (1 - wide) * side, top * (1 - high) * side
    end = begin[0] + wide * side, begin[1] + high * side
    if layer[0] == "left":
        begin, end = (begin[0], end[1]), (end[0], begin[1])
    return [(round((x - CORNER) / CELL - 0.5, 1), round((y - CORNER) / CELL - 0.5, 1))
            for x, y in (begin, end)]  # fmt: skip


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_each_slanted_line_leads_from_cell_to_cell_and_there_are_no_others(game: AnyGame) -> None:
    plotted = drawn(game)
    cells = {(float(spot.column), float(spot.row)): (spot.x, spot.y) for spot in plotted.spots}
    lines = {frozenset((a, b)) for line in plotted.ground.lines for a in line for b in line}
    side = CORNER + CELL * (1 + max(spot.column for spot in plotted.spots))
    shown = slanted_lines(plotted.ground, CORNER, CELL)
    layers = LAYER.findall(shown)
    assert len(layers) == shown.count("linear-gradient") == SLANTED.get(game.info.key, 0)
    for layer in layers:
        assert frozenset(cells[end] for end in ends(layer, side)) in lines


def test_a_table_without_slanted_lines_has_no_background() -> None:
    for game in all_games():
        opening, _, _ = board(drawn(game)).partition(">")
        assert ("background:" in opening) == (game.info.key in SLANTED)


def told(game: AnyGame, *turns: str) -> str:
    """Return the words of the position after some turns."""
    state = game.start(game.info.setup({}))
    for turn in turns:
        seat = game.to_move(state)[0]
        state = game.play(state, seat, game.parse(state, seat, turn))
    return position_words(plot(game.diagram(state, Viewer())))


def test_an_empty_board_is_called_so() -> None:
    assert told(gonnect) == "Empty board."


def test_the_words_say_where_stones_lie() -> None:
    assert told(gonnect, "C3", "D4", "E5") == "Board with o at D4; x at E5, C3; last move E5."


def test_the_height_of_a_stack_is_told() -> None:
    stacks = next(shown for shown in boards(notwos) if shown.title == "stack_on_d3, stack")
    assert "stack of " in position_words(plot(stacks.diagram))


def test_a_figure_is_an_outline_on_light_stones_and_stays_a_letter_in_words() -> None:
    knights = (Piece("a1", "N", 0, figure=Figure.KNIGHT), Piece("b2", "n", 1, figure=Figure.KNIGHT))
    table = board(plot(cells(8, knights)))
    assert re.search('<b class="l a"[^>]* title="N at a1">&#9816;&#xFE0E;</b>', table)
    assert re.search('<b class="d a"[^>]* title="n at b2">&#9822;&#xFE0E;</b>', table)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_each_position_has_a_text_a_table_and_a_png(game: AnyGame) -> None:
    plotter, painter = Plotter(), Painter()
    seen = 0
    for _, transcript in playthroughs(game):
        for position in positions(game, transcript):
            diagram = game.diagram(position.state, Viewer())
            plotted = plotter.plot(diagram)
            stones = len(diagram.pieces)
            assert sum(spot.stone is not None for spot in plotted.spots) == stones
            assert draw(diagram)
            assert board(plotted).count("<b class=") == stones
            assert figures(plotted) or not (diagram.above or diagram.below)
            assert len(painter.png(plotted).data) <= 20_000
            seen += 1
    assert seen > 5
