"""Invitations come back as they were stored, and the invited players find them."""

from dataclasses import replace

import pytest

from pbm.domain.invitations import Invitation, InvitationState, Terms
from pbm.domain.player import PlayerId
from pbm.engine import Setup
from pbm.service.ports import Conflict
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, add_players


def an_invitation(number: int, *players: PlayerId) -> Invitation:
    return Invitation(
        number=number,
        game="noughts",
        setup=Setup({"size": "3"}, seed=7),
        terms=Terms(rated=False, total_days=90),
        players=players,
        inviter=players[0],
        agreed=frozenset(players[:1]),
        made_at=NOW,
    )


def test_an_invitation_comes_back_as_it_was_added(begin: Begin) -> None:
    with begin() as unit:
        invitation = an_invitation(101, *add_players(unit, "bob", "alice"))
        unit.invitations.add(invitation)
        assert unit.invitations.get(101) == invitation
        assert unit.invitations.get(102) is None


def test_who_has_agreed_and_what_became_of_it_is_saved(begin: Begin) -> None:
    with begin() as unit:
        bob, alice = add_players(unit, "bob", "alice")
        invitation = an_invitation(101, bob, alice)
        unit.invitations.add(invitation)
        unit.invitations.add(an_invitation(102, bob, alice))
        started = replace(invitation, agreed=frozenset({bob, alice}), state=InvitationState.STARTED)
        unit.invitations.save(started)
        assert unit.invitations.get(101) == started
        assert unit.invitations.get(102) == an_invitation(102, bob, alice)


def test_a_player_finds_the_open_invitations_to_them_oldest_first(
    begin: Begin,
) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        young = replace(an_invitation(101, alice, bob), made_at=NOW + MINUTE)
        old = an_invitation(102, bob, alice)
        for invitation in (young, old, an_invitation(103, bob, carl)):
            unit.invitations.add(invitation)
        declined = replace(an_invitation(104, alice, carl), state=InvitationState.DECLINED)
        unit.invitations.add(declined)
        assert unit.invitations.open_for(alice) == (old, young)
        assert unit.invitations.open_for(carl) == (an_invitation(103, bob, carl),)


def test_an_invitation_closed_meanwhile_cannot_be_accepted_or_closed_again(begin: Begin) -> None:
    with begin() as unit:
        invitation = an_invitation(101, *add_players(unit, "bob", "alice"))
        unit.invitations.add(invitation)
        expired = replace(invitation, state=InvitationState.EXPIRED)
        unit.invitations.save(expired)
        for state in (InvitationState.STARTED, InvitationState.EXPIRED):
            with pytest.raises(Conflict):
                unit.invitations.save(replace(invitation, state=state))
        assert unit.invitations.get(101) == expired


def test_an_inviter_finds_their_invitations_while_they_are_open(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        young = replace(an_invitation(101, bob, carl), inviter=alice, made_at=NOW + MINUTE)
        old = an_invitation(102, alice, bob)
        expired = replace(an_invitation(103, alice, carl), state=InvitationState.EXPIRED)
        for invitation in (young, old, expired, an_invitation(104, bob, carl)):
            unit.invitations.add(invitation)
        assert unit.invitations.open_by(alice) == (old, young)
        assert unit.invitations.open_by(carl) == ()


def test_open_invitations_are_found_by_their_age_oldest_first(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        first, second, third = (
            replace(an_invitation(number, alice, bob), made_at=NOW + age * MINUTE)
            for number, age in ((103, 0), (101, 1), (102, 2))
        )
        declined = replace(an_invitation(104, alice, bob), state=InvitationState.DECLINED)
        for invitation in (third, second, first, declined):
            unit.invitations.add(invitation)
        assert unit.invitations.open_since(NOW + MINUTE, 10) == (first, second)
        assert unit.invitations.open_since(NOW + 9 * MINUTE, 2) == (first, second)
        assert unit.invitations.open_since(NOW - MINUTE, 10) == ()


def test_of_two_who_agree_at_once_the_second_must_look_again(begin: Begin) -> None:
    """Otherwise, on PostgreSQL, each would only see their own answer and no match would begin."""
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        invitation = replace(an_invitation(101, alice, bob), agreed=frozenset())
        unit.invitations.add(invitation)
        unit.invitations.save(replace(invitation, agreed=frozenset({alice})))
        with pytest.raises(Conflict):
            unit.invitations.save(replace(invitation, agreed=frozenset({bob})))
        unit.invitations.save(replace(invitation, agreed=frozenset({alice, bob})))
