"""A small set of pictures is compared with those that a person has looked at.

After a change of the look: `python -m tests.render.boards.test_golden`, look at each picture of
golden/, and commit it. A picture of another release of Pillow may differ in a few edges.
"""

import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from gallery.boards import Shown, all_games, boards
from pbm.render.boards.png import Painter
from tests.render.boards.samples import plot

FOLDER = Path(__file__).parent / "golden"

CHOSEN = {
    "gonnect": "a_ko_fight, end",
    "morris": "nothing_to_take, end",
    "notwos": "stack_on_d3, stack",
    "olix": "thirteen_twelve, end",
    "pow2": "one_left, end",
    "hex": "bridges, end",
}
"""For each game, how the title of one board begins."""

TOLERANCE = 1.0
"""How far a colour may differ on average over the whole picture, from 0 to 255."""


def chosen(key: str) -> Shown:
    (game,) = (game for game in all_games() if game.info.key == key)
    return next(shown for shown in boards(game) if shown.title.startswith(CHOSEN[key]))


@pytest.mark.parametrize("key", CHOSEN)
def test_a_picture_looks_as_it_did(key: str) -> None:
    data = Painter().png(plot(chosen(key).diagram)).data
    drawn = Image.open(io.BytesIO(data)).convert("RGB")
    golden = Image.open(FOLDER / f"{key}.png").convert("RGB")
    assert drawn.size == golden.size
    assert max(ImageStat.Stat(ImageChops.difference(drawn, golden)).mean) <= TOLERANCE


if __name__ == "__main__":
    for key in CHOSEN:
        path = FOLDER / f"{key}.png"
        path.write_bytes(Painter().png(plot(chosen(key).diagram)).data)
        print(path)
