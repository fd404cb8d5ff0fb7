"""Atom feeds (RFC 4287): news of a match, a player, a game or the server, for feed readers."""

from collections.abc import Iterable
from datetime import date
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pbm.engine import frozen

_ATOM = "http://www.w3.org/2005/Atom"

MOST = 50
"""The most entries of a feed."""

_NEVER = date(1970, 1, 1)
"""The day of a feed without entries."""


@frozen
class FeedItem:
    """One item of news.

    `page` is the path that it leads to, with an anchor if it has one. Its id is that with `key`.
    """

    title: str
    page: str
    day: date
    key: str = ""


def feed(url: str, path: str, title: str, page: str, entries: Iterable[FeedItem]) -> bytes:
    """Return the feed at `path` with the latest news of `page`, of a site whose root is `url`."""
    latest = sorted(entries, key=lambda entry: entry.day, reverse=True)[:MOST]
    root = _head("feed", title, latest[0].day if latest else _NEVER, url + path)
    root.set("xmlns", _ATOM)
    SubElement(root, "link", rel="self", href=url + path)
    SubElement(root, "link", href=url + page)
    SubElement(SubElement(root, "author"), "name").text = url
    for each in latest:
        entry = _head("entry", each.title, each.day, url + each.page + each.key)
        SubElement(entry, "link", href=url + each.page)
        root.append(entry)
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def _head(tag: str, title: str, day: date, identity: str) -> Element:
    """Return an element with what feeds and their entries have in common."""
    found = Element(tag)
    SubElement(found, "title").text = title
    SubElement(found, "id").text = identity
    SubElement(found, "updated").text = f"{day.isoformat()}T00:00:00Z"
    return found
