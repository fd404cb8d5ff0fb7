"""Laws of leagues: points are those of the boards whatever happens, and nothing is done twice.

Further in than a mail, because these are laws, races and a cost.
"""

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import combinations
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from pbm.config import Settings
from pbm.core.league_tables import tables_now
from pbm.domain.errors import NotNow
from pbm.domain.invitations import Terms
from pbm.domain.leagues import Season, SeasonState
from pbm.domain.logs import EntryKind
from pbm.domain.match import Ending, Match
from pbm.operator.leagues import add_players, open_league
from pbm.operator.personal import erase
from pbm.operator.upkeep import verify_all
from pbm.server.assembly import App
from tests.databases import new_database
from tests.house import ADDRESS, SMALL, HouseUnderTest, text_of
from tests.processes import PATIENCE, another
from tests.site.building import builder, files_of

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]

LEAGUE = "small-league"


@pytest.fixture(params=BOTH)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HouseUnderTest]:
    """Yield a house on each database."""
    with new_database(request.param, tmp_path) as url:
        house = HouseUnderTest(tmp_path, url=url)
        yield house
        house.house.close()


def entered(house: HouseUnderTest, many: int, size: int) -> list[str]:
    """Open a league, which `many` new players enter; it begins a day later. Return their names."""
    names = [f"player{n}" for n in range(many)]
    house.add(*names, text_alone=True)
    with house.administration() as admin:
        terms = Terms().read({"time": "7d+12h/14d"})
        begins = house.clock.now + timedelta(days=1)
        open_league(admin, Season(
            0, LEAGUE, 1, "gonnect", SMALL, terms, size, least=4, notice=7, once=False,
            state=SeasonState.ENTRY, starts_at=begins,
        ))  # fmt: skip
        add_players(admin, LEAGUE, names)
    house.deliver()
    house.clock.now += timedelta(days=1)
    return names


def seasons(house: HouseUnderTest) -> tuple[Season, ...]:
    with house.house.open_reading() as work:
        return work.leagues.all()


