"""The front page, the pages of games and players, feeds, and files for programs."""

from datetime import date
from xml.etree import ElementTree

from pbm.site.feeds import Entry, feed

ATOM = "{http://www.w3.org/2005/Atom}"


def test_a_feed_has_what_rfc_4287_asks_for() -> None:
    entries = [
        Entry("1. C4 <", "b/104.html#p1", date(2026, 11, 20), text="alice & bob"),
        Entry("Result", "b/104.html", date(2026, 11, 21), "#end"),
    ]
    made = feed("https://g.example/", "b/104.xml", "Olix 104", "b/104.html", entries)
    root = ElementTree.fromstring(made)
    texts = {tag: [e.text for e in root.iter(ATOM + tag)] for tag in ("id", "title", "updated")}
    assert texts["id"] == [
        *("https://g.example/b/104.xml", "https://g.example/b/104.html#p1"),
        "https://g.example/b/104.html#end",
    ]
    assert texts["title"] == ["Olix 104", "1. C4 <", "Result"]
    assert texts["updated"] == [f"2026-11-{day}T00:00:00Z" for day in (21, 20, 21)]
    assert [(link.get("rel"), link.get("href")) for link in root.iter(f"{ATOM}link")][:2] == [
        ("self", "https://g.example/b/104.xml"),
        (None, "https://g.example/b/104.html"),
    ]
    empty = feed("https://g.example/", "feed.xml", "Results", "index.html", ())
    assert ElementTree.fromstring(empty).findtext(f"{ATOM}updated") == "1970-01-01T00:00:00Z"
