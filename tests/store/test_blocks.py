"""Whom players block; it ends with the account."""

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


def test_all_is_forgotten_of_a_player_and_of_others_against_them(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        unit.blocks.block(alice, bob)
        unit.blocks.block(bob, alice)
        unit.blocks.block(bob, carl)
        unit.blocks.forget(alice)
        assert unit.blocks.blocked_by(alice) == unit.blocks.blockers_of(alice) == frozenset()
        assert unit.blocks.blocked_by(bob) == {carl}
