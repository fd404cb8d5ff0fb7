"""The pages of matches and rules as readers meet them: valid, linked, kept to what all may see, and
played from by mail.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import parse_qs, urlsplit
from xml.etree.ElementTree import Element

import html5lib
import pytest

from games.gonnect.position import State
from games.gonnect.rules import Gonnect
from pbm.core.boards import LoadedBoards
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.play import Board
from pbm.engine import Diagram, Viewer
from tests.house import ADDRESS, HouseUnderTest, text_of
from tests.site.building import URL, builder, files_of

TRUSTED = "Authentication-Results: mx.example; dmarc=pass header.from=example.org\n"

GAMES = ("gonnect", "morris", "notwos", "olix", "pow2")

RUNNING, SWAPPABLE, OVER, ROBOTS_TURN, WIDE = range(101, 106), 106, 107, 108, 109

LONG = (
    "m13-e9 a1-d7:e7 e9-f8:e9 a13-g10:g9 m1-l4 g9-m9 l4-h11:g13 m9-m13 e9-f11:e9,e11 e7-e5:e7 "
    "g13-a13 e7-f6:g5 f8-e7:e5,f8 m13-j10 e9-i9:g9,i11,k9 j10-i9:h8,h11,j10,k8 e11-g13:e11,g10,i13"
)
"""Turns of The Power of Two whose list was wider than a phone."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """A running match of each game, one that can be swapped, and one that is over."""
    found = HouseUnderTest(tmp_path_factory.mktemp("house"), authserv_id="mx.example")
    found.add("alice", "bob")
    dice = random.Random(7)
    for game in GAMES:
        number = found.create_match("alice", "bob", game=game, options={})
        for _ in range(6):
            board = board_of(found, number)
            turns = board.game.legal_moves(board.position.state, board.to_move[0])
            move(found, f"move {number} {dice.choice(list(islice(turns, 500)))}")
    for _ in range(2):
        move(found, f"move {found.create_match('alice', 'bob')} C3")
    for turn in ("A1", "C2", "A2", "C4", "A3", "C1", "A4", "C5"):
        move(found, f"move {OVER} {turn}", "a remark")
    found.house.robots.make()
    found.create_match("robot-1", "alice", terms={"rated": "no"})
    found.create_match("alice", "bob", game="pow2", options={})
    for turn in LONG.split():
        move(found, f"move {WIDE} {turn}")
    return found


@pytest.fixture(scope="module")
def site(house: HouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("site")
    builder(house, into).build()
    return into


def board_of(house: HouseUnderTest, number: int) -> Board:
    with house.house.open_reading() as work:
        board = LoadedBoards(work, house.house.catalogue, house.clock()).get(number)
        assert board.match.plies is not None  # the log is read as long as there is a connection
        return board


def move(house: HouseUnderTest, line: str, comment: str = "") -> str:
    """Mail a line as whoever is to move on its board; return the answers."""
    board = board_of(house, int(line.split()[1].partition("#")[0]))
    mover = ("alice", "bob")[board.match.players[board.to_move[0]] - 1]
    answers = house.mail(f"{mover}@example.org", line, comment, headers=TRUSTED)
    return "\n".join(text_of(mail) for mail in answers)


def elements(page: bytes) -> Iterator[Element]:
    """Yield the elements of a page; an error in its HTML is a ParseError."""
    root: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    return root.iter()


def taps(page: Path) -> list[str]:
    """Return the subjects of the mails that links of a page write to move."""
    links = (urlsplit(each.get("href", "")) for each in elements(page.read_bytes()))
    mails = [(link.path, parse_qs(link.query)["subject"][0]) for link in links if link.query]
    assert {to for to, _ in mails} == {ADDRESS}
    return [subject for _, subject in mails if subject.startswith("move")]


def test_every_page_is_valid_and_every_link_leads_to_a_file_and_a_place_in_it(site: Path) -> None:
    files = files_of(site)
    pages = {path: [*elements(page)] for path, page in files.items() if path.endswith(".html")}
    ids = {path: [e.get("id") for e in found if e.get("id")] for path, found in pages.items()}
    assert {path for path, found in ids.items() if len(found) != len(set(found))} == set()
    missing = []
    for path, found in pages.items():
        for each in found:
            assert "style" not in each.attrib, path
            link = each.get("href") or each.get("src") or ""
            # The page for what is not found is shown at any address.
            target = urlsplit(link.removeprefix(URL) if path == "404.html" else link)
            if not link or target.scheme == "mailto":
                continue
            to = normpath(join(dirname(path), target.path)) if target.path else path
            if target.netloc or to not in files or target.fragment not in ("", *ids.get(to, ())):
                missing.append((path, link))
    assert missing == []


@pytest.mark.parametrize("number", [*RUNNING, SWAPPABLE])
def test_each_link_of_a_running_board_plays_its_move(
    house: HouseUnderTest, site: Path, number: int, tmp_path: Path
) -> None:
    board, subjects = board_of(house, number), taps(site / f"b/{number}.html")
    assert subjects
    for place, subject in enumerate(subjects[:: 1 + len(subjects) // 6]):
        (tmp_path / str(place)).mkdir()
        twin = house.twin(tmp_path / str(place))
        answer = move(twin, subject)
        after = board_of(twin, number)
        if after.due == board.due:  # a turn of several points is begun, and the answer lists some
            assert re.search(rf"^ +{subject.split()[2]}\S", answer, re.MULTILINE)
        else:
            assert after.match.plies[-1].text.casefold() == subject.split()[2].casefold()


def test_a_page_of_a_match_says_who_plays_and_what_has_happened(site: Path) -> None:
    page = (site / f"b/{OVER}.html").read_text("utf-8")
    for said in (
        "<title>alice - bob, Gonnect, board 107 - Games by mail</title>",
        '<meta property="og:description" content="alice won: a chain joins two opposite sides.">',
        f'<meta property="og:image" content="{URL}b/107.png">',
        '<a href="../p/alice.html">alice</a></td><td>1500 → 1662 ± 290 (provisional)</td>',
        "Started on 20 Nov 2026, ended on 20 Nov 2026.",
        '<li><a href="#p2" data-put="o A1">Ohs A1</a></li>',
        "last move C5.</p>",
    ):
        assert said in page
    running = (site / "b/106.html").read_text("utf-8")
    assert "<h2>Your move, bob?</h2>" in running
    assert "1 move so far; bob to move." in running
    assert f"mailto:{ADDRESS}?subject=move%20106%232%20swap" in running
    assert taps(site / f"b/{ROBOTS_TURN}.html") == []
    feed = (site / f"b/{OVER}.xml").read_text("utf-8")
    assert feed.index("9. Eks C5") < feed.index("1. Eks C3")


@pytest.mark.parametrize("number", [101, OVER])
def test_a_record_has_days_and_no_talk(house: HouseUnderTest, site: Path, number: int) -> None:
    text = (site / f"b/{number}.json").read_text("utf-8")
    record, match = json.loads(text), board_of(house, number).match
    assert [entry["text"] for entry in record["log"]] == [entry.text for entry in match.log]
    assert record["players"] == record["starters"] == ["alice", "bob"]
    assert "remark" not in text
    assert re.findall(r"\d\d:\d\d", text) == []


class Veiled(Gonnect):
    """Gonnect that shows each side its own stones alone."""

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        """Draw the stones of the viewer."""
        whole = super().diagram(state, viewer)
        own = tuple(piece for piece in whole.pieces if piece.seat == viewer.seat)
        return replace(whole, pieces=own, marks=())


def test_a_page_of_a_game_that_hides_something_gives_nothing_away(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path, authserv_id="mx.example")
    house.add("alice", "bob")
    veiled = Catalogue([InstalledGame(Veiled(), "# Veiled")])
    house.house = replace(house.house, find_games=lambda: veiled)
    move(house, f"move {house.create_match('alice', 'bob')} C3")
    builder(house, tmp_path / "site").build()
    page = (tmp_path / "site/b/101.html").read_text("utf-8")
    assert "Empty board." in page
    assert "subject=move" not in page


def test_rules_are_drawn_and_what_their_author_wrote_as_html_is_text(
    site: Path, tmp_path: Path
) -> None:
    page = (site / "g/gonnect/rules.html").read_text("utf-8")
    for said in (
        "<h2>Options</h2>",
        '<li><a href="#e3-9">9. Eks B3</a></li>\n<li>10. Ohs C3 is refused: ',
        "Eks has won: a chain joins two opposite sides.",
        '<pre tabindex="0"><code>move 104 G7 ',
    ):
        assert said in page
    # Each board of an example is a line's: one that is refused, or a remark, has none.
    drawn, linked = re.findall(r'id="(e\d+-\d+)"', page), re.findall(r'href="#(e\d+-\d+)"', page)
    assert drawn
    assert set(drawn) == set(linked)
    house = HouseUnderTest(tmp_path)
    text = "# <b>X</b>\n[a](javascript:b)\n\n|a|\n|-|\n|1|\n\n```transcript\nno\n```\n"
    games = Catalogue([InstalledGame(Gonnect(), text)])
    house.house = replace(house.house, find_games=lambda: games)
    builder(house, tmp_path / "site").build()
    odd = (tmp_path / "site/g/gonnect/rules.html").read_bytes()
    assert not {"b", "script"} & {each.tag for each in elements(odd)}
    assert "javascript:" not in {each.get("href", "")[:11] for each in elements(odd)}
    assert b'tabindex="0"><table>' in odd
    assert b'<code class="language-transcript">no' in odd
