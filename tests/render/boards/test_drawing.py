"""A board is described in words for readers who cannot see it."""

from gallery.boards import boards
from games.gonnect import game as gonnect
from games.notwos import game as notwos
from pbm.engine import AnyGame, Viewer
from pbm.render.boards.drawing import board_words, position_words
from tests.render.boards.samples import plot


def told(game: AnyGame, *turns: str) -> tuple[str, str]:
    """Return the short and the long words of the position after some turns."""
    state = game.start(game.info.setup({}))
    for turn in turns:
        seat = game.to_move(state)[0]
        state = game.play(state, seat, game.parse(state, seat, turn))
    drawing = plot(game.diagram(state, Viewer()))
    return board_words(drawing), position_words(drawing)


def test_an_empty_board_is_called_so() -> None:
    assert told(gonnect) == ("Empty board.", "Empty board.")


def test_the_short_words_count_stones_and_the_long_ones_say_where_they_lie() -> None:
    assert told(gonnect, "C3", "D4", "E5") == (
        "Board with 1 o and 2 x; last move E5.",
        "Board with o at D4; x at E5, C3; last move E5.",
    )


def test_the_height_of_a_stack_is_told() -> None:
    stacks = next(shown for shown in boards(notwos) if shown.title == "stack_on_d3, stack")
    assert "stack of " in position_words(plot(stacks.diagram))
