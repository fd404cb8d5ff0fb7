"""The pictures of docs/gallery.md and README.md: `python -m gallery.pictures`.

Needs a Chromium. Each is a mail or a page on a phone, cut where a phone's screen ends, in so few
colours that it stays small.
"""

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from math import dist
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from gallery.boards import ROOT, all_games, playthroughs
from gallery.chromium import Chromium, program
from gallery.letters import Letter, boards, composed, kinds, letter, several
from gallery.mails import write_forms
from games.gonnect import game as gonnect
from pbm.engine.transcript import TurnStep
from pbm.render.boards.png import Rgb
from tests.house import HouseUnderTest
from tests.site.building import builder

FOLDER = ROOT / "docs" / "pictures"
_SCHEMES = {"gonnect": ("light", "dark")}
"""Pictures that are shown by night, too."""

MOST_OCTETS = 60_000
_HEIGHT, _COLOURS = 1560, 64


def main() -> None:
    path = program()
    if path is None:
        raise SystemExit("There is no Chromium on this machine.")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as place, Chromium(path) as browser:
        for number, (name, mail) in enumerate(_letters(), start=1):
            write_forms(Path(place), number, mail)
            for scheme in _SCHEMES.get(name, ("light",)):
                browser.look(360, scheme, scale=2)
                browser.open(Path(place) / f"{number:03}.html")
                _keep(FOLDER / f"{name}-{scheme}.png", _small(browser.picture()))
        browser.look(360, "light", scale=2)
        site = _site(Path(place))
        for name, page in (("page", "b/101.html"), ("front", "index.html")):
            browser.open(site / page)
            _keep(FOLDER / f"{name}-light.png", _small(browser.picture()))


def _site(place: Path) -> Path:
    """Return the web pages of a match of Gonnect, as it was played in a playthrough."""
    house = HouseUnderTest(place)
    house.add("alice", "bob")
    _, played = next(playthroughs(gonnect))
    options = " ".join(f"-{name}={value}" for name, value in played.options.items())
    house.mail("alice@example.org", f"gonnect challenge alice alice-pw bob {options}")
    house.reply(house.last_to("bob@example.org"), "accept")
    turns = [step for step in played.steps if isinstance(step, TurnStep) and step.refusal is None]
    for ply, turn in enumerate(turns):
        house.clock.now += timedelta(hours=20)
        player = ("alice", "bob")[ply % 2]
        house.mail(f"{player}@example.org", f"move 101 {player} {player}-pw {turn.text}")
    builder(house, place / "site").build()
    return place / "site"


def _letters() -> Iterator[tuple[str, Letter]]:
    """Yield a board mail of each game, strangers' included, and two mails of other kinds."""
    for game in all_games():
        if game.info.key != "noughts":  # as small as the games of tests are
            yield game.info.key, letter("", "", composed(dict(boards(game))["middle"]))
    yield "digest", next(mail for mail in several() if "each game" in mail.title)
    yield "settings", next(mail for mail in kinds() if mail.title == "settings/shown")


def _keep(file: Path, png: bytes) -> None:
    if len(png) > MOST_OCTETS:
        raise SystemExit(f"{file} would have {len(png)} octets, more than {MOST_OCTETS}.")
    file.write_bytes(png)
    print(file, len(png))


def _small(png: bytes) -> bytes:
    """Return the upper part of a picture in its most frequent colours, which stay as they are.

    Pillow's own ways to choose few colours turn warm paper pink, and white grey.
    """
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    upper = whole.crop((0, 0, whole.width, min(whole.height, _HEIGHT)))
    pixels = [*_pixels(upper.tobytes())]
    colours = [colour for colour, _ in Counter(pixels).most_common(_COLOURS)]
    nearest = {colour: _nearest(colour, colours) for colour in set(pixels)}
    small = Image.frombytes("P", upper.size, bytes(nearest[pixel] for pixel in pixels))
    small.putpalette([value for colour in colours for value in colour])
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def _pixels(octets: bytes) -> Iterator[Rgb]:
    """Yield the red, green and blue of each pixel."""
    return zip(octets[0::3], octets[1::3], octets[2::3], strict=True)


def _nearest(colour: Rgb, colours: Sequence[Rgb]) -> int:
    """Return the number of the colour that differs least."""
    return min(range(len(colours)), key=lambda n: dist(colour, colours[n]))


if __name__ == "__main__":
    main()
