"""Sequels wait in their order, and one that nobody has begun can take more along."""

from sqlalchemy import Engine

from pbm.service.ports import SequelKind
from tests.store.conftest import Begin
from tests.store.samples import NOW


def test_the_newest_of_a_board_can_be_changed_until_somebody_has_it_or_has_begun(
    begin: Begin, engine: Engine
) -> None:
    with begin() as unit:
        for number in (101, 101, 102):
            unit.sequels.add(SequelKind.BOARD, None, NOW, number=number, facts={"n": number})
        unit.commit()
    with begin() as unit:
        newest = unit.sequels.not_begun(SequelKind.BOARD, 101)
        oldest = unit.sequels.claim()
        assert newest
        assert oldest
        assert oldest.id < newest.id
        unit.sequels.change(newest.id, {"n": 7})
        unit.sequels.done(oldest.id)
        unit.commit()
    with begin() as unit:
        changed = unit.sequels.claim()
        assert changed
        assert (changed.id, changed.facts) == (newest.id, {"n": 7})
        unit.sequels.progress(changed.id, 3)
        assert unit.sequels.not_begun(SequelKind.BOARD, 101) is None
        assert unit.sequels.not_begun(SequelKind.SEEK, 102) is None
        if engine.dialect.name == "postgresql":
            with begin() as other:
                assert other.sequels.not_begun(SequelKind.BOARD, 101) is None
