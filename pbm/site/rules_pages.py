"""The files of the site that change only with the program: rules of the games, style and script."""

from collections.abc import Iterator

from pbm.render.boards import replay
from pbm.site.facts import Site
from pbm.site.pages import Boards, Files, Leaf
from pbm.system import folder


def rules_leaves(site: Site) -> Iterator[Leaf]:
    """Yield the rules of each game, and what all pages link to."""
    del site
    yield Leaf(("s/pbm.css", "s/replay.js"), (), _shared)


def _shared(boards: Boards) -> Files:
    """Return the style and the script of the pages."""
    del boards
    own = folder("templates") / "site"
    return {
        "s/pbm.css": (own / "pbm.css").read_text("utf-8") + replay.css(),
        "s/replay.js": (own / "replay.js").read_text("utf-8"),
    }
