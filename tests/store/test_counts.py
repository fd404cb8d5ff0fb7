"""Finished matches and numbers of boards: which, and in which order."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbm.domain.match import Ending, Outcome
from pbm.domain.ratings import Rating, RatingChange
from pbm.service.ports import GameCounts, HistoryRow
from tests.store.conftest import Begin
from tests.store.samples import NOW, START, a_match, add_players

DAY = timedelta(days=1)
CHANGE = RatingChange(Rating(1500.25), Rating(1612.1, 250.7, 0.059, 1))
WON = Outcome(Ending.RULES, (1,), "row", (3, 4), (CHANGE, CHANGE))
DRAWN = Outcome(Ending.AGREED)

# number, game, players, outcome, days after which it ended
BOARDS = (
    (101, "noughts", ("alice", "bob"), WON, 5),
    (102, "noughts", ("bob", "carl"), None, None),
    (103, "hex", ("carl", "alice"), DRAWN, 9),
    (104, "hex", ("alice", "bob"), WON, 5),
    (105, "hex", ("alice", "bob"), None, None),
    (106, "hex", ("carl", "bob"), None, None),
)


@pytest.fixture
def ids(begin: Begin) -> dict[str, int]:
    names = ("alice", "bob", "carl")
    with begin() as unit:
        ids = dict(zip(names, add_players(unit, *names), strict=True))
        for number, game, players, outcome, days in BOARDS:
            match = a_match(number, [ids[name] for name in players], game)
            ended = None if days is None else NOW + days * DAY
            match = replace(match, outcome=outcome, ended_at=ended)
            unit.matches.add(match, START, () if outcome else (0,))
        unit.commit()
    return ids


@pytest.mark.parametrize(
    ("game", "players", "limit", "numbers"),
    [
        (None, ("alice",), 9, (103, 104, 101)),
        (None, ("bob",), 9, (104, 101)),
        (None, ("bob", "carl"), 9, (103, 104, 101)),
        ("hex", ("alice",), 9, (103, 104)),
        ("chess", ("alice",), 9, ()),
        (None, ("alice",), 2, (103, 104)),
    ],
)
def test_finished_games_come_newest_first(
    begin: Begin, ids: dict[str, int], game: str | None, players: tuple[str, ...], limit: int,
    numbers: tuple[int, ...],
) -> None:  # fmt: skip
    with begin() as unit:
        rows = unit.matches.history(game, [ids[name] for name in players], limit=limit)
    assert tuple(row.number for row in rows) == numbers


def test_a_finished_game_tells_who_has_played_and_how_it_ended(
    begin: Begin, ids: dict[str, int]
) -> None:
    with begin() as unit:
        (row,) = unit.matches.history("hex", [ids["carl"]], limit=9)
        assert row == HistoryRow(103, "hex", ("carl", "alice"), 0, DRAWN, NOW + 9 * DAY)
        (row,) = unit.matches.history("noughts", [ids["alice"]], limit=9)
        assert row.outcome == WON


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({}, 6),
        ({"game": "hex"}, 4),
        ({"over": True}, 3),
        ({"players": ("carl",)}, 3),
        ({"players": ("carl",), "to_move": True}, 1),
        ({"game": "noughts", "players": ("bob",), "over": False}, 1),
    ],
)
def test_a_count_is_that_of_the_listing(
    begin: Begin, ids: dict[str, int], wanted: dict[str, Any], count: int
) -> None:
    wanted = {**wanted, "players": [ids[name] for name in wanted.get("players", ())]}
    with begin() as unit:
        assert unit.matches.count(**wanted) == len(unit.matches.listing(**wanted)) == count


def test_the_census_counts_boards_and_the_players_on_open_ones(
    begin: Begin, ids: dict[str, int]
) -> None:
    with begin() as unit:
        assert unit.matches.census() == {
            "noughts": GameCounts(open=1, over=1, players=2),
            "hex": GameCounts(open=2, over=2, players=3),
        }
