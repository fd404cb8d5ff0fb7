"""The files that change only with the program: rules, how it works, style and script."""

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from pbm.engine import AnyGame, Viewer
from pbm.engine.transcript import RemarkStep
from pbm.mail.writing.game_page import EXAMPLE, Example, PlayedStep, example
from pbm.render.boards import replay
from pbm.site.cards import MARKDOWN, card_of, common_card, showcase
from pbm.site.facts import NOT_FOUND, Site, shared_files
from pbm.site.pages import Files, Page, Source


def rules_pages(site: Site) -> Iterator[Page]:
    """Yield the rules of each game, the pages that show nobody, and what all pages link to."""
    yield Page(tuple(shared_files()), (), lambda _: shared_files())
    yield Page(("about.html", NOT_FOUND, "robots.txt"), (), partial(_plain, site))
    for game in site.catalogue.installed:
        path, picture = f"g/{game.info.key}/rules.html", f"g/{game.info.key}/board.png"
        yield Page((path, picture), game.info.rules_version, partial(_rules, site, game, path))


def _plain(site: Site, source: Source) -> Files:
    """Return the pages that show nobody."""
    del source
    sitemap = f"Sitemap: {site.url}sitemap.xml\n" if site.url else ""
    return {
        "about.html": site.page("about", "about.html", card=common_card(site)),
        NOT_FOUND: site.page("404", NOT_FOUND, card=common_card(site)),
        "robots.txt": f"User-agent: *\nDisallow:\n{sitemap}",
    }


def _rules(site: Site, game: AnyGame, path: str, source: Source) -> Files:
    del source
    text = _html(site, game, site.catalogue.help_page(game.info.key))
    card = card_of(site, game)
    png = site.pictures.painter.png(site.pictures.plotter.plot(showcase(site, game)))
    page = site.page("rules", path, game=game.info, text=text, card=card)
    return {path: page, card.path: png.data}


def _html(site: Site, game: AnyGame, markdown: str) -> Markup:
    """Return a help page as HTML. What its author wrote as HTML is text; examples are replays."""
    tokens, number = MARKDOWN.parse(markdown), 0
    for token in tokens:
        if token.type == "fence" and token.info.strip() == EXAMPLE:
            found = example(token.content, game)
            if found:
                number += 1
                token.type, token.content = "html_block", _figure(site, game, found, number)
    text = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    # What can scroll must be reached by the keyboard. A "<" of the author's is "&lt;" here.
    text = text.replace("<pre>", '<pre tabindex="0">').replace("<table>", _TABLE)
    return Markup(text.replace("</table>", "</table></div>"))  # noqa: S704 - escaped by the library


_TABLE = '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>'


def _figure(site: Site, game: AnyGame, shown: Example, number: int) -> str:
    """Return an example as a replay, with its moves and what is said about them."""
    viewer, prefix = Viewer(None, game.info.styles[0]), f"e{number}-"
    positions = [played.position for played in shown.steps if played.turn and not played.refused]
    diagrams = [game.diagram(position.state, viewer) for position in (shown.start, *positions)]
    svg = replay.replay(list(map(site.pictures.plotter.plot, diagrams)), prefix=prefix)
    return site.environment.get_template("site/example.html.j2").render(
        svg=Markup(svg), story=Markup(MARKDOWN.render(shown.story)), prefix=prefix, # noqa: S704
        lines=[line for played in shown.steps for line in _line(played)], ended=shown.ended,
    )  # fmt: skip


def _line(played: PlayedStep) -> Iterator[tuple[str, int | None]]:
    """Yield a step in words, and the ply that it leads to, None if it is not played."""
    if played.refused:
        yield f"{played.turn} is refused: {played.refused}", None
    elif played.turn:
        yield played.turn, played.position.ply
    elif isinstance(played.step, RemarkStep):
        yield played.step.words, None
