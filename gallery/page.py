"""The gallery of boards: `python -m gallery.page FOLDER` writes one page for each game.

Each board is there as PNG, as a table whose legal moves are links, as a table without links, and
as text. Open the pages with a browser at 360 and 800 px, light and dark.
"""

import sys
from html import escape
from pathlib import Path

from gallery.boards import GalleryPicture, all_games, boards
from pbm.engine import AnyGame, draw
from pbm.render.boards.css import STYLE
from pbm.render.boards.html import Link, board, card, figures
from pbm.render.boards.plotted_picture import position_words
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.png import Painter

_PAGE = (
    "body{margin:8px;font:14px/1.4 Helvetica,Arial,sans-serif;background:#fff;color:#222}"
    "h2{font-size:15px;margin:20px 0 6px}pre{font-size:10px;overflow:auto}"
    "img,table{margin:0 0 10px}img{display:block;max-width:100%;height:auto}"
    "@media(prefers-color-scheme:dark){body{background:#121212;color:#ddd}}"
)
_ADDRESS = "pbm+q7k2mz4xw3c5dyf6nbr2gtaehj4lvps6u3oi7q2xk@games.example.org"


def links(shown: GalleryPicture) -> Link:
    """Return a link for each point with which a legal move begins."""
    seats = shown.game.to_move(shown.state)
    moves = [str(m) for m in shown.game.legal_moves(shown.state, seats[0])] if seats else []
    names = {move[: len(p.name)] for move in moves for p in shown.diagram.points[:1]}
    names |= {move.split("-")[0].split(":")[0].split("x")[0].split(">")[0] for move in moves}
    return lambda point: (
        f"mailto:{_ADDRESS}?subject=Move&body=move%20104%20{point}" if point in names else None
    )


def entry(shown: GalleryPicture, painter: Painter, folder: Path, name: str) -> str:
    """Write the pictures of one board and return its part of the page."""
    plotted = Plotter().plot(shown.diagram)
    picture = painter.png(plotted)
    (folder / f"{name}.png").write_bytes(picture.data)
    with_links = card(plotted, board(plotted, links(shown)))
    return (
        f"<h2>{escape(shown.title)}</h2><p>PNG {len(picture.data)} octets, table "
        f"{len(board(plotted))}, with links {len(with_links)}</p>"
        f'<img src="{name}.png" width="{picture.width}" height="{picture.height}" '
        f'alt="{escape(position_words(plotted))}">{with_links}<br>'
        f"{card(plotted, board(plotted), figures(plotted))}<br>"
        f"<pre>{escape(draw(shown.diagram))}</pre>"
    )


def write(game: AnyGame, folder: Path) -> Path:
    """Write the page of one game and return its path."""
    painter = Painter()
    key = game.info.key
    entries = [
        entry(shown, painter, folder, f"{key}-{number}")
        for number, shown in enumerate(boards(game), start=1)
    ]
    page = folder / f"{key}.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(game.info.title)}</title><style>{_PAGE}{STYLE}</style></head>"
        f"<body><h1>{escape(game.info.title)}</h1>{''.join(entries)}</body></html>\n",
        "utf-8",
    )
    return page


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for game in all_games():
        print(write(game, folder))


if __name__ == "__main__":
    main()
