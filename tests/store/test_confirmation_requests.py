"""A confirmation request is kept until a reply confirms it, and no longer than its player."""

from pbm.domain.confirmations import ConfirmationKind, ConfirmationRequest
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, add_players


def test_a_request_waits_until_it_is_done(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        asked = unit.confirmations.add(
            ConfirmationKind.CHANGE_ADDRESS, alice, "New@example.org", NOW
        )
        unit.commit()
    assert asked == ConfirmationRequest(
        asked.id, ConfirmationKind.CHANGE_ADDRESS, alice, "New@example.org", NOW, done_at=None
    )
    with begin() as unit:
        assert unit.confirmations.get(asked.id) == asked
        unit.confirmations.done(asked.id, NOW + MINUTE)
        done = unit.confirmations.get(asked.id)
        assert unit.confirmations.get(asked.id + 1) is None
    assert done is not None
    assert done.done_at == NOW + MINUTE


def test_every_kind_of_request_comes_back_as_it_was(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        asked = [unit.confirmations.add(kind, alice, "a@b.cd", NOW) for kind in ConfirmationKind]
        assert [unit.confirmations.get(request.id) for request in asked] == asked


def test_the_confirmation_requests_of_a_player_are_found_the_newest_first(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        asked = [
            unit.confirmations.add(ConfirmationKind.ADD_ADDRESS, player, address, NOW)
            for player, address in ((alice, "a@b.cd"), (bob, "b@b.cd"), (alice, "c@b.cd"))
        ]
        assert unit.confirmations.of(alice) == (asked[2], asked[0])
        assert unit.confirmations.latest("b@b.cd") == asked[1]
        assert unit.confirmations.latest("d@b.cd") is None


def test_no_address_of_a_forgotten_request_stays(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        asked = unit.confirmations.add(ConfirmationKind.SIGN_OFF, alice, "a@b.cd", NOW)
        other = unit.confirmations.add(ConfirmationKind.SIGN_OFF, bob, "b@b.cd", NOW)
        unit.confirmations.forget(alice)
        assert unit.confirmations.get(asked.id) is None
        assert unit.confirmations.latest("a@b.cd") is None
        assert unit.confirmations.of(bob) == (other,)
