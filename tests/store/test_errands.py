"""An errand is kept until a reply confirms it, and no longer than its player."""

from dataclasses import replace

from pbm.domain.confirmations import Errand, ErrandKind
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, add_players


def test_an_errand_waits_until_it_is_done(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        asked = unit.errands.add(ErrandKind.CHANGE_ADDRESS, alice, "New@example.org", NOW)
        unit.commit()
    assert asked == Errand(
        asked.id, ErrandKind.CHANGE_ADDRESS, alice, "New@example.org", NOW, done_at=None
    )
    with begin() as unit:
        assert unit.errands.get(asked.id) == asked
        unit.errands.done(asked.id, NOW + MINUTE)
        done = unit.errands.get(asked.id)
        assert unit.errands.get(asked.id + 1) is None
    assert done is not None
    assert done.done_at == NOW + MINUTE


def test_every_kind_of_errand_comes_back_as_it_was(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        asked = [unit.errands.add(kind, alice, "a@b.cd", NOW) for kind in ErrandKind]
        assert [unit.errands.get(errand.id) for errand in asked] == asked


def test_the_errands_of_a_player_are_found_the_newest_first(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        asked = [
            unit.errands.add(ErrandKind.ADD_ADDRESS, player, address, NOW)
            for player, address in ((alice, "a@b.cd"), (bob, "b@b.cd"), (alice, "c@b.cd"))
        ]
        assert unit.errands.of(alice) == (asked[2], asked[0])
        assert unit.errands.latest("b@b.cd") == asked[1]
        assert unit.errands.latest("d@b.cd") is None


def test_no_address_of_a_forgotten_errand_stays(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        asked = unit.errands.add(ErrandKind.SIGN_OFF, alice, "a@b.cd", NOW)
        other = unit.errands.add(ErrandKind.SIGN_OFF, bob, "b@b.cd", NOW)
        unit.errands.forget(alice)
        assert unit.errands.get(asked.id) is None
        assert unit.errands.latest("a@b.cd") is None
        assert unit.errands.of(bob) == (other,)


def test_the_newest_errand_of_a_kind_is_found_whatever_came_after_it(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.errands.add(ErrandKind.STAY, alice, "a@b.cd", NOW)
        newer = unit.errands.add(ErrandKind.STAY, alice, "a@b.cd", NOW)
        unit.errands.add(ErrandKind.STAY, bob, "b@b.cd", NOW)
        unit.errands.add(ErrandKind.RESET_PASSWORD, alice, "a@b.cd", NOW)
        unit.errands.done(newer.id, NOW + MINUTE)
        assert unit.errands.last(alice, ErrandKind.STAY) == replace(newer, done_at=NOW + MINUTE)
        assert unit.errands.last(bob, ErrandKind.SIGN_OFF) is None


def test_errands_that_wait_are_found_by_their_age_oldest_first(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        third, second, first, done = (
            unit.errands.add(ErrandKind.STAY, alice, "a@b.cd", NOW + age * MINUTE)
            for age in (2, 1, 0, 0)
        )
        unit.errands.add(ErrandKind.SIGN_OFF, alice, "a@b.cd", NOW)
        unit.errands.done(done.id, NOW)
        assert unit.errands.waiting(ErrandKind.STAY, NOW + MINUTE, 10) == (first, second)
        assert unit.errands.waiting(ErrandKind.STAY, third.made_at, 2) == (first, second)
