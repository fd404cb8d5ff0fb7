"""The front page, the pages of games and players, feeds, and files for programs.

They are made of facts without a house, because a mail says little of a hundred boards.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from xml.etree import ElementTree

import html5lib
import pytest

from pbm import system
from pbm.domain.invitations import Seek, Terms
from pbm.domain.match import Ending, Outcome, new_match
from pbm.domain.play import live
from pbm.domain.player import PlayerId
from pbm.domain.ratings import Rating, RatingChange
from pbm.domain.seen import SeenBoard, seen
from pbm.engine import to_json, to_plain
from pbm.mail.writing.pictures import PictureCache
from pbm.mail.writing.wording import add_filters
from pbm.plugins import installed_games
from pbm.render.templates import Templates
from pbm.site.facts import HIDDEN, Facts, Profile, Site
from pbm.site.feeds import MOST, FeedItem, feed
from pbm.site.front_page import front_page
from pbm.site.game_pages import GameRows, chunk_pages, game_page, manifest
from pbm.site.lists import MOST_ROWS, Lists
from pbm.site.pages import Page
from pbm.site.people_pages import people_pages
from pbm.site.player_pages import PlayerRows, player_pages
from pbm.site.rules_pages import rules_pages
from pbm.site.sitemap import sitemap
from pbm.store.changed_matches import Presence
from pbm.store.match_reading import GameCounts, MatchRow
from tests.house import ADDRESS, START

ATOM = "{http://www.w3.org/2005/Atom}"

ALICE, BOB, CAROL, ROBOT, DAVE = range(1, 6)
"""Carol is hidden, and dave has left."""

WON, DRAWN = Outcome(Ending.RESIGNED, (0,)), Outcome(Ending.AGREED)

URL = "https://games.example/pbm/"


def site(*, index: bool = False) -> Site:
    environment = Templates(system.folder("templates")).environment
    add_filters(environment)
    return Site(installed_games(), ADDRESS, URL, index, environment, PictureCache())


SITE = site()


def profile(
    number: PlayerId, userid: str, *, public: bool = True, active: bool = True, level: int = 0
) -> Profile:
    rating = Rating(1500 + 10 * number, 80, won=0 if level else 3, updated_at=START)
    ratings = {"gonnect": rating}
    name = f"{userid} (robot)" if level else userid
    name, path = (name, f"p/{userid.lower()}.html") if public else (HIDDEN, "")
    presence = Presence(START.date(), START.date(), 3) if number == ALICE else None
    return Profile(number, userid, name, path, active, level or None, ratings, presence)


def board(
    number: int, *players: PlayerId, days: float, outcome: Outcome | None = None, game: str = ""
) -> MatchRow:
    last = START + timedelta(days)
    return MatchRow(
        number, game or "gonnect", 1, number, 12, START, last, last if outcome else None,
        to_json(to_plain(outcome)) if outcome else None, '{"size": "9"}', players, (),
        () if outcome else (1,), (),
    )  # fmt: skip


def rated(after: float) -> Outcome:
    change = RatingChange(Rating(), Rating(after, 90))
    return replace(WON, ratings=(change, change))


@dataclass(frozen=True)
class Here:
    """Facts and matches without a store."""

    facts: Facts
    boards: Mapping[int, MatchRow]

    def course(self, number: int) -> tuple[SeenBoard, ...]:
        return (self.board(number),)

    def board(self, number: int) -> SeenBoard:
        row = self.boards[number]
        game = SITE.catalogue.get(row.game)
        match = new_match(number, game, game.info.setup({}), Terms(), row.players, START)
        return seen(live(match, game), None)

    def rows(self, numbers: Collection[int]) -> Sequence[MatchRow]:
        return [self.boards[number] for number in numbers]


def facts(*boards: MatchRow, seeks: tuple[Seek, ...] = ()) -> Here:
    people = (
        profile(ALICE, "Alice"), profile(BOB, "bob"), profile(CAROL, "carol", public=False),
        profile(ROBOT, "robot-2", level=2), profile(DAVE, "dave", public=False, active=False),
    )  # fmt: skip
    return Here(Facts({p.id: p for p in people}, seeks), {row.number: row for row in boards})


SEEK = Seek(120, BOB, "olix", SITE.catalogue.get("olix").info.setup({}), Terms(), 1, START, seat=1)
HOUSE = facts(
    board(101, ALICE, BOB, days=1, outcome=rated(1600)),
    board(102, ALICE, CAROL, days=2),
    board(103, BOB, ALICE, days=3),
    board(104, ROBOT, ALICE, days=4, outcome=DRAWN),
    board(105, DAVE, ALICE, days=5, outcome=rated(1650)),
    board(106, BOB, ROBOT, days=2, game="olix"),
    seeks=(SEEK,),
)


def pages(here: Here, made_for: Site) -> Iterator[Page]:
    lists = Lists(here.facts, made_for)
    moved = sorted(here.boards.values(), key=lambda row: (row.moved_at, row.number))[::-1]
    over = [row for row in moved if row.over]
    counts = {}
    yield from islice(rules_pages(made_for), 2)
    for game in made_for.catalogue:
        key = game.info.key
        running = [row for row in moved if row.game == key and not row.over]
        ended = [row for row in over if row.game == key]
        counts[key] = GameCounts(len(running), len(ended), 0)
        begun = sorted((*running, *ended), key=lambda row: -row.number)[:MOST]
        yield game_page(lists, game, GameRows(running, ended[:MOST_ROWS], begun, counts[key]))
        yield manifest(key, [0] if ended else [])
    yield front_page(lists, moved, over[:MOST], counts)
    yield from chunk_pages(lists, 0, sorted(over))
    yield from people_pages(lists)
    yield sitemap(lists, [0])
    for profile in here.facts.profiles.values():
        mine = [row for row in moved if profile.id in row.players]
        running, ended = ([row for row in mine if row.over == is_over] for is_over in (False, True))
        known = [(row.number, row.version) for row in reversed(ended)]
        if profile.public:
            yield from player_pages(lists, profile, PlayerRows(running, len(running), ended, known))


def files(here: Here, made_for: Site = SITE) -> dict[str, str]:
    made = [page.make(here) for page in pages(here, made_for)]
    texts = {p: c if isinstance(c, str) else c.decode() for each in made for p, c in each.items()}
    assert len(texts) == sum(map(len, made)), "two pages write one file"
    return texts


FILES = files(HOUSE)


def words(page: str) -> str:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return " ".join(" ".join(parser.parse(page).find("body").itertext()).split())


@pytest.mark.parametrize(
    ("path", "said", "unsaid"),
    [
        ("index.html",
         ("OLIX 106 bob - robot-2 (robot) robot-2 (robot) to move, 22 Nov 2026",
          "bob : OLIX, rated; 21 days for a move, with a reminder after 7. bob plays White.",
          "Gonnect 105 a player - Alice Alice resigned 12 moves, 25 Nov 2026"),
         ("Gonnect 102",)),
        ("g/gonnect/index.html",
         ("Matches in progress Board Players Turn Gonnect 103 bob - Alice Alice to move",
          "Gonnect 102 Alice - a player",
          "Rank Player Rating +- Won Lost Drawn 1 a player 1530 80 3 0 0 2 bob 1520",
          "Level Player Rating +- Won Lost Drawn 2 robot-2 (robot) 1540"), ("106", "1550")),
        ("g/olix/index.html", ("A game of four patterns on a board of 11",), ("# OLIX",)),
        ("g/notwos/index.html", ("looks for an opponent.",), ("Matches", "robot")),
        ("p/alice.html",
         ("Game Rating +- Won Lost Drawn Gonnect 1510 80 3 0 0",
          "Day Rating +- 25 Nov 2026 1650 90 21 Nov 2026 1600 90",
          "Won Lost Drawn a player 0 1 0 bob 1 0 0 robot-2 (robot) 0 0 1",
          "Finished matches Board Players Result Gonnect 105 a player - Alice Alice resigned"),
         ("106", "level")),
        ("p/robot-2.html",
         ("A robot of level 2. Feed", "write robot-2 .", "OLIX 106"), ("Day Rating",)),
        ("p/index.html",
         ("Alice 20 Nov 2026 Gonnect 1510 challenge bob not yet Gonnect 1520 challenge",
          "Robots Player Last played Ratings Play robot-2 (robot) not yet Gonnect 1540 play"),
         (HIDDEN, "carol")),
        ("about.html", ("set public no",), ()),
        ("404.html", ("no such page",), ()),
    ],
)  # fmt: skip
def test_pages_say(path: str, said: tuple[str, ...], unsaid: tuple[str, ...]) -> None:
    text = words(FILES[path])
    assert [each for each in said if each not in text] == []
    assert [each for each in unsaid if each in text] == []


def test_a_hidden_player_and_their_boards_have_no_file_and_no_link() -> None:
    linked = {link for page in FILES.values() for link in re.findall(r"\b[bp]/[\w~.-]+", page)}
    assert {re.sub(r"\..*", "", link) for link in linked} == {
        *("b/101", "b/103", "b/104", "b/106", "p/alice", "p/bob", "p/robot-2", "p/index"),
    }
    assert not re.search(r"carol|dave", "".join(FILES.values()))


def entries(path: str) -> list[tuple[str | None, str]]:
    found = ElementTree.fromstring(FILES[path]).iter(f"{ATOM}entry")
    return [
        (each.findtext(f"{ATOM}title"), (each.findtext(f"{ATOM}id") or "").removeprefix(URL))
        for each in found
    ]


def test_feeds_have_results_beginnings_and_turns() -> None:
    ends = [
        ("Gonnect 105, a player - Alice: Alice resigned", "105-end"),
        ("Gonnect 104, robot-2 (robot) - Alice: draw: agreed", "b/104.html#104-end"),
        ("Gonnect 101, Alice - bob: bob resigned", "b/101.html#101-end"),
    ]

    def of(page: str) -> list[tuple[str, str]]:
        return [(title, key if "/" in key else f"{page}#{key}") for title, key in ends]

    assert entries("feed.xml") == of("index.html")
    turn = ("Gonnect 103, bob - Alice: Alice to move", "b/103.html#103-12")
    assert entries("p/alice.xml") == [*of("p/alice.html")[:2], turn, of("")[2]]
    assert entries("p/bob.xml") == [of("")[2]]
    assert entries("g/olix/feed.xml") == [
        ("OLIX 106, bob - robot-2 (robot): begun", "b/106.html#106-begun")
    ]


def test_programs_get_each_finished_match_of_a_game_in_parts_that_do_not_change() -> None:
    found = json.loads(FILES["g/gonnect/matches.json"])
    assert found == {"format": 2, "game": "gonnect", "parts": ["g/gonnect/matches~0.json"]}
    lines = json.loads(FILES["g/gonnect/matches~0.json"])
    assert [(each["board"], each["record"]) for each in lines] == [
        (105, None), (104, "b/104.json"), (101, "b/101.json"),
    ]  # fmt: skip
    assert lines[0] == {
        "board": 105, "players": [HIDDEN, "Alice"], "begun": "2026-11-20", "ended": "2026-11-25",
        "result": "Alice resigned", "winners": [0], "ending": "resigned", "reason": "",
        "plies": 12, "options": {"size": "9"}, "rules_version": 1, "record": None,
    }  # fmt: skip
    about = words(FILES["about.html"])
    assert [field for field in (*found, *lines[0]) if field not in about] == []


def addresses(part: str) -> list[str]:
    return re.findall(f"<loc>{URL}(.*?)</loc>", part)


def test_search_engines_find_players_only_if_the_operator_wants() -> None:
    noindex = '<meta name="robots" content="noindex">'
    assert noindex in FILES["p/bob.html"]
    assert noindex not in FILES["index.html"]
    assert addresses(FILES["sitemap.xml"]) == ["sitemap~main.xml", "sitemap~0.xml"]
    listed = addresses(FILES["sitemap~main.xml"])
    assert listed[:2] == ["index.html", "about.html"]
    assert "g/gonnect/index.html" in listed
    assert listed[-1] == "g/ygame/rules.html"
    assert addresses(FILES["sitemap~0.xml"]) == ["b/101.html", "b/104.html"]
    assert "b/104.html</loc><lastmod>2026-11-24</lastmod>" in FILES["sitemap~0.xml"]
    shown = files(HOUSE, site(index=True))
    assert noindex not in shown["p/bob.html"]
    assert f"{URL}p/bob.html" in shown["sitemap~main.xml"]


def played(numbers: Iterable[int]) -> Here:
    return facts(*(board(n, ALICE, BOB, days=n, outcome=rated(1500 + n % 100)) for n in numbers))


def test_pages_of_older_boards_are_full_and_do_not_change() -> None:
    pages = files(played(range(101, 351)))
    numbers = {
        path: [int(each) for each in re.findall(r'href="\.\./b/(\d+)', page)]
        for path, page in pages.items()
        if path.startswith("p/alice") and path.endswith("html")
    }
    assert {path: (found[0], found[-1]) for path, found in numbers.items()} == {
        "p/alice.html": (350, 251), "p/alice~1.html": (200, 101), "p/alice~2.html": (300, 201),
    }  # fmt: skip
    assert 'href="../p/alice~2.html">Older' in pages["p/alice.html"]
    assert 'href="../p/alice~1.html">Older' in pages["p/alice~2.html"]
    assert "Older" not in pages["p/alice~1.html"]
    more = files(played(range(101, 352)))
    older = {path for path in pages if path.startswith("p/") and "~" in path}
    assert {path: pages[path] for path in older} == {path: more[path] for path in older}
    assert "p/alice~1.html" not in files(played(range(101, 201)))


def test_a_curve_has_a_hundred_days_at_most_and_the_last_one() -> None:
    page = files(played(range(101, 601)))["p/alice.html"]
    days = re.findall(r'<th scope="row">(\d+ \w+ \d+)</th>', page)
    assert 80 <= len(days) <= 100
    assert days[0] == "12 Jul 2028"


def test_a_feed_has_what_rfc_4287_asks_for() -> None:
    news = [
        FeedItem("1. C4 <", "b/104.html#p1", date(2026, 11, 20)),
        FeedItem("Result", "b/104.html", date(2026, 11, 21), "#end"),
    ]
    root = ElementTree.fromstring(feed(URL, "b/104.xml", "Olix 104", "b/104.html", news))
    texts = {tag: [e.text for e in root.iter(ATOM + tag)] for tag in ("id", "title", "updated")}
    assert texts == {
        "id": [f"{URL}b/104.xml", f"{URL}b/104.html#end", f"{URL}b/104.html#p1"],
        "title": ["Olix 104", "Result", "1. C4 <"],
        "updated": [f"2026-11-{day}T00:00:00Z" for day in (21, 21, 20)],
    }
    assert [(link.get("rel"), link.get("href")) for link in root.iter(f"{ATOM}link")][:2] == [
        ("self", f"{URL}b/104.xml"), (None, f"{URL}b/104.html"),
    ]  # fmt: skip
    empty = feed(URL, "feed.xml", "Results", "index.html", ())
    assert ElementTree.fromstring(empty).findtext(f"{ATOM}updated") == "1970-01-01T00:00:00Z"


def test_last_moves_are_in_the_order_of_the_moves_with_two_of_a_game_at_most() -> None:
    """By mail it would take a day of moves; no page shows the time that orders them."""
    early, late, third = (
        board(n, ALICE, BOB, days=h / 24) for n, h in ((140, 1), (101, 11), (99, 0))
    )
    begun_today = board(141, ALICE, BOB, days=0.5)._replace(ply=5)
    front = files(facts(early, late, third, begun_today))["index.html"]
    assert re.findall(r'<li><a href="b/(\d+)', front) == ["101", "140"]
