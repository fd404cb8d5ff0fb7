"""The writers of one process take turns, so that a flood at one stage locks no other stage out."""

import threading
from contextlib import suppress
from pathlib import Path

import pytest

from pbm.service.ports import StoreUnavailable
from pbm.store import migrations
from pbm.store.database import create_engine
from pbm.store.dialects import WriterQueue
from pbm.store.unit import UnitOfWork


def test_a_waiting_writer_goes_before_one_that_comes_back() -> None:
    queue = WriterQueue(patience=20)
    order: list[str] = []

    def wait() -> None:
        queue.enter()
        order.append("waited")
        queue.leave()

    queue.enter()
    waits = threading.Thread(target=wait)
    waits.start()
    while not queue._waiting:
        pass
    queue.leave()
    queue.enter()
    order.append("came back")
    waits.join(20)
    assert order == ["waited", "came back"]


def test_a_writer_that_waits_too_long_is_told_and_keeps_nobody_out() -> None:
    queue = WriterQueue(patience=0.01)
    queue.enter()
    with pytest.raises(StoreUnavailable):
        queue.enter()
    queue.leave()
    queue.enter()


@pytest.mark.parametrize("way_out", ["commit", "rollback", "exception"])
def test_the_turn_ends_on_every_way_out(tmp_path: Path, way_out: str) -> None:
    url = f"sqlite:///{tmp_path}/pbm.db"
    migrations.upgrade(url)
    engine = create_engine(url)
    for _ in range(2):
        with suppress(ZeroDivisionError), UnitOfWork(engine) as work:
            work.next_number()
            if way_out == "commit":
                work.commit()
            elif way_out == "exception":
                _ = 1 // 0
    with UnitOfWork(engine) as first, UnitOfWork(engine, write=False) as second:
        assert first.next_number() >= 101
        assert list(second.players.listing()) == []
    engine.dispose()
