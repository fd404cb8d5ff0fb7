"""Signs of life in the store: when many processes come back at once, one writes the outage."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import Engine

from pbm.domain.pauses import PauseKind
from pbm.service.heartbeat import ALL_PARTS, SERVING, beat, silent_since
from pbm.service.ports import News
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import NOW

BACK = NOW + timedelta(days=3)


def give_sign(begin: Begin, *parts: str) -> None:
    with begin() as work:
        beat(work, parts, BACK, SERVING)
        work.commit()


@pytest.fixture
def silent(begin: Begin) -> Begin:
    """Return a function that opens a store in which all parts last gave a sign at NOW."""
    with begin() as work:
        beat(work, ALL_PARTS, NOW, SERVING)
        work.commit()
    return begin


def test_processes_that_come_back_at_once_write_one_outage_and_one_piece_of_news(
    silent: Begin,
) -> None:
    together = Barrier(8)

    def come_back(number: int) -> None:
        together.wait(10)
        give_sign(silent, *(ALL_PARTS if number % 2 else ALL_PARTS[:1]))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(come_back, range(8)))
    with silent() as work:
        (outage,) = work.pauses.of(None)
        assert (outage.kind, outage.began_at, outage.until) == (PauseKind.OUTAGE, NOW, BACK)
        news = work.announcements.next()
        assert news is not None
        assert (news.news, news.pause) == (News.OUTAGE, outage)
        work.announcements.done(news.id)
        assert work.announcements.next() is None
        assert silent_since(work, BACK) is None


@pytest.mark.postgres
def test_a_sign_waits_for_one_that_is_not_committed_yet(postgres_engine: Engine) -> None:
    """Otherwise both would find the server silent."""

    def begin() -> UnitOfWork:
        return UnitOfWork(postgres_engine)

    with begin() as work:
        beat(work, ALL_PARTS, NOW, SERVING)
        work.commit()
    with ThreadPoolExecutor(1) as pool, begin() as first:
        first.pulses.held()
        later = pool.submit(give_sign, begin, "play")
        with pytest.raises(TimeoutError):
            later.result(0.3)
        beat(first, ALL_PARTS, BACK, SERVING)
        first.commit()
        later.result(10)
    with begin() as work:
        assert len(work.pauses.of(None)) == 1


def test_a_reader_sees_whether_the_server_is_silent(silent: Begin, engine: Engine) -> None:
    with UnitOfWork(engine, write=False) as work:
        assert silent_since(work, NOW + SERVING) is None
        assert silent_since(work, NOW + SERVING + timedelta(seconds=1)) == NOW


def test_newer_news_of_a_pause_take_the_place_of_older_ones(begin: Begin) -> None:
    with begin() as work:
        pause = work.pauses.add(PauseKind.MAINTENANCE, NOW, None)
        other = work.pauses.add(PauseKind.OUTAGE, NOW, BACK)
        work.announcements.add(News.STOPPED, pause.id, NOW)
        work.announcements.add(News.OUTAGE, other.id, NOW)
        work.announcements.add(News.RESUMED, pause.id, BACK)
        told = []
        while news := work.announcements.next():
            told.append(news.news)
            work.announcements.done(news.id)
        assert told == [News.OUTAGE, News.RESUMED]
