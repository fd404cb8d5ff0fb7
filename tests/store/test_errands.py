"""An errand is kept until a reply confirms it, and no longer than its player."""

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
