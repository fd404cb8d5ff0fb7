"""Whom players block and which boards they mute; both end with the account."""

from tests.store.conftest import Begin
from tests.store.samples import add_players


def test_a_block_is_known_from_both_sides_and_repeated_changes_nothing(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        assert [unit.blocks.block(alice, bob) for _ in range(2)] == [True, False]
        assert unit.blocks.block(alice, carl)
        assert unit.blocks.block(carl, bob)
        unit.commit()
    with begin() as unit:
        assert unit.blocks.blocked_by(alice) == {bob, carl}
        assert unit.blocks.blockers_of(bob) == {alice, carl}
        assert unit.blocks.blocked_by(bob) == unit.blocks.blockers_of(alice) == frozenset()
        assert [unit.blocks.unblock(alice, bob) for _ in range(2)] == [True, False]
        assert unit.blocks.blockers_of(bob) == {carl}


def test_a_board_is_muted_by_each_for_themselves(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        assert [unit.blocks.mute(alice, 101) for _ in range(2)] == [True, False]
        assert unit.blocks.mute(alice, 103)
        assert unit.blocks.mute(bob, 101)
        assert unit.blocks.muted_by(alice) == {101, 103}
        assert unit.blocks.muters_of(101) == {alice, bob}
        assert unit.blocks.muters_of(102) == frozenset()
        assert [unit.blocks.unmute(alice, 101) for _ in range(2)] == [True, False]
        assert unit.blocks.muters_of(101) == {bob}


def test_all_is_forgotten_of_a_player_and_of_others_against_them(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        unit.blocks.block(alice, bob)
        unit.blocks.block(bob, alice)
        unit.blocks.block(bob, carl)
        unit.blocks.mute(alice, 101)
        unit.blocks.mute(bob, 101)
        unit.blocks.forget(alice)
        assert unit.blocks.blocked_by(alice) == unit.blocks.blockers_of(alice) == frozenset()
        assert unit.blocks.blocked_by(bob) == {carl}
        assert unit.blocks.muters_of(101) == {bob}
