"""Ratings from end to end: who is rated, and what the operator can take back."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pbm.domain.match import Match
from pbm.domain.ratings import Rating
from pbm.features import boards, results
from pbm.features import ratings as ratings_feature
from pbm.operator.administration import Administration
from pbm.operator.upkeep import verify_all
from pbm.service.ports import Conflict
from pbm.store.unit import UnitOfWork
from tests.house import HouseUnderTest, text_of


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    return house


def admin(house: HouseUnderTest, work: UnitOfWork) -> Administration:
    return Administration(house.house.services, work, house.clock())


def board(house: HouseUnderTest, *players: str, moves: tuple[str, ...] = ("C3", "C4")) -> int:
    """Return the number of a new board on which some moves have been played."""
    with house.house.open_unit() as work:
        gonnect = house.house.catalogue.get("gonnect")
        number = admin(house, work).create_match(gonnect, players, {"size": "5"}, {})
        work.commit()
    for ply, move in enumerate(moves):
        player = players[ply % 2]
        house.mail(f"{player}@example.org", f"move {number} {player} {player}-pw {move}")
    return number


def resign(house: HouseUnderTest, number: int, player: str) -> None:
    house.mail(f"{player}@example.org", f"resign {number} {player} {player}-pw")


def operate(house: HouseUnderTest, action: str, *arguments: Any) -> None:
    with house.house.open_unit() as work:
        getattr(admin(house, work), action)(*arguments)
        work.commit()


def ratings(house: HouseUnderTest) -> dict[str, Rating]:
    with house.house.open_reading() as work:
        ids = {name: work.players.by_userid(name).id for name in ("alice", "bob", "carol")}  # type: ignore[union-attr]
        stored = work.ratings.of("gonnect", ids.values())
    return {name: stored[number] for name, number in ids.items() if number in stored}


def stored(house: HouseUnderTest, number: int) -> Match:
    with house.house.open_reading() as work:
        found = work.matches.get(number)
    assert found is not None
    return found[0]


def told(house: HouseUnderTest) -> str:
    return " ".join(text_of(house.sent[-1]).split())


def test_a_win_by_rule_is_rated_and_leaves_the_match_sound(house: HouseUnderTest) -> None:
    number = board(house, "alice", "bob", moves=("A3", "A1", "B3", "B1", "C3", "C1", "D3", "D1"))
    house.mail("alice@example.org", f"move {number} alice alice-pw E3")
    assert "alice 1500 -> 1662 +- 290 (provisional) you 1500 -> 1338" in told(house)
    with house.house.open_reading() as work:
        assert dict(verify_all(work, house.house.catalogue)) == {number: ()}


def test_a_match_decided_by_the_operator_is_rated(house: HouseUnderTest) -> None:
    number = board(house, "alice", "bob")
    operate(house, "adjudicate", number, (1,))
    house.play()
    assert "you 1500 -> 1662" in told(house)
    assert (ratings(house)["alice"].lost, ratings(house)["bob"].won) == (1, 1)


def test_a_match_closed_by_the_operator_is_not_rated(house: HouseUnderTest) -> None:
    operate(house, "close", board(house, "alice", "bob"))
    house.play()
    assert "Ratings" not in told(house)
    assert ratings(house) == {}


def test_players_who_share_an_address_are_one_person_and_not_rated(house: HouseUnderTest) -> None:
    number = board(house, "alice", "bob")
    operate(house, "set_addresses", "bob", ["bob@example.org", "Alice@Example.org"])
    resign(house, number, "alice")
    assert stored(house, number).over
    assert "Ratings" not in told(house)
    assert ratings(house) == {}


def test_undoing_a_rated_end_restores_the_ratings(house: HouseUnderTest) -> None:
    resign(house, board(house, "alice", "bob"), "alice")
    before = ratings(house)
    number = board(house, "alice", "bob")
    resign(house, number, "bob")
    assert ratings(house) != before
    operate(house, "undo", number)
    assert ratings(house) == before
    assert stored(house, number).outcome is None


def test_a_match_that_ends_again_is_rated_once(house: HouseUnderTest) -> None:
    number = board(house, "alice", "bob")
    resign(house, number, "alice")
    once = ratings(house)
    operate(house, "undo", number)
    house.mail("alice@example.org", "gonnect standings")
    assert "Nobody has finished a rated match of Gonnect yet." in told(house)
    resign(house, number, "alice")
    assert ratings(house) == once


def test_what_was_built_on_an_end_that_is_taken_back_is_rated_as_if_it_had_not_been(
    house: HouseUnderTest, tmp_path: Path
) -> None:
    (tmp_path / "without").mkdir()
    without = house.twin(tmp_path / "without")
    number = board(house, "alice", "bob")
    resign(house, number, "alice")
    later = [play_on(each) for each in (house, without)]
    assert ratings(house) != ratings(without)
    operate(house, "undo", number)
    assert rounded(ratings(house).values()) == rounded(ratings(without).values())
    for here, there in zip(*later, strict=True):
        changes = [stored(*place).outcome.ratings for place in ((house, here), (without, there))]  # type: ignore[union-attr]
        assert rounded(change.after for change in changes[0]) == rounded(
            change.after for change in changes[1]
        )


def play_on(house: HouseUnderTest) -> list[int]:
    """Finish three matches, each some weeks after the one before."""
    numbers = []
    for winner, loser in (("bob", "carol"), ("carol", "alice"), ("alice", "bob")):
        house.clock.now += timedelta(days=40)
        number = board(house, winner, loser)
        resign(house, number, loser)
        numbers.append(number)
    return numbers


def rounded(found: Iterable[Rating]) -> list[tuple[Any, ...]]:
    """Return ratings to compare, without the last digits."""
    return [
        (round(r.rating, 6), round(r.deviation, 6), round(r.volatility, 9), r.won, r.lost)
        for r in found
    ]


def test_two_matches_of_a_player_that_end_at_once_both_count(house: HouseUnderTest) -> None:
    """A rating computed from an outdated one is not written over the current one."""
    resign(house, board(house, "alice", "bob"), "alice")
    with house.house.open_unit() as work:
        alice = work.players.by_userid("alice")
        assert alice is not None
        for outdated in (None, Rating(updated_at=house.clock())):
            with pytest.raises(Conflict):
                work.ratings.save("gonnect", alice.id, outdated, Rating(1600))


def test_a_long_table_of_boards_is_cut_off_and_tells_how_many_more_there_are(
    house: HouseUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "BOARDS", 3)
    for _ in range(3):
        board(house, "alice", "bob", moves=())
    house.mail("carol@example.org", "games all")
    assert "103" in told(house)
    assert "more" not in told(house)
    board(house, "alice", "bob", moves=())
    board(house, "carol", "bob", moves=())
    house.mail("carol@example.org", "games all")
    assert "There are 2 more. Name a game or players" in told(house)
    assert "104" not in told(house)
    house.mail("carol@example.org", "games carol")
    assert "more" not in told(house)


@pytest.mark.parametrize(
    ("line", "subject", "limit", "sentence"),
    [
        ("gonnect standings", ratings_feature, "STANDINGS", "These are the first 1 players."),
        ("history alice bob carol", results, "HISTORY", "These are the newest 1."),
    ],
)
def test_a_list_that_is_cut_off_says_so(
    house: HouseUnderTest,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    subject: ModuleType,
    limit: str,
    sentence: str,
) -> None:
    resign(house, board(house, "alice", "bob"), "alice")
    resign(house, board(house, "carol", "bob"), "carol")
    house.mail("carol@example.org", line)
    assert "These are" not in told(house)
    monkeypatch.setattr(subject, limit, 1)
    house.mail("carol@example.org", line)
    assert sentence in told(house)
