"""The files that change only with the program: the rules of the games, style and script."""

from collections.abc import Iterator
from functools import partial

from markdown_it import MarkdownIt
from markupsafe import Markup

from pbm.engine import AnyGame, Viewer
from pbm.engine.transcript import RemarkStep
from pbm.mail.writing.game_page import EXAMPLE, Example, PlayedStep, example
from pbm.render.boards import replay
from pbm.site.facts import Site
from pbm.site.pages import Boards, Files, Page
from pbm.system import folder

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def rules_pages(site: Site) -> Iterator[Page]:
    """Yield the rules of each game, and what all pages link to."""
    yield Page(("s/pbm.css", "s/replay.js"), (), _shared)
    for game in site.catalogue:
        path = f"g/{game.info.key}/rules.html"
        yield Page((path,), game.info.rules_version, partial(_rules, site, game, path))


def _shared(boards: Boards) -> Files:
    """Return the style and the script of the pages."""
    del boards
    own = folder("templates") / "site"
    return {
        "s/pbm.css": (own / "pbm.css").read_text("utf-8") + replay.css(),
        "s/replay.js": (own / "replay.js").read_text("utf-8"),
    }


def _rules(site: Site, game: AnyGame, path: str, boards: Boards) -> Files:
    del boards
    text = _html(site, game, site.catalogue.help_page(game.info.key))
    page = site.environment.get_template("site/rules.html.j2")
    return {path: page.render(site=site, root="../../", game=game.info, text=text)}


def _html(site: Site, game: AnyGame, markdown: str) -> Markup:
    """Return a help page as HTML. What its author wrote as HTML is text; examples are replays."""
    tokens, number = _MARKDOWN.parse(markdown), 0
    for token in tokens:
        if token.type == "fence" and token.info.strip() == EXAMPLE:
            found = example(token.content, game)
            if found:
                number += 1
                token.type, token.content = "html_block", _figure(site, game, found, number)
    text = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
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
        svg=Markup(svg), story=Markup(_MARKDOWN.render(shown.story)), prefix=prefix, # noqa: S704
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