def test_the_pages_have_the_table_of_a_season_and_the_place_of_each_player(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    names = entered(house, 4, 4)
    house.remind()
    house.play()
    with house.administration() as admin:
        admin.adjudicate(admin.work.matches.listing(over=False)[0].number, (0,))
    builder(house, tmp_path / "site").build()
    table = (tmp_path / f"site/l/{LEAGUE}-1.html").read_text("utf-8")
    assert all(f'href="../p/{name}.html"' in table for name in names)
    places = [
        re.findall(
            rf'l/{LEAGUE}-1.html">[^<]+</a>: (\d of 4 in division 1)',
            (tmp_path / f"site/p/{name}.html").read_text("utf-8"),
        )
        for name in names
    ]
    assert sorted(places) == [[f"{place} of 4 in division 1"] for place in range(1, 5)]


# ---- points are those of the boards

EVENTS = 300
WEIGHTS = {"move": 60, "resign": 12, "adjudicate": 8, "undo": 8, "close": 3}
SELDOM = {50: "leave", 150: "erase", 200: "leave", 250: "erase"}
"""The event at each number, so that players are left for the others."""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_points_are_those_of_the_boards_whatever_happens(tmp_path: Path, number: int) -> None:
    house, chance = HouseUnderTest(tmp_path), Random(number)
    names = entered(house, 10, 5)
    house.add("witness", text_alone=True)
    house.remind()
    house.play()
    happened = Counter[str]()
    for n in range(EVENTS):
        house.clock.now += timedelta(minutes=1)
        event = SELDOM.get(n) or chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        happened[event] += happens(house, event, chance, names)
        check_points(house)
        if n % 100 == 0:
            builder(house, tmp_path / "site").build()
    assert {each for each in happened if happened[each]} == {*WEIGHTS, *SELDOM.values()}
    house.play()
    (mail,) = house.mail("witness@example.org", f"league {LEAGUE}-1")
    assert "Division 2" in text_of(mail)
    with house.administration() as admin:
        for row in admin.work.matches.listing(over=False):
            admin.adjudicate(row.number, (0,))
    house.remind()
    assert [season.state for season in seasons(house)] == [SeasonState.OVER, SeasonState.ENTRY]
    assert house.shunted() == ()
    builder(house, tmp_path / "site").build()
    builder(house, tmp_path / "anew").build(everything=True)
    assert f"l/{LEAGUE}-1.html" in files_of(tmp_path / "site")
    assert files_of(tmp_path / "site") == files_of(tmp_path / "anew")
    with house.house.open_reading() as work:
        assert set(dict(verify_all(work, house.house.catalogue)).values()) == {()}


def happens(house: HouseUnderTest, event: str, chance: Random, names: list[str]) -> bool:
    """Let one thing happen; return whether it did."""
    with house.house.open_reading() as work:
        rows = work.matches.listing()
    open_ = [row for row in rows if not row.over]
    over = [row for row in rows if row.over]
    player = chance.choice(names)
    if event == "leave":
        return bool(house.mail(f"{player}@example.org", f"leave {LEAGUE} {player} {player}-pw yes"))
    if event == "erase":
        with house.administration() as admin:
            erase(admin, player)
        names.remove(player)
        return True
    if not open_ or (event == "undo" and over):
        event, open_ = "undo", over
    row = chance.choice(open_)
    if event in ("move", "resign"):
        seat = row.to_move[0] if event == "move" else chance.randrange(2)
        name = row.userids[seat]
        line = f"{chance.choice('ABCDE')}{chance.randint(1, 5)}" if event == "move" else ""
        return bool(
            house.mail(f"{name}@example.org", f"{event} {row.number} {name} {name}-pw {line}")
        )
    with house.administration() as admin:
        if event == "undo":
            with suppress(NotNow):  # no move to take back
                admin.undo(row.number)
        elif event == "close":
            admin.close(row.number)
        else:
            admin.adjudicate(row.number, chance.choice([(), (0,), (1,)]))
    return True


def check_points(house: HouseUnderTest) -> None:
    """Compare the points of all tables with what the matches say themselves."""
    with house.house.open_reading() as work:
        season = work.leagues.of(LEAGUE)[0]
        there = {entrant.player: entrant for entrant in work.leagues.entrants(season.id)}
        numbers = {pair.number: (pair.first, pair.second) for pair in work.leagues.pairings(1)}
        matches = {number: found[0] for number in numbers if (found := work.matches.get(number))}
        apart = {
            player
            for player, entrant in there.items()
            if (left := entrant.left_at)
            and 2 * sum(
                bool(match.ended_at and match.ended_at < left)
                for match in matches.values() if player in match.players
            ) < sum(player in match.players for match in matches.values())
        }  # fmt: skip
        points = Counter(dict.fromkeys(there, 0))
        for match in matches.values():
            if apart.isdisjoint(match.players):
                points.update(halves_of(match))
        tables = tables_now(work, season)
        assert {row.player: row.points for rows in tables.values() for row in rows} == points


def halves_of(match: Match) -> dict[int, int]:
    outcome, players = match.outcome, match.players
    if outcome is None or outcome.ending is Ending.CLOSED:
        return {}
    if outcome.ending is Ending.DECLINED:
        (*_, refused) = (entry.seat for entry in match.log if entry.kind is EntryKind.RESIGN)
        return {player: 2 for seat, player in enumerate(players) if seat != refused}
    winners = [players[seat] for seat in outcome.winners]
    return dict.fromkeys(winners, 2) if winners else dict.fromkeys(players, 1)


# ---- two servers, killed again and again

KILLS = 15
LONGEST_LIFE = 0.4


def serve(url: str, key: Path, now: datetime) -> int:
    """Fork a server that does what is due, and then what that has begun; return its process."""
    if process := os.fork():
        return process
    house = App(Settings(ADDRESS, url, "null:", key), lambda: now)
    while house.do_what_is_due() or house.play_stage.go_on():
        pass
    os._exit(0)


def live_and_die(told: Connection, url: str, key: Path, now: datetime) -> None:
    """Kill servers that run two at a time; tell how many were killed in the midst of work."""
    chance, killed = Random(104), 0
    for _ in range(KILLS):
        processes = [serve(url, key, now) for _ in range(2)]
        told.poll(chance.uniform(0.05, LONGEST_LIFE))  # nobody writes: it waits
        for process in processes:
            os.kill(process, signal.SIGKILL)
            killed += os.WIFSIGNALED(os.waitpid(process, 0)[1])
    told.send(killed)


def serve_and_die(house: HouseUnderTest) -> None:
    """Let two servers at a time do what is due, and kill them, until all of it is done."""
    house.house.close()
    url, key = house.house.settings.database, house.folder / "key"
    with another(live_and_die, url, key, house.clock.now) as nursery:
        assert nursery.told.poll(3 * PATIENCE)
        print(nursery.told.recv(), "were killed at work")
    house.remind()
    house.play()


@pytest.mark.slow
def test_killed_servers_begin_and_end_a_season_once(house: HouseUnderTest) -> None:
    chance, names = Random(104), entered(house, 20, 10)
    before = len(house.sent)
    serve_and_die(house)
    begun = [mail for mail in house.sent[before:] if "has begun:" in mail["Subject"]]
    assert sorted(mail["To"] for mail in begun) == sorted(f"{name}@example.org" for name in names)
    with house.house.open_reading() as work:
        rows = work.matches.listing()
        pairs = Counter(tuple(sorted(row.players)) for row in rows)
        tables = tables_now(work, work.leagues.all()[0])
    met = [pair for rows_ in tables.values() for pair in combinations([r.player for r in rows_], 2)]
    assert pairs == Counter(tuple(sorted(pair)) for pair in met)
    first_mails = Counter(mail["From"] for mail in house.sent[before:] if "[" in mail["Subject"])
    assert first_mails == Counter(f"Your move - Gonnect {r.number} <{ADDRESS}>" for r in rows)
    assert [season.state for season in seasons(house)] == [SeasonState.PLAY, SeasonState.ENTRY]
    with house.administration() as admin:
        for row in rows:
            admin.adjudicate(row.number, (chance.randrange(2),))
    house.deliver()
    before = len(house.sent)
    serve_and_die(house)
    ended = sorted(mail["To"] for mail in house.sent[before:])
    assert ended == sorted(f"{name}@example.org" for name in names)
    assert [season.state for season in seasons(house)] == [SeasonState.OVER, SeasonState.ENTRY]


# ---- what a large season costs


@pytest.mark.slow
def test_a_season_of_two_hundred_begins_in_a_second_and_its_boards_a_few_at_a_time(
    house: HouseUnderTest,
) -> None:
    entered(house, 200, 8)
    began = time.process_time()
    house.house.do_what_is_due()
    assert time.process_time() - began < 1
    parts, longest = 0, 0.0
    while True:
        began = time.process_time()
        if not house.house.play_stage.go_on():
            break
        longest, parts = max(longest, time.process_time() - began), parts + 1
    print(f"{parts} parts, the longest {longest * 1000:.0f} ms")
    with house.house.open_reading() as work:
        assert work.matches.count() == 700
    assert parts <= 235
