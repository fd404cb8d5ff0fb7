"""A board as PNG: sharp, small, the same octets each time, and told apart without colours.

A few pictures are compared with those that a person has looked at. After a change of the look:
`python -m tests.render.boards.test_png`, look at each picture of golden/, and commit it. A picture
of another release of Pillow may differ in a few edges.
"""

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
from PIL import Image, ImageChops, ImageStat

from gallery.boards import GalleryPicture, all_games, boards, played
from pbm.engine import AnyGame, Diagram, Mark, Piece, Viewer
from pbm.plugins import installed_games
from pbm.render.boards.png import COLOURS, DENSITY, WIDTH_LIMIT, Painter, unit_of
from pbm.render.boards.theme import DARK, LIGHT, Palette, Role
from tests.render.boards.samples import CAPTURED, LAST, WINNING, cells, contrast, lines, plot

FOLDER = Path(__file__).parent / "golden"

CHOSEN = {
    "gonnect": "a_ko_fight, end",
    "morris": "nothing_to_take, end",
    "notwos": "stack_on_d3, stack",
    "olix": "thirteen_twelve, end",
    "pow2": "one_left, end",
    "hex": "bridges, end",
    "chess": "every_kind, end",
}
"""For each game, how the title of one board begins."""

TOLERANCE = 1.0
"""The most that a colour may differ on average over the whole picture, from 0 to 255."""

Board = Callable[..., Diagram]

LIMIT = 20_000
"""Octets that no picture may exceed."""


def opened(diagram: Diagram) -> Image.Image:
    """Return the picture of `diagram` as a reader's program sees it."""
    return Image.open(io.BytesIO(Painter().png(plot(diagram)).data)).convert("RGB")


