"""Mailboxes that are left alone, and signups that the opening of another one ends."""

from dataclasses import replace

from pbm.domain.confirmations import Declined
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW

NINA, OSCAR = "a" * 64, "b" * 64


def test_a_mailbox_is_left_alone_until_it_is_removed(begin: Begin) -> None:
    with begin() as unit:
        unit.left_alone.add(NINA, NOW, proven=False)
        unit.commit()
    with begin() as unit:
        assert unit.left_alone.find(NINA) == Declined(proven=False)
        assert unit.left_alone.find(OSCAR) is None
        unit.left_alone.remove(OSCAR)
        unit.left_alone.remove(NINA)
        assert unit.left_alone.find(NINA) is None


def test_the_last_no_counts_and_one_that_was_proven_stays_proven(begin: Begin) -> None:
    with begin() as unit:
        unit.left_alone.add(NINA, NOW, proven=True)
        asking = Declined(proven=True).asking(NOW)
        assert asking
        unit.left_alone.save(NINA, asking)
        assert unit.left_alone.find(NINA) == asking
        unit.left_alone.add(NINA, NOW + MINUTE, proven=False)
        found = unit.left_alone.find(NINA)
    assert found == replace(asking, asking_until=None)


def test_confirming_a_signup_ends_the_others_of_its_address_in_any_case(begin: Begin) -> None:
    with begin() as unit:
        first = unit.signups.add("alice", "hash", "alice@example.org", NOW)
        second = unit.signups.add("alice2", "hash", "Alice@Example.org", NOW)
        other = unit.signups.add("bob", "hash", "bob@example.org", NOW)
        unit.signups.confirm(first, NOW + MINUTE)
        waiting = [unit.signups.get(signup.id) for signup in (first, second, other)]
    assert [each.confirmed_at for each in waiting if each] == [NOW + MINUTE, NOW + MINUTE, None]
