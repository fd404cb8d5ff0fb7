"""The list of pages for search engines, in parts (sitemaps.org)."""

from collections.abc import Iterable, Sequence
from datetime import date
from html import escape

from pbm.site.lists import Lists
from pbm.site.pages import Files, Page, Source

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

_MAIN = "sitemap~main.xml"

Dated = tuple[str, date | None]
"""The path of a page, and the day on which it changed last, if that is known."""


def sitemap_part(chunk: int) -> str:
    """Return the path of the part with the finished matches of a thousand numbers."""
    return f"sitemap~{chunk}.xml"


def sitemap_of(url: str, pages: Iterable[Dated], whole: str = "urlset", each: str = "url") -> str:
    """Return a list of pages, or of parts with other elements, below `url`."""
    lines = (
        f"<{each}><loc>{escape(url + path)}</loc>"
        f"{f'<lastmod>{day}</lastmod>' if day else ''}</{each}>\n"
        for path, day in pages
    )
    return f'<{whole} xmlns="{_NAMESPACE}">\n{"".join(lines)}</{whole}>\n'


def sitemap(lists: Lists, chunks: Sequence[int]) -> Page:
    """Return the list of the parts, and the one with all pages but those of matches."""
    keys = [game.info.key for game in lists.site.catalogue.installed]
    games = [f"g/{key}/{page}.html" for key in keys for page in ("index", "rules")]
    people = [p for p in lists.facts.profiles.values() if p.public and lists.site.index]
    pages: list[Dated] = [(path, None) for path in ("index.html", "about.html", *games)]
    pages += [(p.path, p.presence.last if p.presence else None) for p in people]
    parts: list[Dated] = [(_MAIN, None), *((sitemap_part(chunk), None) for chunk in chunks)]

    def make(_: Source) -> Files:
        url = lists.site.url
        return {
            "sitemap.xml": sitemap_of(url, parts, "sitemapindex", "sitemap"),
            _MAIN: sitemap_of(url, pages),
        }

    return Page(("sitemap.xml", _MAIN), (pages, parts), make)
