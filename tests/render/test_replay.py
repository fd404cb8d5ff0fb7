"""A replay shows each position of a match as if it had been drawn alone."""

import random
from collections.abc import Iterable, Iterator
from itertools import dropwhile, islice
from xml.etree import ElementTree

import pytest

from gallery.boards import all_games
from pbm.engine import AnyGame, Viewer
from pbm.render.boards.drawing import Drawing
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.replay import replay

Shape = tuple[float, float, str]
"""The place of a shape below its spot, its radius if it has one, and all that is written of it."""


def drawings(game: AnyGame, seed: int, most: int = 250) -> list[Drawing]:
    """Return the positions of a random match."""
    chance, plotter = random.Random(seed), Plotter()
    states = [game.start(game.info.setup())]
    while (seats := game.to_move(states[-1])) and len(states) < most:
        moves = list(islice(game.legal_moves(states[-1], seats[0]), 400))
        states.append(game.play(states[-1], seats[0], chance.choice(moves)))
    return [plotter.plot(game.diagram(state, Viewer())) for state in states]


def painted(svg: str) -> Iterator[dict[tuple[str, str], list[Shape]]]:
    """Yield what can be seen at each spot after each group."""
    root = ElementTree.fromstring(svg)
    sprites = {f"#{sprite.get('id')}": list(sprite) for sprite in root.iterfind("defs/g")}
    seen: dict[tuple[str, str], list[Shape]] = {}
    for group in root.iterfind("g"):
        for use in group.iterfind("use"):
            shapes = sprites[use.attrib["href"]]
            if shapes[0].tag == "rect":
                seen.clear()
            elif "x" in use.attrib:
                at = use.attrib["x"], use.attrib["y"]
                seen[at] = visible(seen.get(at, []), map(shape, shapes))
        yield {at: shapes for at, shapes in seen.items() if shapes}


def shape(element: ElementTree.Element) -> Shape:
    # The square of a tint shows around all discs; other shapes are within the disc below them.
    radius = element.get("r", 9 if "h" in element.get("d", "") else 0)
    return float(element.get("cy", 0)), float(radius), f"{element.attrib} {element.text}"


def visible(below: list[Shape], above: Iterable[Shape]) -> list[Shape]:
    """Return shapes without what a disc above them hides, and without ground below them."""
    for y, radius, written in above:
        below = [old for old in below if abs(old[0] - y) + old[1] > radius]
        below.append((y, radius, written))
    return list(dropwhile(lambda old: "--board" in old[2] or "--line" in old[2], below))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_every_ply_shows_the_position_of_that_ply(game: AnyGame) -> None:
    for seed in (1, 2):
        match = drawings(game, seed, 130)
        seen = painted(replay(match))
        for ply, (drawing, shown) in enumerate(zip(match, seen, strict=True)):
            assert shown == next(painted(replay([drawing]))), ply
