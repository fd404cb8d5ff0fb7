"""Mailboxes that are left alone, and signups that the opening of another one ends."""

from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW


def test_a_mailbox_is_left_alone_until_it_is_removed(begin: Begin) -> None:
    with begin() as unit:
        unit.left_alone.add("a" * 64, NOW)
        unit.left_alone.add("a" * 64, NOW + MINUTE)
        unit.commit()
    with begin() as unit:
        assert unit.left_alone.holds("a" * 64)
        assert not unit.left_alone.holds("b" * 64)
        unit.left_alone.remove("b" * 64)
        unit.left_alone.remove("a" * 64)
        assert not unit.left_alone.holds("a" * 64)


def test_confirming_a_signup_ends_the_others_of_its_address_in_any_case(begin: Begin) -> None:
    with begin() as unit:
        first = unit.signups.add("alice", "hash", "alice@example.org", NOW)
        second = unit.signups.add("alice2", "hash", "Alice@Example.org", NOW)
        other = unit.signups.add("bob", "hash", "bob@example.org", NOW)
        unit.signups.confirm(first, NOW + MINUTE)
        waiting = [unit.signups.get(signup.id) for signup in (first, second, other)]
    assert [each.confirmed_at for each in waiting if each] == [NOW + MINUTE, NOW + MINUTE, None]
