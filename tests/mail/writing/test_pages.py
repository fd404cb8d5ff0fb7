"""The HTML form of every kind of mail: valid, short, harmless, readable by day and by night."""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import html5lib
import pytest

from gallery.boards import all_games
from gallery.letters import Letter, boards, composed, kinds, letter, opening, several
from games.gonnect import game as gonnect
from pbm.mail.writing.assemble import LINE_OCTETS
from pbm.render.boards.css import SIZES
from pbm.render.html import STYLE
from tests.mail.writing.samples import SITE
from tests.render.boards.samples import contrast

ROOT = Path(__file__).resolve().parents[3]

CLIPPED = 102 * 1024
"""Gmail cuts what is longer, in octets."""

Tag = tuple[str, dict[str, str]]


@cache
def pages() -> dict[str, str]:
    """Return the HTML of each kind of mail, and of boards of all games, by what it shows."""
    return {f"{n} {entry.title}": entry.html for n, entry in enumerate(_letters()) if entry.html}


def _letters() -> Iterator[Letter]:
    yield from kinds()
    yield from several()
    yield letter("", "19x19", composed(opening(gonnect, size="19")))
    for game in all_games():
        for title, notice in boards(game):
            yield letter("", f"{game.info.key} {title}", composed(notice))


class Tags(HTMLParser):
    """Collects the opening tags of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Tag] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@cache
def tags() -> dict[str, list[Tag]]:
    """Return the opening tags of each page, read once for all tests."""
    return {title: Tags(html).found for title, html in pages().items()}


def every_tag() -> Iterator[tuple[str, str, dict[str, str]]]:
    for title, found in tags().items():
        for tag, attributes in found:
            yield title, tag, attributes


def test_every_page_is_well_formed() -> None:
    for title, html in pages().items():
        parser = html5lib.HTMLParser()
        parser.parse(html)
        assert not parser.errors, title


def test_every_page_says_its_language_its_title_and_that_it_fits_a_phone() -> None:
    for html in pages().values():
        head, _, _ = html.partition("</head>")
        assert '<html lang="en">' in head
        assert re.search("<title>[^<]+</title>", head)
        assert '<meta name="viewport" content="width=device-width,initial-scale=1">' in head
        assert '<meta name="color-scheme" content="light dark">' in head


def test_no_page_is_cut_by_gmail() -> None:
    longest = sorted(pages().items(), key=lambda page: len(page[1]))[-4:]
    assert any(title.endswith("19x19") for title, _ in longest)
    assert len(longest[-1][1].encode()) <= CLIPPED


def test_a_page_has_the_rules_that_its_boards_need_and_few_others() -> None:
    seen: set[frozenset[str]] = set()
    for title, html in pages().items():
        head, _, _ = html.partition("</style>")
        classes = {word for _, found in tags()[title] for word in found.get("class", "").split()}
        tables = {"pbl", "pbc"} & classes
        pictured = any(tag == "img" for tag, _ in tags()[title])
        assert (".pb td{" in head) == ("pb" in classes or pictured), title
        assert not pictured or len(html) > 3_200, f"{title} is spam to SpamAssassin"
        assert (".pbl td{background" in head) == bool(tables), title
        sizes = {f"s{size}" for size in SIZES}
        assert {size for size in sizes if f".{size} td{{" in head} == sizes & classes, title
        assert (".e{display" in head) == bool(tables and "e" in classes), title
        seen.add(frozenset(sizes & classes))
    # A picture alone, one board, boards of several sizes; no sample has cells of 20.
    assert {0, 1, 2} <= {len(used) for used in seen}
    assert set().union(*seen) == sizes - {"s20"}


def test_no_line_of_a_page_is_longer_than_hosts_take() -> None:
    lines = {title: max(map(len, html.split("\n"))) for title, html in pages().items()}
    assert {title: length for title, length in lines.items() if length > LINE_OCTETS} == {}


@pytest.mark.parametrize("mail", ["digest", "reminders"])
def test_of_several_boards_all_can_be_tapped_that_gmail_shows(mail: str) -> None:
    each, many = (
        next(html for title, html in pages().items() if title.endswith(f"{mail} of {which}"))
        for which in ("each game", "ten of 19x19")
    )
    assert len(re.findall(r">Tap [a-z ]+:", each)) == 7
    assert re.findall(r">Tap the piece to move:\s+<a [^>]+move%20104%20b4%23\d+[^>]+>b4</a>", each)
    assert len(re.findall(r">Tap [a-z ]+:<", many)) == 1
    assert len(re.findall(r"<a [^>]+>show 104</a>", many)) == 10


def test_nothing_is_loaded_from_elsewhere_and_nothing_runs() -> None:
    for title, tag, attributes in every_tag():
        assert tag not in {"script", "iframe", "object", "embed", "form", "link", "base"}, title
        assert attributes.get("src", "cid:").startswith("cid:"), title
        assert not [name for name in attributes if name.startswith("on")], title
        assert "background" not in attributes, title
    for title, html in pages().items():
        assert not re.search(rf"url\(|@import|(?!{SITE})https?:", html), title


def test_every_link_writes_a_mail_with_something_in_it() -> None:
    links = [attributes["href"] for _, tag, attributes in every_tag() if tag == "a"]
    assert len(links) > 361
    mails = [link for link in links if not re.fullmatch(rf"{SITE}(?:[bgp]/[a-z0-9.]+/?)?", link)]
    assert all(re.fullmatch(r"mailto:[^?\s]+\?subject=[^&\s]+&body=\S+", link) for link in mails)


def test_every_picture_has_words_and_a_width_in_its_place() -> None:
    pictures = [attributes for _, tag, attributes in every_tag() if tag == "img"]
    assert pictures
    assert all(picture["alt"] and picture["width"].isdigit() for picture in pictures)


def properties(html: str) -> Iterator[str]:
    """Yield what a page uses of CSS: properties, functions, media queries, attributes."""
    block = html.partition("<style>")[2].partition("</style>")[0]
    inline = re.findall(r' style="([^"]*)"', html)
    for declarations in (*re.findall(r"\{([^{}]*)\}", block), *inline):
        yield from (part.partition(":")[0].strip() for part in declarations.split(";") if part)
        yield from (f"{name}()" for name in re.findall(r"([a-z-]+)\(", declarations))
    yield from (f"@media ({name})" for name in re.findall(r"@media ?\(([a-z-]+)", block))
    yield from re.findall(r"\[data-\w+\]", block)


def test_each_property_is_in_the_table_of_what_mail_programs_know_and_no_other() -> None:
    table = (ROOT / "docs/mail-css.md").read_text("utf-8")
    rows = [row.split("|") for row in table.split("\n") if row.startswith("| `")]
    told = {name for row in rows for name in re.findall("`([^`]+)`", row[1])}
    assert all(len(row) == 9 and all(map(str.strip, row[1:-1])) for row in rows)
    used = {name for html in pages().values() for name in properties(html)}
    assert used == told


def colours(style: str) -> dict[str, str]:
    """Return the colours of a style block: "ground", "text", "link" and "footer"."""
    patterns = {
        "ground": r"\.pbm\{background:(#\w{6})",
        "text": r"\.pbm\{[^}]*[;]color:(#\w{6})",
        "link": r"\.pbm a\{color:(#\w{6})",
        "footer": r"\.pbf\{color:(#\w{6})",
    }
    return {name: re.findall(pattern, style)[0] for name, pattern in patterns.items()}


def test_words_stand_out_from_the_page_by_day_and_by_night() -> None:
    day, _, dark = STYLE.rpartition("@media (prefers-color-scheme:dark)")
    for style in (day, dark):
        shown = colours(style)
        for name in ("text", "link", "footer"):
            assert contrast(shown[name], shown["ground"]) >= 4.5, name  # WCAG 2.2, 1.4.3


def test_what_has_a_colour_of_its_own_has_another_one_by_night() -> None:
    for title, html in pages().items():
        night = "".join(
            re.findall(r"@media ?\(prefers-color-scheme:dark\)\{(.*?\})\}", html, re.DOTALL)
        )
        for tag, attributes in tags()[title]:
            if re.search(r"(?:^|;)(?:color|background):", attributes.get("style", "")):
                classes = attributes.get("class", "").split()
                assert any(f".{name}" in night for name in classes), (title, tag, attributes)
