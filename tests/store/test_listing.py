"""Listings of boards: which, and in which order."""

from dataclasses import replace
from typing import Any

import pytest

from pbm.domain.logs import Entry, EntryKind, Log
from pbm.domain.match import Ending, Outcome
from pbm.service.ports import MatchRow, Snapshot
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, START, a_match, add_players

# number, game, players, seats to move
BOARDS = (
    (101, "noughts", ("alice", "bob"), (0,)),
    (102, "noughts", ("bob", "carl"), (0,)),
    (103, "hex", ("carl", "alice"), ()),
    (104, "hex", ("alice", "alice"), (1,)),
)


@pytest.fixture
def ids(begin: Begin) -> dict[str, int]:
    with begin() as unit:
        ids = dict(
            zip(("alice", "bob", "carl"), add_players(unit, "alice", "bob", "carl"), strict=True)
        )
        for number, game, players, to_move in reversed(BOARDS):
            match = a_match(number, [ids[name] for name in players], game)
            if not to_move:
                match = replace(match, outcome=Outcome(Ending.RESIGNED, (0,)), ended_at=NOW)
            unit.matches.add(match, START, to_move)
        unit.commit()
    return ids


CASES: tuple[tuple[dict[str, Any], tuple[int, ...]], ...] = (
    ({}, (101, 102, 103, 104)),
    ({"game": "hex"}, (103, 104)),
    ({"game": "chess"}, ()),
    ({"players": ("alice",)}, (101, 103, 104)),
    ({"players": ("bob", "carl")}, (101, 102, 103)),
    ({"game": "noughts", "players": ("carl",)}, (102,)),
    ({"over": False}, (101, 102, 104)),
    ({"over": True}, (103,)),
    ({"to_move": True}, (101, 102, 104)),
    ({"players": ("bob",), "to_move": True}, (102,)),
    ({"players": ("alice",), "over": False, "to_move": True}, (101, 104)),
    ({"over": True, "to_move": True}, ()),
    ({"limit": 2}, (101, 102)),
)


@pytest.mark.parametrize(("wanted", "numbers"), CASES)
def test_a_listing_has_the_boards_asked_for_in_order_of_number(
    begin: Begin, ids: dict[str, int], wanted: dict[str, Any], numbers: tuple[int, ...]
) -> None:
    wanted = {**wanted, "players": [ids[name] for name in wanted.get("players", ())]}
    with begin() as unit:
        assert tuple(row.number for row in unit.matches.listing(**wanted)) == numbers


def test_a_line_tells_who_plays_and_whose_turn_it_is(begin: Begin, ids: dict[str, int]) -> None:
    with begin() as unit:
        rows = unit.matches.listing("hex")
    assert rows == (
        MatchRow(103, "hex", ("carl", "alice"), 0, (), NOW, over=True),
        MatchRow(104, "hex", ("alice", "alice"), 0, (1,), NOW, over=False),
    )


def test_a_save_shows_in_the_listing(begin: Begin, ids: dict[str, int]) -> None:
    later = NOW + MINUTE
    with begin() as unit:
        before = a_match(101, (ids["alice"], ids["bob"]))
        swap = Entry(EntryKind.SWAP, 1, "swap", later)
        after = replace(
            before, players=(ids["bob"], ids["alice"]), log=Log((swap,)), turn_since=later
        )
        unit.matches.save(before, after, Snapshot(2, "{}"), (1,))
        row = MatchRow(101, "noughts", ("bob", "alice"), 2, (1,), later, over=False)
        assert unit.matches.listing(limit=1) == (row,)
        over = replace(after, version=1, outcome=Outcome(Ending.CLOSED), ended_at=later)
        unit.matches.save(after := replace(after, version=1), over, Snapshot(2, "{}"), ())
        assert unit.matches.listing(limit=1) == (replace(row, to_move=(), over=True),)
