"""A move late in a match asks the database for as little as one at its beginning."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pbm.bench.statements import Count, counting
from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"

# Stones with a gap between any two of them never connect two sides of the board.
APART = [f"{column}{row}" for column, row in product("ACEGJLN", range(1, 14, 2))]


@pytest.fixture
def match(tmp_path: Path) -> Iterator[tuple[HouseUnderTest, Count]]:
    with counting() as count:
        house = HouseUnderTest(tmp_path)
        house.add("alice", "bob", text_alone=True)
        house.mail(ALICE, "gonnect challenge alice alice-pw bob")
        house.reply(house.last_to(BOB), "accept")
        yield house, count
        house.house.close()


def statements_of(match: tuple[HouseUnderTest, Count], author: str, text: str) -> int:
    """Return how many statements the whole way of a reply takes."""
    house, count = match
    before = count.statements
    house.reply(house.last_to(author), text)
    return count.statements - before


def test_each_move_takes_as_many_statements_as_the_first_ones(
    match: tuple[HouseUnderTest, Count],
) -> None:
    house, _ = match
    taken = [
        statements_of(match, (ALICE, BOB)[ply % 2], move) for ply, move in enumerate(APART[:40])
    ]
    assert set(taken) == {taken[2]}
    assert "You played" in text_of(house.last_to(BOB))


def test_all_moves_are_there_when_they_are_asked_for(match: tuple[HouseUnderTest, Count]) -> None:
    house, _ = match
    for ply, move in enumerate(APART[:20]):
        statements_of(match, (ALICE, BOB)[ply % 2], move)
    assert APART[0] not in text_of(house.last_to(ALICE)).split("Moves", 1)[-1]
    (shown,) = house.reply(house.last_to(ALICE), "show")
    assert all(f" {move} " in f"{text_of(shown)} " for move in APART[:20])
    (earlier,) = house.reply(house.last_to(ALICE), "show 101#3")
    assert "move 4" in text_of(earlier)


def test_an_undo_offer_and_an_answer_late_in_a_match_mean_the_last_move(
    match: tuple[HouseUnderTest, Count],
) -> None:
    house, _ = match
    for ply, move in enumerate(APART[:21]):
        statements_of(match, (ALICE, BOB)[ply % 2], move)
    house.reply(house.last_to(ALICE), "undo")
    house.reply(house.last_to(BOB), "accept")
    assert "move 21" in text_of(house.last_to(ALICE))
    house.reply(house.last_to(ALICE), APART[30])
    assert f"alice played {APART[30]}" in text_of(house.last_to(BOB))
    with house.house.open_reading() as work:
        found = work.matches.get(101)
        assert found is not None
        assert [entry.text for entry in found[0].plies] == [*APART[:20], APART[30]]
