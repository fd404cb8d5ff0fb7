"""Slanted lines stand behind a table, between the middles of its cells."""

import re

import pytest

from pbm.engine import AnyGame, Viewer
from pbm.render.boards.css import background
from pbm.render.boards.drawing import Drawing
from pbm.render.boards.html import board
from pbm.render.boards.plotting import plot
from tests.gallery.boards import all_games

CORNER, CELL = 20, 24

LAYER = re.compile(r"to top (right|left),[^()]+\) (\S+)% (\S+)%/(\S+)% (\S+)% no-repeat")

SLANTED = {"pow2": 48}
"""How many slanted lines a board has in a table; a bent line is several."""


def drawn(game: AnyGame) -> Drawing:
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
    drawing = drawn(game)
    cells = {(float(spot.column), float(spot.row)): (spot.x, spot.y) for spot in drawing.spots}
    lines = {frozenset((a, b)) for line in drawing.ground.lines for a in line for b in line}
    side = CORNER + CELL * (1 + max(spot.column for spot in drawing.spots))
    shown = background(drawing.ground, CORNER, CELL)
    layers = LAYER.findall(shown)
    assert len(layers) == shown.count("linear-gradient") == SLANTED.get(game.info.key, 0)
    for layer in layers:
        assert frozenset(cells[end] for end in ends(layer, side)) in lines


def test_a_table_without_slanted_lines_has_no_background() -> None:
    for game in all_games():
        opening, _, _ = board(drawn(game)).partition(">")
        assert ("background:" in opening) == (game.info.key in SLANTED)
