"""Leagues: names, divisions, pairings, tables and the order of the next season, as tables of text.

Further in than a mail, because there are too many cases for seasons by mail.
"""

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from pbm.domain.leagues import (
    Decision,
    Entrant,
    LeagueBoard,
    Mark,
    Pairing,
    Row,
    decided,
    divisions,
    named_season,
    order,
    round_robin,
    table_of,
    tables_of,
)
from pbm.domain.match import Ending, Outcome
from tests.domain.matches import NOW
from tests.readings import answers, sections

TABLES = sections(Path(__file__).parent / "leagues.txt")


RESULTS = {
    "Karjakin": "*0101=1=11",
    "Carlsen": "1*====0=11",
    "Nakamura": "0=*=011=11",
    "Svidler": "1==*==0==1",
    "Aronian": "0=1=*====1",
    "Anand": "==0==*0111",
    "Wang": "0101=1*==0",
    "Topalov": "=====0=*==",
    "Radjabov": "000==0==*1",
    "Hammer": "0000001=0*",
}
"""Norway Chess 2013 as it was published (chessgames.com, tid=81141), in the published order."""

STRENGTHS = {"Carlsen": 22.75, "Nakamura": 21.25, "Svidler": 21.5, "Aronian": 20.5, "Anand": 19.25}
"""Their Sonneborn-Berger scores, reckoned by hand."""


def seasons(text: str) -> str:
    found = named_season(text)
    return str(found and " ".join(str(part) for part in found if part))


def sizes(players: str, size: str) -> str:
    return " ".join(str(len(each)) for each in divisions(range(int(players)), int(size)))


def ordered(before: str, entered: str) -> str:
    ratings = {ord("x"): 1500.0, ord("y"): 1600.0, ord("z"): 1400.0}
    last = [
        Entrant(ord(player), division=division, place=place)
        for division, players in enumerate(before.strip("-").split(), 1)
        for place, player in enumerate(players, 1)
    ]
    return "".join(map(chr, order(last, list(map(ord, entered)), ratings)))


@pytest.mark.parametrize(
    ("title", "answer"), [("names", seasons), ("divisions", sizes), ("order", ordered)]
)
def test_the_tables_are_right(title: str, answer: object) -> None:
    assert callable(answer)
    assert answers(TABLES[title], answer) == TABLES[title]


@pytest.mark.parametrize("many", range(2, 41))
def test_in_a_division_all_meet_once_and_begin_as_often_as_the_others(many: int) -> None:
    pairs = list(round_robin(range(many)))
    assert sorted(tuple(sorted(pair)) for pair in pairs) == list(combinations(range(many), 2))
    firsts = Counter(first for first, _ in pairs)
    assert max(firsts.values()) - min(firsts[player] for player in range(many)) <= 1


@pytest.mark.parametrize("many", range(4, 41))
def test_divisions_are_few_and_equal_and_who_changes_them_never_meets(many: int) -> None:
    there = divisions(range(many), 8)
    assert [player for each in there for player in each] == list(range(many))
    counts = {number: len(each) for number, each in enumerate(there, 1)}
    assert len(there) == -(-many // 8)
    assert max(counts.values()) - min(counts.values()) <= 1
    entrants = [
        Entrant(player, seed=player, division=number)
        for number, each in enumerate(there, 1)
        for player in each
    ]
    tables = tables_of(entrants, ())
    moved = [(number, row.goes) for number, rows in tables.items() for row in rows]
    for number in list(counts)[1:]:
        assert moved.count((number, "up")) == moved.count((number - 1, "down")) > 0


def pairing(one: int, other: int, outcome: Outcome | None, hours: int = 0) -> Pairing:
    ended = NOW + timedelta(hours=hours) if outcome else None
    decliner = other if outcome and outcome.ending is Ending.DECLINED else None
    board = LeagueBoard((one, other), outcome, ended, decliner)
    return Pairing(one, other, 1, 100 + 10 * one + other, board)


WON = Outcome(Ending.RULES, (0,))
LOST = Outcome(Ending.RESIGNED, (1,))
OUTCOMES = {"1": WON, "0": LOST, "=": Outcome(Ending.AGREED), "+": Outcome(Ending.DECLINED)}


def rows_of(results: list[str], *left: tuple[int, int]) -> dict[int, Row]:
    """Return the rows of players, from 0, by their results; `left` are players and hours."""
    gone = {player: NOW + timedelta(hours=hours) for player, hours in left}
    entrants = [Entrant(n, seed=n, division=1, left_at=gone.get(n)) for n in range(len(results))]
    pairs = [
        pairing(one, other, OUTCOMES.get(results[one][other]), hours)
        for hours, (one, other) in enumerate(combinations(range(len(results)), 2))
    ]
    return {row.player: row for row in table_of(entrants, pairs)}


def test_a_tournament_of_grandmasters_ends_in_the_published_order() -> None:
    rows = rows_of(list(RESULTS.values()))
    assert list(rows) == list(range(10))
    points = [Fraction(row.points, 2) for row in rows.values()]
    assert points == [6, 5.5, 5.5, 5, 5, 5, 4.5, 4, 3, 1.5]
    strengths = {name: rows[n].ties[1] / 4 for n, name in enumerate(RESULTS)}
    assert {name: strengths[name] for name in STRENGTHS} == STRENGTHS
    assert decided(rows[0], rows[1]) is None
    assert decided(rows[1], rows[2]) is Decision.STRENGTH


def test_equal_points_are_decided_by_the_boards_between_them_then_by_those_beaten() -> None:
    rows = rows_of(["*01", "1*0", "01*"])
    assert list(rows) == [0, 1, 2]
    assert decided(rows[0], rows[1]) is Decision.SEED
    rows = rows_of(["*001", "1*00", "11*0", "011*"])
    assert list(rows) == [3, 2, 1, 0]
    assert decided(rows[3], rows[2]) is Decision.DIRECT


def test_who_leaves_before_half_of_the_boards_have_ended_takes_them_all_along() -> None:
    # Boards end in the order 0-1, 0-2, 0-3, 1-2, 1-3, 2-3, an hour each.
    early = rows_of(["*111", "0*11", "00*1", "000*"], (0, 0))
    assert early[0].apart
    assert list(early) == [1, 2, 3, 0]
    assert [early[n].points for n in (1, 2, 3)] == [4, 2, 0]
    late = rows_of(["*111", "0*11", "00*1", "000*"], (0, 2))
    assert not late[0].apart
    assert list(late) == [0, 1, 2, 3]


def test_what_was_declined_closed_or_never_begun_counts_for_whoever_was_there() -> None:
    entrants = [Entrant(1, seed=1), Entrant(2, seed=2), Entrant(3, seed=3, left_at=NOW)]
    pairs = [
        pairing(1, 2, Outcome(Ending.DECLINED)),
        Pairing(2, 3, 1, 203),
        pairing(1, 3, Outcome(Ending.CLOSED), -1),
    ]
    rows = {row.player: row for row in table_of(entrants, pairs)}
    assert rows[1].marks == {2: Mark.GIVEN, 3: Mark.REFUSED}
    assert rows[2].marks == {1: Mark.REFUSED, 3: Mark.GIVEN}
    assert [rows[n].points for n in (1, 2, 3)] == [2, 2, 0]
    assert not rows[3].apart


def test_stored_places_stay_after_a_correction_of_the_operator() -> None:
    entrants = [Entrant(0, 0, 1, place=2), Entrant(1, 1, 1, place=1)]
    rows = table_of(entrants, [pairing(0, 1, WON)])
    assert [(row.player, row.points) for row in rows] == [(1, 0), (0, 2)]
