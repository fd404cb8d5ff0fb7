"""The costs of boards: `python -m gallery.costs` prints milliseconds of CPU and octets.

Each figure is the median of 31 rounds; `first` is the first picture of a process, with its board
and its stones still to be prepared. Every empty point is a link of 123 characters, 63 of them the
address.
"""

import statistics
import time
from collections.abc import Callable

from gallery.boards import played
from pbm.engine import AnyGame, Viewer, draw
from pbm.plugins import installed_games
from pbm.render.boards.css import STYLE
from pbm.render.boards.html import board, card, figures
from pbm.render.boards.plotting import Plotter
from pbm.render.boards.png import Painter

_ADDRESS = "pbm+q7k2mz4xw3c5dyf6nbr2gtaehj4lvps6u3oi7q2xk@games.example.org"
_SIZES = {"gonnect": ("13", "19")}


def mailto(point: str) -> str:
    """Return a link of the length that those of a mail have."""
    return f"mailto:{_ADDRESS}?subject=Move%20Gonnect%20104&body=move%20104%20{point}%0A"


def cost(work: Callable[[], object], rounds: int = 31) -> float:
    """Return the median CPU time of `work` in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * statistics.median(times)


def row(game: AnyGame, plies: int, options: dict[str, str]) -> str:
    """Return one line of the table: a game, a size, a number of turns."""
    diagram = game.diagram(played(game, plies, options), Viewer())
    plotter = Plotter()
    plotted = plotter.plot(diagram)
    first = cost(lambda: Painter().png(plotted), rounds=5)
    painter = Painter(pictures=0)
    keeping = Painter()
    picture = keeping.png(plotted)
    empty = {spot.name: mailto(spot.name) for spot in plotted.spots if not spot.stone}

    def html() -> str:
        return card(plotted, board(plotted, empty.get), figures(plotted))

    text = html()
    figure = (
        *(cost(lambda: draw(diagram)), cost(lambda: plotter.plot(diagram))),
        cost(html),
        *(first, cost(lambda: painter.png(plotted)), cost(lambda: keeping.png(plotted))),
    )
    name = f"{game.info.key} {options.get('size', '')}".strip()
    shown = "".join(f"{value:8.2f}" for value in figure)
    return f"{name:12}{plies:6}{shown}{len(text):8}{len(picture.data):8}"


def main() -> None:
    print(f"style {len(STYLE)} octets, a link {len(mailto('C4'))}")
    heads = ("text", "plot", "html", "first", "png", "kept")
    print(f"{'board':12}{'turns':>6}{''.join(f'{h:>8}' for h in heads)}{'html':>8}{'png':>8}")
    for game in installed_games():
        for size in _SIZES.get(game.info.key, ("",)):
            for plies in (0, 40, 300):
                print(row(game, plies, {"size": size} if size else {}))


if __name__ == "__main__":
    main()
