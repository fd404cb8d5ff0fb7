"""The list of pages for search engines, in parts (sitemaps.org)."""

from collections.abc import Iterable, Sequence
from datetime import date
from html import escape

from pbm.site.lists import Lists
from pbm.site.pages import Files, Page, Source

_HEAD = '<{} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'

_MAIN = "sitemap~main.xml"

Dated = tuple[str, date | None]
"""The path of a page, and the day on which it changed last, if that is known."""


def sitemap_part(chunk: int) -> str:
    """Return the path of the part with the finished matches of a thousand numbers."""
    return f"sitemap~{chunk}.xml"


def urls(url: str, pages: Iterable[Dated]) -> str:
    """Return a part of the sitemap."""
    return _list("urlset", "url", url, pages)


def sitemap(lists: Lists, chunks: Sequence[int]) -> Page:
    """Return the list of the parts, and the one with all pages but those of matches."""
    keys = [game.info.key for game in lists.site.catalogue.installed]
    games = [f"g/{key}/{page}.html" for key in keys for page in _OF_A_GAME]
    people = [p for p in lists.facts.profiles.values() if p.public and lists.site.index]
    pages: list[Dated] = [(path, None) for path in ("index.html", "about.html", *games)]
    pages += [(p.path, p.presence.last if p.presence else None) for p in people]
    parts: list[Dated] = [(_MAIN, None), *((sitemap_part(chunk), None) for chunk in chunks)]

    def make(_: Source) -> Files:
        url = lists.site.url
        return {
            "sitemap.xml": _list("sitemapindex", "sitemap", url, parts),
            _MAIN: urls(url, pages),
        }

    return Page(("sitemap.xml", _MAIN), (pages, parts), make)


_OF_A_GAME = ("index", "rules")


def _list(whole: str, each: str, url: str, pages: Iterable[Dated]) -> str:
    lines = (f"<{each}>{_where(url + path, day)}</{each}>\n" for path, day in pages)
    return f"{_HEAD.format(whole)}{''.join(lines)}</{whole}>\n"


def _where(address: str, day: date | None) -> str:
    changed = f"<lastmod>{day}</lastmod>" if day else ""
    return f"<loc>{escape(address)}</loc>{changed}"
