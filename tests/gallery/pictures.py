"""The pictures of docs/gallery.md and README.md: `python -m tests.gallery.pictures`.

Needs a Chromium. Each is a board mail on a phone, cut where a phone's screen ends, in so few
colours that it stays small.
"""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from pbm.plugins import installed_games
from tests.gallery.boards import ROOT
from tests.gallery.chromium import Chromium, program
from tests.gallery.letters import boards, composed, letter
from tests.gallery.mails import write_forms

FOLDER = ROOT / "docs" / "pictures"
_SCHEMES = {"gonnect": ("light", "dark")}
"""Games that are shown by night, too."""

MOST_OCTETS = 60_000
_HEIGHT, _COLOURS = 1560, 48


def main() -> None:
    path = program()
    if path is None:
        raise SystemExit("There is no Chromium on this machine.")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as place, Chromium(path) as browser:
        for number, game in enumerate(installed_games(), start=1):
            notice = dict(boards(game))["middle"]
            write_forms(Path(place), number, letter("", "", composed(notice)))
            for scheme in _SCHEMES.get(game.info.key, ("light",)):
                browser.look(360, scheme, scale=2)
                browser.open(Path(place) / f"{number:03}.html")
                _keep(FOLDER / f"{game.info.key}-{scheme}.png", _small(browser.picture()))


def _keep(file: Path, png: bytes) -> None:
    if len(png) > MOST_OCTETS:
        raise SystemExit(f"{file} would have {len(png)} octets, more than {MOST_OCTETS}.")
    file.write_bytes(png)
    print(file, len(png))


def _small(png: bytes) -> bytes:
    """Return the upper part of a picture in few colours."""
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    upper = whole.crop((0, 0, whole.width, min(whole.height, _HEIGHT)))
    out = io.BytesIO()
    upper.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()


if __name__ == "__main__":
    main()
