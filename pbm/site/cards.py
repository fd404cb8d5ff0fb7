"""The pictures that previews of links show: of each game a board of its help page."""

from markdown_it import MarkdownIt

from pbm.engine import AnyGame, Diagram, Viewer, begin, frozen
from pbm.mail.writing.game_page import EXAMPLE, example
from pbm.site.facts import Site

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@frozen
class Card:
    """A picture below the root of the site, its size in pixels, and words for it."""

    path: str
    width: int
    height: int
    words: str


def card_of(site: Site, game: AnyGame) -> Card:
    """Return the picture of a game."""
    png = site.pictures.painter.png(site.pictures.plotter.plot(showcase(site, game)))
    return Card(
        f"g/{game.info.key}/board.png", png.width, png.height, f"A board of {game.info.title}"
    )


def common_card(site: Site) -> Card | None:
    """Return the picture of pages that are about no game, if there is any game."""
    return next((card_of(site, game) for game in site.catalogue), None)


def showcase(site: Site, game: AnyGame) -> Diagram:
    """Return the board of the longest example, of those that end if some do."""
    key = game.info.key
    return site.showcases.get(key, lambda: _shown(game, site.catalogue.help_page(key)))


def _shown(game: AnyGame, page: str) -> Diagram:
    fences = (token for token in MARKDOWN.parse(page) if token.info.strip() == EXAMPLE)
    examples = [found for fence in fences if (found := example(fence.content, game))]
    ends = [(bool(each.ended), each.steps[-1].position) for each in examples if each.steps]
    _, last = max(ends, key=lambda end: (end[0], end[1].ply), default=(False, None))
    position = last or begin(game, game.info.setup())
    return game.diagram(position.state, Viewer(None, game.info.styles[0]))
