"""A rating only replaces the one that it was computed from; listings show what goes with it."""

from dataclasses import replace

import pytest

from pbm.domain.invitations import Answer, Seek, Stance, Terms
from pbm.domain.match import Ending, Outcome
from pbm.domain.player import PlayerKind, PlayerState
from pbm.domain.ratings import Rating
from pbm.engine import Setup
from pbm.service.ports import Conflict, StandingRow
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, START, a_match, add_players

STRONG = Rating(1812.3456789012345, 61.1, 0.059999, won=9, lost=2, drawn=1, updated_at=NOW)
FAIR = replace(STRONG, rating=1600.0)
WEAK = replace(STRONG, rating=1203.5)


def test_a_rating_comes_back_to_the_last_digit(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        unit.ratings.save("hex", alice, None, STRONG)
        unit.ratings.save("hex", bob, None, WEAK)
        unit.ratings.save("pow2", alice, None, FAIR)
        unit.commit()
    with begin() as unit:
        assert unit.ratings.of("hex", [carl, bob, alice]) == {alice: STRONG, bob: WEAK}
        assert unit.ratings.of("hex", []) == {}
        assert unit.ratings.of("chess", [alice]) == {}
        assert unit.ratings.all_of(alice) == {"hex": STRONG, "pow2": FAIR}
        assert unit.ratings.all_of(carl) == {}


def test_a_rating_changes_for_one_game_of_one_player(begin: Begin) -> None:
    later = replace(FAIR, updated_at=NOW + MINUTE)
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        for game, player in (("hex", alice), ("hex", bob), ("pow2", alice)):
            unit.ratings.save(game, player, None, STRONG)
        unit.ratings.save("hex", alice, STRONG, later)
        assert unit.ratings.of("hex", [alice, bob]) == {alice: later, bob: STRONG}
        assert unit.ratings.all_of(alice)["pow2"] == STRONG


@pytest.mark.parametrize(
    "before", [None, WEAK, replace(STRONG, updated_at=NOW - MINUTE)], ids=["none", "other", "older"]
)
def test_a_rating_that_another_match_has_changed_is_not_written_over(
    begin: Begin, before: Rating | None
) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.ratings.save("hex", alice, None, STRONG)
        with pytest.raises(Conflict):
            unit.ratings.save("hex", alice, before, FAIR)
        assert unit.ratings.of("hex", [alice]) == {alice: STRONG}


def test_the_list_has_the_highest_rating_first_and_the_older_among_equals(begin: Begin) -> None:
    ranks = (("alice", FAIR), ("bob", STRONG), ("carl", FAIR), ("dora", WEAK))
    with begin() as unit:
        for userid, rating in ranks:
            unit.ratings.save("hex", add_players(unit, userid)[0], None, rating)
        rows = unit.ratings.standings("hex")
        assert [row.userid for row in rows] == ["bob", "alice", "carl", "dora"]
        assert [row.rating for row in rows] == [STRONG, FAIR, FAIR, WEAK]
        assert unit.ratings.standings("hex", limit=2) == rows[:2]
        assert unit.ratings.standings("pow2") == ()


@pytest.mark.parametrize("state", [PlayerState.GONE, PlayerState.DISABLED])
def test_a_player_who_cannot_play_is_not_on_the_list_but_keeps_the_rating(
    begin: Begin, state: PlayerState
) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.ratings.save("hex", alice, None, STRONG)
        unit.ratings.save("hex", bob, None, WEAK)
        unit.players.set_state(alice, state)
        assert [row.userid for row in unit.ratings.standings("hex")] == ["bob"]
        assert unit.ratings.all_of(alice) == {"hex": STRONG}


def test_robots_are_not_ranked_among_people(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        robot = unit.players.add("robot-1", "", (), NOW, PlayerKind.ROBOT).id
        unit.ratings.save("hex", alice, None, WEAK)
        unit.ratings.save("hex", robot, None, STRONG)
        assert [row.userid for row in unit.ratings.standings("hex")] == ["alice"]


def test_a_line_tells_of_open_boards_limit_and_seek_of_that_game_alone(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        ended = replace(
            a_match(103, (alice, bob), "hex"), outcome=Outcome(Ending.RESIGNED), ended_at=NOW
        )
        unit.matches.add(a_match(101, (alice, bob), "hex"), START, (0,))
        unit.matches.add(a_match(102, (alice, carl), "hex"), START, (1,))
        unit.matches.add(ended, START, ())
        unit.matches.add(a_match(104, (alice, bob), "pow2"), START, (0,))
        for player, rating in ((alice, STRONG), (bob, FAIR)):
            unit.ratings.save("hex", player, None, rating)
            unit.ratings.save("pow2", player, None, rating)
        unit.wishes.set_stance("hex", alice, Stance(Answer.ACCEPT, 4))
        unit.wishes.set_seek(Seek(104, bob, "hex", Setup({}, 1), Terms(), 3, NOW))
        rows = unit.ratings.standings("hex")
        assert unit.ratings.standings("hex", limit=1) == rows[:1]
    assert rows == (
        StandingRow(alice, "alice", STRONG, active=2, limit=4, seeking=0),
        StandingRow(bob, "bob", FAIR, active=1, limit=None, seeking=3),
    )


def test_a_board_whose_two_sides_are_one_player_is_one_board(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.matches.add(a_match(101, (alice, alice), "hex"), START, (0,))
        unit.ratings.save("hex", alice, None, STRONG)
        assert unit.ratings.standings("hex")[0].active == 1
        assert unit.wishes.active_boards("hex", alice) == 1
