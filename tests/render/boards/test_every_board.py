"""Every position of every playthrough, strangers' games included, is drawn in all three forms."""

import pytest

from gallery.boards import all_games, playthroughs, positions
from pbm.engine import AnyGame, Viewer, draw
from pbm.render.boards.html import board, figures
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.png import Painter


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_each_position_has_a_text_a_table_and_a_png(game: AnyGame) -> None:
    plotter, painter = Plotter(), Painter()
    seen = 0
    for _, transcript in playthroughs(game):
        for position in positions(game, transcript):
            diagram = game.diagram(position.state, Viewer())
            drawing = plotter.plot(diagram)
            stones = len(diagram.pieces)
            assert sum(spot.stone is not None for spot in drawing.spots) == stones
            assert draw(diagram)
            assert board(drawing).count("<b class=") == stones
            assert figures(drawing) or not (diagram.above or diagram.below)
            assert len(painter.png(drawing).data) <= 20_000
            seen += 1
    assert seen > 5
