"""A board late in its match, of whose log a move reads only the end."""

from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import update

from pbm.operator.administration import Administration
from pbm.operator.upkeep import repair, verify_all
from pbm.store.tables import matches
from pbm.store.unit import UnitOfWork
from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"

# Stones with a gap between any two of them never connect two sides of the board.
APART = [f"{column}{row}" for column, row in product("ACEGJLN", range(1, 14, 2))]


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob", text_alone=True)
    house.mail(ALICE, "gonnect challenge alice alice-pw bob")
    house.reply(house.last_to(BOB), "accept")
    return house


def test_all_moves_are_there_when_they_are_asked_for(house: HouseUnderTest) -> None:
    for ply, move in enumerate(APART[:20]):
        house.reply(house.last_to((ALICE, BOB)[ply % 2]), move)
    assert APART[0] not in text_of(house.last_to(ALICE)).split("Moves", 1)[-1]
    (shown,) = house.reply(house.last_to(ALICE), "show")
    assert all(f" {move} " in f"{text_of(shown)} " for move in APART[:20])
    (earlier,) = house.reply(house.last_to(ALICE), "show 101#3")
    assert "move 4" in text_of(earlier)


def test_an_undo_offer_and_an_answer_late_in_a_match_mean_the_last_move(
    house: HouseUnderTest,
) -> None:
    for ply, move in enumerate(APART[:21]):
        house.reply(house.last_to((ALICE, BOB)[ply % 2]), move)
    house.reply(house.last_to(ALICE), "undo")
    house.reply(house.last_to(BOB), "accept")
    assert "move 21" in text_of(house.last_to(ALICE))
    house.reply(house.last_to(ALICE), APART[30])
    assert f"alice played {APART[30]}" in text_of(house.last_to(BOB))
    with house.house.open_reading() as work:
        found = work.matches.get(101)
        assert found is not None
        assert [entry.text for entry in found[0].plies] == [*APART[:20], APART[30]]


@pytest.fixture
def taken_back(house: HouseUnderTest) -> HouseUnderTest:
    """Return a house in which a move was taken back after an extension, and twelve were played."""
    house.reply(house.last_to(ALICE), APART[0])
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock()).extend(101, 3)
        work.commit()
    house.deliver()
    house.reply(house.last_to(ALICE), "undo")
    house.reply(house.last_to(BOB), "accept")
    for ply, move in enumerate(APART[1:13]):
        house.reply(house.last_to((ALICE, BOB)[ply % 2]), move)
    return house


def faults(house: HouseUnderTest) -> dict[int, tuple[str, ...]]:
    with house.house.open_reading() as work:
        return dict(verify_all(work, house.house.catalogue))


def counted(house: HouseUnderTest) -> int:
    """Return how many plies the match counts, of which it does not read the first."""
    with house.house.open_reading() as work:
        found = work.matches.get(101)
        assert found
        return found[0].log.ply


def cut_off_too_much(house: HouseUnderTest) -> None:
    """Leave the match as an earlier pbm did: without the move that was taken back."""
    with house.house.open_unit() as work:
        assert isinstance(work, UnitOfWork)
        work.connection.execute(update(matches).values(read_from=1, plies_before=1))
        work.commit()
    assert faults(house) == {101: ("it counts 13 plies, its log has 12",)}


def test_a_move_taken_back_after_an_extension_is_not_counted_again(
    taken_back: HouseUnderTest,
) -> None:
    assert counted(taken_back) == 12
    assert faults(taken_back) == {101: ()}


def test_what_was_counted_again_is_mended_by_the_next_move(taken_back: HouseUnderTest) -> None:
    cut_off_too_much(taken_back)
    taken_back.reply(taken_back.last_to(ALICE), APART[13])
    assert counted(taken_back) == 13
    assert faults(taken_back) == {101: ()}


def test_what_was_counted_again_is_mended_by_a_repair(taken_back: HouseUnderTest) -> None:
    cut_off_too_much(taken_back)
    with taken_back.house.open_unit() as work:
        repair(work, taken_back.house.catalogue, 101)
        work.commit()
    assert counted(taken_back) == 12
    assert faults(taken_back) == {101: ()}
