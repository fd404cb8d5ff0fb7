"""A replay shows each position of a match as if it had been drawn alone."""

import random
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import dropwhile, islice
from json import dumps
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from gallery.boards import all_games
from gallery.chromium import Chromium, program
from pbm.engine import AnyGame, Piece, Point, Viewer, by_weight
from pbm.engine.chance import after_chance
from pbm.render.boards.plotted_picture import PlottedPicture
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.replay import css, replay
from tests.render.boards.samples import bare, lines, plot

Shape = tuple[float, float, str]
"""The place of a shape below its spot, its radius if it has one, and all that is written of it."""


def whole_match(game: AnyGame, seed: int, most: int = 250) -> list[PlottedPicture]:
    """Return the positions of a random match."""
    chance, plotter = random.Random(seed), Plotter()
    draw = by_weight(chance)
    states = [after_chance(game, game.start(game.info.setup()), draw)[0]]
    while (seats := game.to_move(states[-1])) and len(states) < most:
        moves = list(islice(game.legal_moves(states[-1], seats[0]), 400))
        after = game.play(states[-1], seats[0], chance.choice(moves))
        states.append(after_chance(game, after, draw)[0])
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
    return float(element.get("cy", 0)), float(radius), f"{element.attrib} {[*element.itertext()]}"


def visible(below: list[Shape], above: Iterable[Shape]) -> list[Shape]:
    """Return shapes without what a disc above them hides, and without ground below them."""
    for y, radius, written in above:
        below = [old for old in below if abs(old[0] - y) + old[1] > radius]
        below.append((y, radius, written))
    return list(
        dropwhile(
            lambda old: any(f"--{role}" in old[2] for role in ("board", "shade", "line")), below
        )
    )


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_every_ply_shows_the_position_of_that_ply(game: AnyGame) -> None:
    for seed in (1, 2):
        match = whole_match(game, seed, 130)
        seen = painted(replay(match))
        for ply, (plotted, shown) in enumerate(zip(match, seen, strict=True)):
            assert shown == next(painted(replay([plotted]))), ply


def test_links_lie_over_the_last_position_and_can_be_named() -> None:
    svg = replay([plot(lines(3)), plot(lines(3, (Piece("a1", "x", 0),)))], taps={"b2": "?a&b"})
    first, last = ElementTree.fromstring(svg).findall("g")
    assert [link.attrib["href"] for link in last.iterfind("a")] == ["?a&b"]
    assert [title.text for title in last.iter("title")] == ["b2"]
    assert not first.findall("a")


def test_what_a_game_writes_is_escaped_and_each_prefix_has_ids_of_its_own() -> None:
    board = plot(bare(Point("<b>", 0, 0), Point('"&', 1, 0), pieces=(Piece('"&', "<", 0),)))
    svg = replay([board], prefix="q", taps={"<b>": '">'}, title='"<i>')
    root = ElementTree.fromstring(svg)
    assert root.attrib["aria-label"] == '"<i>'
    assert {name[0] for name in re.findall('(?:id="|href="#)([^"]+)', svg)} == {"q"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium(program() or "") as started:
        yield started


@pytest.mark.slow
@pytest.mark.skipif(program() is None, reason="needs Chromium")
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_a_browser_shows_a_ply_as_its_position_alone(
    game: AnyGame, browser: Chromium, tmp_path: Path
) -> None:
    match, page = whole_match(game, 3), tmp_path / "page.html"
    page.write_text(f"<!doctype html><style>{css()}</style><body>{replay(match)}", "utf-8")
    plies = [*range(0, len(match) - 1, -(-len(match) // 9)), len(match) - 1]
    for number, scheme in enumerate(("light", "dark")):
        browser.look(600, scheme)
        browser.open(page)
        looked_at = plies[number::2]
        stepped = [shot(browser, f"location.replace('#p{ply}')") for ply in looked_at]
        for ply, seen in zip(looked_at, stepped, strict=True):
            alone = shot(browser, f"document.body.innerHTML = {dumps(replay([match[ply]]))}")
            # Smooth edges differ where something was painted twice; a missing dot is 20.
            differences = ImageChops.difference(seen, alone).reduce(4).tobytes()
            assert max(differences) <= 16, (scheme, ply)


def shot(browser: Chromium, script: str) -> Image.Image:
    """Return the page as it looks after a script."""
    browser.ask(f"{script}; scrollTo(0, 0)")
    return Image.open(BytesIO(browser.picture())).convert("L")
