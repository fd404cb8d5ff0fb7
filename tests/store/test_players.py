"""Players are found by names and settings, of which a database could mistake one for another."""

from collections.abc import Mapping

import pytest

from pbm.domain.errors import NotAllowed
from pbm.domain.player import PlayerState, Trouble
from tests.doors import UnitOfWork
from tests.store.samples import NOW, add_players


def test_a_userid_is_given_once_in_any_case(unit: UnitOfWork) -> None:
    add_players(unit, "Alice")
    with pytest.raises(NotAllowed, match=r"alice.* is taken"):
        unit.players.add("alice", "hash", [], NOW)
    add_players(unit, "bob")
    assert [player.userid for player in unit.players.listing()] == ["Alice", "bob"]


def test_all_players_are_listed_in_order_of_userid_however_many(unit: UnitOfWork) -> None:
    names = [f"p{number}" for number in range(1, 520)]
    for name in names:
        unit.players.add(name.title() if name.endswith("3") else name, "hash", [], NOW)
    assert [player.userid.lower() for player in unit.players.listing()] == sorted(names)


def test_more_ids_may_be_asked_for_than_a_statement_has_parameters(unit: UnitOfWork) -> None:
    (alice,) = add_players(unit, "alice")
    assert list(unit.players.by_ids(range(-35_000, 1_000))) == [alice]


@pytest.mark.parametrize("userid", ["", "\0", "\udc80", "ä", "\U0010ffff", "%", "_"])
def test_a_userid_that_cannot_be_one_is_not_found(unit: UnitOfWork, userid: str) -> None:
    add_players(unit, "alice")
    assert unit.players.by_userid(userid) is None
    assert unit.players.by_address(userid) == ()
    assert unit.players.similar(userid) == ()


def test_similar_userids_begin_with_the_same_letter(unit: UnitOfWork) -> None:
    add_players(unit, "alan", "Bert", "bob", "b-2", "carl")
    assert unit.players.similar("Bo") == ("b-2", "Bert", "bob")
    assert unit.players.similar("xi") == ()


def test_a_look_alike_is_found_among_many_that_begin_like_it(unit: UnitOfWork) -> None:
    add_players(unit, *(f"wim{n}" for n in range(300)))
    assert unit.players.lookalike("vvlrn299") == "wim299"
    assert unit.players.lookalike("wim300") is None


def test_a_player_has_each_address_once_and_in_the_order_given(unit: UnitOfWork) -> None:
    (alice,) = add_players(unit, "alice")
    unit.players.set_addresses(alice, ["z@x.org", "a@x.org", "Z@X.org"])
    assert unit.players.by_ids([alice])[alice].addresses == ("z@x.org", "a@x.org")


def test_failures_are_counted_for_every_account_with_the_address_until_it_is_off(
    unit: UnitOfWork,
) -> None:
    alice, bob = add_players(unit, "alice", "bob")
    unit.players.set_addresses(bob, ["bob@example.org", "Alice@example.org"])
    assert unit.players.count_failure("ALICE@example.org") == {alice: 1, bob: 1}
    unit.players.switch_off(bob, "alice@EXAMPLE.org", NOW)
    assert unit.players.count_failure("alice@example.org") == {alice: 2}
    # One that is kept keeps its troubles, and a new one has none.
    unit.players.set_addresses(bob, ["new@example.org", "ALICE@example.org"])
    people = unit.players.by_ids([alice, bob])
    assert people[alice].troubles == {"alice@example.org": Trouble(2)}
    assert people[alice].address == "alice@example.org"
    assert people[bob].troubles == {"ALICE@example.org": Trouble(1, NOW)}
    assert (people[bob].address, people[bob].off) == ("new@example.org", ("ALICE@example.org",))
    unit.players.switch_on(bob, "alice@example.org")
    assert unit.players.by_ids([bob])[bob].troubles == {}


def with_settings(unit: UnitOfWork, given: Mapping[str, tuple[str, str]]) -> None:
    add_players(unit, "nobody")
    for userid, (name, value) in given.items():
        unit.players.set_setting(add_players(unit, userid)[0], name, value)


def found(unit: UnitOfWork, name: str, value: str, after: int = 0, limit: int = 9) -> list[str]:
    players = unit.players.with_setting(name, value, after=after, limit=limit)
    return [player.userid for player in players]


def test_players_are_found_by_exactly_what_they_have_set(unit: UnitOfWork) -> None:
    given = {
        "alice": ("broadcast", "yes"), "bob": ("broadcast", "YES"),
        "carl": ("broadcast", "yes please"), "dora": ("note", '"broadcast":"yes"'),
        "emil": ("broadcast", "y_s"), "fred": ("old.broadcast", "yes"),
        "gina": ("broadcast", "yes"), "hugo": ("broadcast", "yes"), "ines": ("broadcast", "yes"),
    }  # fmt: skip
    with_settings(unit, given)
    for userid, state in (("hugo", PlayerState.DISABLED), ("ines", PlayerState.GONE)):
        player = unit.players.by_userid(userid)
        assert player
        unit.players.set_state(player.id, state)
    assert found(unit, "broadcast", "yes") == ["alice", "gina"]
    assert found(unit, "broadcast", "yes", limit=1) == ["alice"]
    alice = unit.players.by_userid("alice")
    assert alice
    assert found(unit, "broadcast", "yes", after=alice.id) == ["gina"]
    assert found(unit, "broadcast", "y_s") == ["emil"]
    assert found(unit, "broadcast", "%") == []
    assert unit.players.count_with_setting("broadcast", "y_s") == 1
    assert unit.players.count_with_setting("broadcast", "%") == 0


def test_players_are_found_by_how_the_name_of_a_setting_begins(unit: UnitOfWork) -> None:
    given = {
        "alice": ("held.104", "3"), "bob": ("held", "yes"), "carl": ("note", '"held.104":"3"'),
        "dora": ("upheld.104", "3"), "emil": ("held.7", "1"),
    }  # fmt: skip
    with_settings(unit, given)
    alice, emil = unit.players.with_any_setting("held.", after=0, limit=9)
    assert (alice.userid, emil.userid) == ("alice", "emil")
    assert unit.players.with_any_setting("held.", after=0, limit=1) == (alice,)
    assert unit.players.with_any_setting("held.", after=alice.id, limit=9) == (emil,)


@pytest.mark.parametrize("value", ['quo"te', "back\\slash", "per%cent", "\0", "\udc80", "\u2603"])
def test_any_text_can_be_set_and_found(unit: UnitOfWork, value: str) -> None:
    (alice,) = add_players(unit, "alice")
    unit.players.set_setting(alice, "name", value)
    assert unit.players.by_ids([alice])[alice].settings == {"name": value}
    assert found(unit, "name", value) == ["alice"]
