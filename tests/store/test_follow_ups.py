"""FollowUps wait in their order, and one that nobody has begun can take more along."""

from sqlalchemy import Engine

from pbm.service.ports import FollowUpKind
from tests.store.conftest import Begin
from tests.store.samples import NOW


def test_the_newest_of_a_board_can_be_changed_until_somebody_has_it_or_has_begun(
    begin: Begin, engine: Engine
) -> None:
    with begin() as unit:
        for number in (101, 101, 102):
            unit.follow_ups.add(FollowUpKind.BOARD, None, NOW, number=number, facts={"n": number})
        unit.commit()
    with begin() as unit:
        newest = unit.follow_ups.not_begun(FollowUpKind.BOARD, 101)
        oldest = unit.follow_ups.claim()
        assert newest
        assert oldest
        assert oldest.id < newest.id
        unit.follow_ups.change(newest.id, {"n": 7})
        unit.follow_ups.done(oldest.id)
        unit.commit()
    with begin() as unit:
        changed = unit.follow_ups.claim()
        assert changed
        assert (changed.id, changed.facts) == (newest.id, {"n": 7})
        unit.follow_ups.progress(changed.id, 3)
        assert unit.follow_ups.not_begun(FollowUpKind.BOARD, 101) is None
        assert unit.follow_ups.not_begun(FollowUpKind.SEEK, 102) is None
        if engine.dialect.name == "postgresql":
            with begin() as other:
                assert other.follow_ups.not_begun(FollowUpKind.BOARD, 101) is None
