"""Lists of boards and players: which rows, in which order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbm.domain.invitations import Seek, StandingAnswer, StandingOffer, Terms
from pbm.domain.match import Ending, Outcome
from pbm.domain.player import PlayerKind, PlayerState
from pbm.domain.ratings import Rating, RatingChange
from pbm.engine import Setup, to_json, to_plain
from tests.doors import GameCounts, MatchRow, StandingRow, UnitOfWork
from tests.readings import answers
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
    (105, "hex", ("alice", "alice"), None, None),
    (106, "hex", ("carl", "bob"), None, None),
)

LISTS = Path(__file__).with_name("lists.txt").read_text()


Boards = tuple[UnitOfWork, dict[str, int]]


@pytest.fixture
def boards(begin: Begin) -> Iterator[Boards]:
    """Yield a unit of work with these boards, and the ids of their players."""
    names = ("alice", "bob", "carl")
    with begin() as unit:
        ids = dict(zip(names, add_players(unit, *names), strict=True))
        for number, game, players, outcome, days in reversed(BOARDS):
            match = a_match(number, [ids[name] for name in players], game)
            ended = None if days is None else NOW + days * DAY
            match = replace(match, outcome=outcome, ended_at=ended)
            unit.matches.add(match, START, () if outcome else (0,))
        yield unit, ids


def test_lists_have_the_boards_that_are_asked_for(boards: Boards) -> None:
    unit, ids = boards

    def numbers(what: str, words: str) -> str:
        said = dict(word.split("=") for word in words.split())
        wanted: dict[str, Any] = {
            key: bool(said[key]) for key in ("over", "to_move") if key in said
        }
        players = [ids[name] for name in said.get("players", "").split(",") if name]
        game, limit = said.get("game"), int(said.get("limit", 9))
        if what == "history":
            rows: Any = unit.matches.history(game, players, limit=limit)
        else:
            rows = unit.matches.listing(game, players, limit=limit, **wanted)
            assert unit.matches.count(game, players, **wanted) == len(rows) or "limit" in said
        return " ".join(str(row.number) for row in rows) or "none"

    assert answers(LISTS, numbers) == LISTS


def test_a_line_tells_who_plays_and_how_it_stands_or_ended(boards: Boards) -> None:
    unit, ids = boards
    listed = {row.number: row for row in unit.matches.listing()}
    alice, carl = ids["alice"], ids["carl"]
    assert listed[103] == MatchRow(
        103, "hex", 1, 0, 0, NOW, NOW, NOW + 9 * DAY, to_json(to_plain(DRAWN)), '{"size":"3"}',
        (carl, alice), ("carl", "alice"), (), (),
    )  # fmt: skip
    assert listed[105] == MatchRow(
        105, "hex", 1, 0, 0, NOW, NOW, None, None, '{"size":"3"}',
        (alice, alice), ("alice", "alice"), (0,), (),
    )  # fmt: skip
    (row,) = unit.matches.history("hex", [carl], limit=9)
    assert (row, row.outcome, row.moved_on) == (listed[103], DRAWN, (NOW + 9 * DAY).date())
    assert tuple(unit.matches.numbered([103, 105])) == (listed[103], listed[105])
    (row,) = unit.matches.history("noughts", [ids["alice"]], limit=9)
    assert row.outcome == WON
    assert unit.matches.census() == {
        "noughts": GameCounts(open=1, over=1, players=2),
        "hex": GameCounts(open=2, over=2, players=3),
    }


STRONG = Rating(1812.3456789012345, 61.1, 0.059999, won=9, lost=2, drawn=1, updated_at=NOW)
FAIR = replace(STRONG, rating=1600.0)


def test_standings_have_people_who_can_play_by_rating_and_the_older_among_equals(
    boards: Boards,
) -> None:
    unit, ids = boards
    names = ("dora", "gone", "disabled")
    ids |= dict(zip(names, add_players(unit, *names), strict=True))
    ids["robot"] = unit.players.add("robot-1", "", (), NOW, PlayerKind.ROBOT).id
    for name, rating in zip(
        ids, (FAIR, STRONG, FAIR, replace(FAIR, rating=9), *[STRONG] * 3), strict=True
    ):
        unit.ratings.save("hex", ids[name], None, rating)
    unit.ratings.save("noughts", ids["alice"], None, STRONG)
    unit.players.set_state(ids["gone"], PlayerState.GONE)
    unit.players.set_state(ids["disabled"], PlayerState.DISABLED)
    unit.wishes.set_stance("hex", ids["alice"], StandingOffer(StandingAnswer.ACCEPT, 4))
    unit.wishes.set_seek(Seek(107, ids["bob"], "hex", Setup({}), Terms(), 3, NOW))
    unit.wishes.set_seek(Seek(108, ids["carl"], "noughts", Setup({}), Terms(), 3, NOW))
    # A board whose two sides are one player is one board.
    rows = (
        StandingRow(ids["bob"], "bob", STRONG, active=1, limit=None, seeking=3),
        StandingRow(ids["alice"], "alice", FAIR, active=1, limit=4, seeking=0),
        StandingRow(ids["carl"], "carl", FAIR, active=1, limit=None, seeking=0),
    )
    assert unit.ratings.standings("hex")[:3] == rows
    assert [row.userid for row in unit.ratings.standings("hex")[3:]] == ["dora"]
    assert unit.ratings.standings("hex", limit=2) == rows[:2]
    assert unit.ratings.standings("pow2") == ()
    assert unit.wishes.active_boards("hex", ids["alice"]) == 1
    assert unit.ratings.of("hex", [*ids.values()])[ids["gone"]] == STRONG
