"""A name in any case is one player, and players may share an address."""

import pytest

from pbm.domain.errors import NotAllowed
from pbm.domain.player import Player, PlayerState, Trouble
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, add_players


def test_a_player_is_found_by_userid_in_any_case(begin: Begin) -> None:
    with begin() as unit:
        alice = unit.players.add("Alice", "hash", ["Alice@Example.org", "a@b.cd"], NOW)
        unit.commit()
    with begin() as unit:
        assert unit.players.by_userid("aLICE") == alice
        assert unit.players.by_userid("alic") is None
    assert alice.userid == "Alice"
    assert alice.addresses == ("Alice@Example.org", "a@b.cd")
    assert alice.created_at == NOW


def test_a_userid_is_given_once_in_any_case(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, "Alice")
        with pytest.raises(NotAllowed, match=r"alice.* is taken"):
            unit.players.add("alice", "hash", [], NOW)
        add_players(unit, "bob")
        assert [player.userid for player in unit.players.listing()] == ["Alice", "bob"]


def test_players_of_one_family_share_an_address(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.players.set_addresses(bob, ["bob@example.org", "ALICE@example.org"])
        found = unit.players.by_address("Alice@Example.ORG")
    assert [player.id for player in found] == [alice, bob]
    assert found[1].addresses == ("bob@example.org", "ALICE@example.org")


@pytest.mark.parametrize("state", [PlayerState.DISABLED, PlayerState.GONE])
def test_only_active_players_are_found_by_address(begin: Begin, state: PlayerState) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.players.set_state(alice, state)
        assert unit.players.by_address("alice@example.org") == ()
        assert unit.players.by_ids([alice])[alice].state is state


def test_a_player_has_each_address_once_and_in_the_order_given(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.players.set_addresses(alice, ["z@x.org", "a@x.org", "Z@X.org"])
        assert unit.players.by_ids([alice])[alice].addresses == ("z@x.org", "a@x.org")
        unit.players.set_addresses(alice, [])
        assert unit.players.by_ids([alice])[alice].address is None


def test_only_players_that_exist_are_found_by_id(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        found = unit.players.by_ids([bob, alice, bob, 4711])
    assert {number: player.userid for number, player in found.items()} == {
        alice: "alice",
        bob: "bob",
    }


def test_more_ids_may_be_asked_for_than_a_statement_has_parameters(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        assert list(unit.players.by_ids(range(-35_000, 1_000))) == [alice]


def test_similar_userids_begin_with_the_same_letter(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, "alan", "Bert", "bob", "b-2", "carl")
        assert unit.players.similar("Bo") == ("b-2", "Bert", "bob")
        assert unit.players.similar("xi") == ()


@pytest.mark.parametrize("userid", ["", "\0", "\udc80", "ä", "\U0010ffff", "%", "_"])
def test_a_userid_that_cannot_be_one_is_not_found(begin: Begin, userid: str) -> None:
    with begin() as unit:
        add_players(unit, "alice")
        assert unit.players.by_userid(userid) is None
        assert unit.players.by_address(userid) == ()
        assert unit.players.similar(userid) == ()


def test_all_players_are_listed_in_order_of_userid_however_many(begin: Begin) -> None:
    names = [f"p{number}" for number in range(1, 520)]
    with begin() as unit:
        for name in names:
            unit.players.add(name.title() if name.endswith("3") else name, "hash", [], NOW)
        listed = [player.userid.lower() for player in unit.players.listing()]
    assert listed == sorted(names)


def test_a_password_hash_is_kept_and_replaced(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.players.set_password_hash(alice, "another")
        assert unit.players.password_hash(alice) == "another"
        assert unit.players.password_hash(bob) == "hash"


def test_the_tokens_of_one_player_become_void_from_a_moment(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.players.void_tokens(alice, NOW)
        found = unit.players.by_ids([alice, bob])
        assert (found[alice].tokens_since, found[bob].tokens_since) == (NOW, None)


def test_a_signup_waits_until_it_is_confirmed(begin: Begin) -> None:
    with begin() as unit:
        signup = unit.signups.add("alice", "hash", "Alice@example.org", NOW)
        assert unit.signups.get(signup.id) == signup
        assert signup.confirmed_at is None
        unit.signups.confirm(signup, NOW + MINUTE)
        confirmed = unit.signups.get(signup.id)
    assert confirmed is not None
    assert confirmed.confirmed_at == NOW + MINUTE


def test_the_latest_signup_of_an_address_is_found_in_any_case(begin: Begin) -> None:
    with begin() as unit:
        unit.signups.add("alice", "hash", "alice@example.org", NOW)
        second = unit.signups.add("alice2", "hash", "Alice@Example.org", NOW)
        unit.signups.add("bob", "hash", "bob@example.org", NOW)
        assert unit.signups.latest("ALICE@example.org") == second
        assert unit.signups.latest("carl@example.org") is None
        assert unit.signups.get(4711) is None


def test_a_setting_is_kept_and_taken_back(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        assert unit.players.by_ids([alice])[alice].settings == {}
        unit.players.set_setting(bob, "digest", "yes")
        unit.players.set_setting(alice, "picture", "html")
        unit.players.set_setting(alice, "zone", "Europe/Berlin")
        unit.players.set_setting(alice, "picture", "text")
        unit.commit()
    with begin() as unit:
        found = unit.players.by_userid("alice")
        assert found is not None
        assert found.settings == {"picture": "text", "zone": "Europe/Berlin"}
        unit.players.set_setting(alice, "picture", None)
        unit.players.set_setting(alice, "digest", None)
        assert unit.players.by_ids([alice])[alice].settings == {"zone": "Europe/Berlin"}
        assert unit.players.by_address("bob@example.org")[0].settings == {"digest": "yes"}


def found(
    unit: UnitOfWork, name: str, value: str, after: int = 0, limit: int = 9
) -> tuple[Player, ...]:
    return unit.players.with_setting(name, value, after=after, limit=limit)


def test_players_are_found_by_exactly_what_they_have_set(begin: Begin) -> None:
    given = {
        "alice": ("broadcast", "yes"),
        "bob": ("broadcast", "YES"),
        "carl": ("broadcast", "yes please"),
        "dora": ("note", '"broadcast":"yes"'),
        "emil": ("broadcast", "y_s"),
        "fred": ("old.broadcast", "yes"),
        "gina": ("broadcast", "yes"),
    }
    with begin() as unit:
        add_players(unit, "nobody")
        for userid, (name, value) in given.items():
            unit.players.set_setting(add_players(unit, userid)[0], name, value)
        alice, gina = found(unit, "broadcast", "yes")
        assert (alice.userid, gina.userid) == ("alice", "gina")
        assert alice.address == "alice@example.org"
        assert found(unit, "broadcast", "yes", limit=1) == (alice,)
        assert found(unit, "broadcast", "yes", after=alice.id) == (gina,)
        assert [p.userid for p in found(unit, "broadcast", "y_s")] == ["emil"]
        assert found(unit, "broadcast", "%") == ()
        assert unit.players.count_with_setting("broadcast", "y_s") == 1
        assert unit.players.count_with_setting("broadcast", "%") == 0


def test_players_are_found_by_how_the_name_of_a_setting_begins(begin: Begin) -> None:
    given = {
        "alice": ("held.104", "3"),
        "bob": ("held", "yes"),
        "carl": ("note", '"held.104":"3"'),
        "dora": ("upheld.104", "3"),
        "emil": ("held.7", "1"),
    }
    with begin() as unit:
        for userid, (name, value) in given.items():
            unit.players.set_setting(add_players(unit, userid)[0], name, value)
        alice, emil = unit.players.with_any_setting("held.", after=0, limit=9)
        assert (alice.userid, emil.userid) == ("alice", "emil")
        assert unit.players.with_any_setting("held.", after=0, limit=1) == (alice,)
        assert unit.players.with_any_setting("held.", after=alice.id, limit=9) == (emil,)


@pytest.mark.parametrize("value", ['quo"te', "back\\slash", "per%cent", "\0", "\udc80", "\u2603"])
def test_any_text_can_be_set_and_found(begin: Begin, value: str) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.players.set_setting(alice, "name", value)
        assert unit.players.by_ids([alice])[alice].settings == {"name": value}
        assert [player.id for player in found(unit, "name", value)] == [alice]


@pytest.mark.parametrize("state", [PlayerState.DISABLED, PlayerState.GONE])
def test_only_active_players_are_found_by_what_they_have_set(
    begin: Begin, state: PlayerState
) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.players.set_setting(alice, "broadcast", "yes")
        unit.players.set_state(alice, state)
        assert found(unit, "broadcast", "yes") == ()


def test_failures_are_counted_for_every_account_with_the_address_until_it_is_off(
    begin: Begin,
) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.players.set_addresses(bob, ["bob@example.org", "Alice@example.org"])
        assert unit.players.count_failure("ALICE@example.org") == {alice: 1, bob: 1}
        unit.players.switch_off(bob, "alice@EXAMPLE.org", NOW)
        assert unit.players.count_failure("alice@example.org") == {alice: 2}
        people = unit.players.by_ids([alice, bob])
        assert people[alice].troubles == {"alice@example.org": Trouble(2)}
        assert people[alice].address == "alice@example.org"
        assert people[bob].troubles == {"Alice@example.org": Trouble(1, NOW)}
        assert (people[bob].address, people[bob].off) == ("bob@example.org", ("Alice@example.org",))
        unit.players.switch_on(bob, "alice@example.org")
        assert unit.players.by_ids([bob])[bob].troubles == {}


def test_an_address_that_is_kept_keeps_its_troubles_and_a_new_one_has_none(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.players.count_failure("alice@example.org")
        unit.players.switch_off(alice, "alice@example.org", NOW)
        assert unit.players.by_ids([alice])[alice].address is None
        unit.players.set_addresses(alice, ["new@example.org", "ALICE@example.org"])
        after = unit.players.by_ids([alice])[alice]
    assert after.troubles == {"ALICE@example.org": Trouble(1, NOW)}
    assert after.address == "new@example.org"


@pytest.mark.parametrize("state", list(PlayerState))
def test_a_userid_that_looks_like_another_is_found_even_if_its_owner_has_left(
    begin: Begin, state: PlayerState
) -> None:
    with begin() as unit:
        alice, _ = add_players(unit, "Alice", "mow_01")
        unit.players.set_state(alice, state)
        for like in ("alice", "aIice", "A1ICE", "al1ce"):
            assert unit.players.lookalike(like) == "Alice"
        for like in ("rnow-01", "MOVV.Ol", "mow_01", "rn0vv-0i"):
            assert unit.players.lookalike(like) == "mow_01"
        for other in ("alic", "alices", "mow01", "nowl", "bob", "l" * 16):
            assert unit.players.lookalike(other) is None


def test_a_look_alike_is_found_among_many_that_begin_like_it(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, *(f"wim{n}" for n in range(300)))
        assert unit.players.lookalike("vvlrn299") == "wim299"
        assert unit.players.lookalike("wim300") is None