def around(diagram: Diagram, point: str) -> Image.Image:
    """Return the square of one unit around `point` in grey: what is seen without colours."""
    plotted = plot(diagram)
    unit = unit_of(plotted.ground)
    (spot,) = (spot for spot in plotted.spots if spot.name == point)
    x = round((spot.x - plotted.ground.left) * unit)
    y = round((spot.y - plotted.ground.top) * unit)
    half = unit // 2
    return opened(diagram).crop((x - half, y - half, x + half, y + half)).convert("L")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return how far two grey squares differ on average, from 0 to 255."""
    return mean(ImageStat.Stat(ImageChops.difference(one, other)).mean)


def test_a_picture_is_a_png_of_sixteen_colours_with_twice_the_pixels() -> None:
    picture = Painter().png(plot(cells(8)))
    image = Image.open(io.BytesIO(picture.data))
    image.verify()
    assert (image.format, image.mode) == ("PNG", "P")
    assert image.size == (picture.width * DENSITY, picture.height * DENSITY)
    assert image.info["dpi"] == pytest.approx((144, 144), abs=0.1)
    seen = {colour for _, colour in opened(cells(8)).getcolors(256) or []}
    assert seen <= set(COLOURS)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 19])
def test_a_picture_fits_a_phone(size: int) -> None:
    picture = Painter().png(plot(cells(size)))
    assert picture.width <= WIDTH_LIMIT
    assert picture.height <= WIDTH_LIMIT + 1


def test_names_of_columns_can_be_read_on_a_phone() -> None:
    # A capital letter of the 19x19 board is at least 7 pixels of the screen high.
    plotted = plot(lines(19))
    unit = unit_of(plotted.ground)
    top = opened(lines(19)).crop((0, 0, 720, unit)).convert("L").point(lambda v: 255 * (v < 180))
    box = top.getbbox()
    assert box is not None
    assert box[3] - box[1] >= 7 * DENSITY


def test_the_same_position_is_the_same_octets_whoever_draws_it() -> None:
    diagram = lines(9, (Piece("a1", "x", 0), Piece("b2", "o", 1)), Mark("b2", LAST))
    busy = Painter()
    for size in range(2, 9):
        busy.png(plot(cells(size, (Piece("a1", "o", 1),), Mark("a1", WINNING))))
    assert busy.png(plot(diagram)) == Painter().png(plot(diagram))


def test_a_position_is_drawn_once_as_long_as_it_is_kept() -> None:
    painter = Painter(pictures=2)
    first = painter.png(plot(cells(3)))
    assert painter.png(plot(cells(3))) is first
    for size in (4, 5):
        painter.png(plot(cells(size)))
    again = painter.png(plot(cells(3)))
    assert again is not first
    assert again == first


@pytest.mark.parametrize("board", [cells, lines])
def test_the_sides_differ_without_colours(board: Board) -> None:
    dark = around(board(8, (Piece("d4", "x", 0),)), "d4")
    light = around(board(8, (Piece("d4", "o", 1),)), "d4")
    nobodys = around(board(8, (Piece("d4", "o", None),)), "d4")
    assert difference(dark, light) > 50
    assert difference(dark, nobodys) > 20
    assert difference(light, nobodys) > 20


def test_the_sides_differ_in_form_too() -> None:
    # Black and white only: a filled disc against a ring.
    dark, light = (
        around(cells(8, (Piece("d4", sign, 0),)), "d4").point(lambda v: 255 * (v > 110))
        for sign in "xo"
    )
    middle = dark.width // 2, dark.height // 2
    rim = middle[0] - round(plot(cells(8)).ground.radius * dark.width) + 3, middle[1]
    assert dark.getpixel(middle) == dark.getpixel(rim) == 0
    assert light.getpixel(middle) == 255
    assert light.getpixel(rim) == 0


@pytest.mark.parametrize("symbol", ["x", "o", "K", "5"])
def test_a_mark_is_seen_on_every_stone_without_colours(symbol: str) -> None:
    pieces = (Piece("d4", symbol, None if symbol == "5" else 0),)
    for kind in (LAST, WINNING):
        marked = around(cells(8, pieces, Mark("d4", kind)), "d4")
        assert difference(marked, around(cells(8, pieces), "d4")) > 1.5


def test_where_a_turn_began_and_what_it_took_is_seen_on_the_empty_board() -> None:
    nothing = around(cells(8), "d4")
    began = around(cells(8, (), Mark("d4", LAST)), "d4")
    took = around(cells(8, (), Mark("d4", CAPTURED)), "d4")
    assert difference(nothing, began) > 1
    assert difference(nothing, took) > 1
    assert difference(began, took) > 1


def test_a_piece_with_two_lives_differs_from_one_with_one() -> None:
    one = around(lines(8, (Piece("d4", "x", 0),)), "d4")
    two = around(lines(8, (Piece("d4", "X", 0, 2),)), "d4")
    assert difference(one, two) > 3


def test_each_height_of_a_stack_looks_different() -> None:
    stacks = [around(cells(8, (Piece("d4", "o", None, n),)), "d4") for n in (1, 2, 3, 8, 12)]
    for n, stack in enumerate(stacks):
        for other in stacks[:n]:
            assert difference(stack, other) > 1


@pytest.mark.parametrize("game", list(installed_games()), ids=lambda game: game.info.key)
def test_the_fullest_boards_stay_small(game: AnyGame) -> None:
    large = {"size": "19"} if any("19" in o.choices for o in game.info.options) else {}
    for plies in (0, 30, 330):
        picture = Painter().png(plot(game.diagram(played(game, plies, large), Viewer())))
        assert len(picture.data) <= LIMIT


def test_a_row_holds_two_pixels_an_octet_and_no_filter() -> None:
    data = Painter().png(plot(cells(3))).data
    start = data.index(b"IDAT")
    length = int.from_bytes(data[start - 4 : start], "big")
    rows = zlib.decompress(data[start + 4 : start + 4 + length])
    width = int.from_bytes(data[16:20], "big")
    stride = width // 2 + 1
    assert width % 2 == 0
    assert len(rows) % stride == 0
    assert set(rows[::stride]) == {0}


def chosen(key: str) -> GalleryPicture:
    (game,) = (game for game in all_games() if game.info.key == key)
    return next(shown for shown in boards(game) if shown.title.startswith(CHOSEN[key]))


@pytest.mark.parametrize("key", CHOSEN)
def test_a_picture_looks_as_it_did(key: str) -> None:
    data = Painter().png(plot(chosen(key).diagram)).data
    drawn = Image.open(io.BytesIO(data)).convert("RGB")
    golden = Image.open(FOLDER / f"{key}.png").convert("RGB")
    assert drawn.size == golden.size
    assert max(ImageStat.Stat(ImageChops.difference(drawn, golden)).mean) <= TOLERANCE


def test_black_on_white_has_the_contrast_that_the_standard_says() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["day", "night"])
def test_text_and_shapes_can_be_told_from_their_ground(palette: Palette) -> None:
    assert set(palette) == set(Role), "each role has a colour of its own"
    for least, pairs in ((4.5, TEXTS), (3, SHAPES)):
        for pair in pairs.split(", "):
            one, other = (palette[Role[name]] for name in pair.split(" on "))
            assert contrast(one, other) >= least, pair


TEXTS = (
    "LABEL on BOARD, LABEL on LAST_GROUND, LABEL on SHADE, LINK on BOARD, LINK on LAST_GROUND, "
    "LINK on SHADE, LIGHT on DARK, DARK on LIGHT, LETTER on NEUTRAL"
)
SHAPES = (
    "LINE on BOARD, RIM on BOARD, NEUTRAL on BOARD, MARK on BOARD, MARK on LIGHT, WIN on BOARD, "
    "DARK on LIGHT, RIM on SHADE, RIM on WIN_GROUND, NEUTRAL on WIN_GROUND"
)
"""The dot of the last move lies on a light disc."""


if __name__ == "__main__":
    for key in CHOSEN:
        path = FOLDER / f"{key}.png"
        path.write_bytes(Painter().png(plot(chosen(key).diagram)).data)
        print(path)
