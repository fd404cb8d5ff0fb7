"""Plans belong to their player and stay in the order given until they are replaced."""

import pytest

from pbm.domain.plans import QueuedMove
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import START, a_match, add_players

TREE = (
    QueuedMove("c3"),
    QueuedMove("d4", base=2, condition=("b2", "c3")),
    QueuedMove("a1", base=2, condition=('"x\\', "\N{SNOWMAN}")),
)


def two_boards(unit: UnitOfWork) -> tuple[int, int]:
    alice, bob = add_players(unit, "alice", "bob")
    for number in (101, 102):
        unit.matches.add(a_match(number, (alice, bob)), START, (0,))
    return alice, bob


def test_queued_moves_come_back_in_the_order_given(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = two_boards(unit)
        unit.plans.set_queued(101, alice, TREE)
        unit.commit()
    with begin() as unit:
        assert unit.plans.queued(101, alice) == TREE
        assert unit.plans.queued(101, bob) == ()
        assert unit.plans.queued(102, alice) == ()


def test_a_queue_is_replaced_and_no_others_with_it(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = two_boards(unit)
        for number, player in ((101, alice), (101, bob), (102, alice)):
            unit.plans.set_queued(number, player, TREE)
        unit.plans.set_queued(101, alice, TREE[1:2])
        assert unit.plans.queued(101, alice) == TREE[1:2]
        assert unit.plans.queuers(101) == {alice, bob}
        unit.plans.set_queued(101, alice, ())
        assert unit.plans.queued(101, alice) == ()
        assert unit.plans.queuers(101) == {bob}
        assert unit.plans.queued(101, bob) == unit.plans.queued(102, alice) == TREE


@pytest.mark.parametrize("withdrawn", [None, (5, "d4")])
def test_a_submitted_move_is_kept_until_another_or_none_is(
    begin: Begin, withdrawn: tuple[int, str] | None
) -> None:
    with begin() as unit:
        alice, bob = two_boards(unit)
        unit.plans.set_submitted(101, alice, (3, "c3"))
        unit.plans.set_submitted(101, bob, (4, "b2"))
        assert unit.plans.submitted(101, alice) == (3, "c3")
        assert unit.plans.submitted(102, alice) is None
        unit.plans.set_submitted(101, alice, withdrawn)
        assert unit.plans.submitted(101, alice) == withdrawn
        assert unit.plans.submitted(101, bob) == (4, "b2")
