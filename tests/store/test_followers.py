"""Players follow each board and each game once, and the last command counts."""

import pytest

from tests.store.conftest import Begin
from tests.store.samples import add_players


def test_a_board_is_followed_by_those_of_the_board_and_of_its_game(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        unit.followers.follow(alice, 101)
        unit.followers.follow(bob, "hex", only_end=True)
        unit.followers.follow(carl, 102)
        unit.commit()
    with begin() as unit:
        assert unit.followers.of(101, "hex") == {alice: False, bob: True}
        assert unit.followers.of(102, "pow2") == {carl: False}
        assert unit.followers.of(103, "pow2") == {}


@pytest.mark.parametrize("of_board", [True, False])
def test_who_wants_all_of_a_board_or_its_game_gets_all_of_it(
    begin: Begin, *, of_board: bool
) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.followers.follow(alice, 101, only_end=of_board)
        unit.followers.follow(alice, "hex", only_end=not of_board)
        assert unit.followers.of(101, "hex") == {alice: False}
        assert unit.followers.of(102, "hex") == {alice: not of_board}
        assert unit.followers.choice(alice, 101) is of_board
        assert unit.followers.choice(alice, 102) is None


def test_following_twice_is_following_once_and_the_last_word_counts(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.followers.follow(alice, 101, only_end=True)
        unit.followers.follow(alice, 101)
        assert unit.followers.of(101, "hex") == {alice: False}
        assert unit.followers.followed_by(alice) == ("101",)


def test_unfollowing_tells_whether_the_player_followed(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.followers.follow(alice, 101)
        unit.followers.follow(alice, "hex")
        unit.followers.follow(bob, 101)
        assert unit.followers.unfollow(alice, 101)
        assert not unit.followers.unfollow(alice, 101)
        assert unit.followers.of(101, "hex") == {alice: False, bob: False}
        assert unit.followers.unfollow(alice, "hex")
        assert unit.followers.of(101, "hex") == {bob: False}


def test_what_a_player_follows_is_listed_boards_first_by_number(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        for number in (1000, 999, 101):
            unit.followers.follow(alice, number)
        for game in ("pow2", "hex"):
            unit.followers.follow(alice, game)
        assert unit.followers.followed_by(alice) == ("101", "999", "1000", "hex", "pow2")
        assert unit.followers.followed_by(bob) == ()
