"""A batch of play ends by count, by time, and when the server stops; nothing is lost by that."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.worker import BATCH, LOCKED_TIME
from tests.house import ADDRESS, START, HouseUnderTest

ALICE = "alice@example.org"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[HouseUnderTest]:
    """Yield a house where many mails wait."""
    house = HouseUnderTest(tmp_path)
    house.add("alice")
    letters = (
        f"From: {ALICE}\r\nTo: {ADDRESS}\r\nSubject: games\r\nMessage-ID: <{n}@x>\r\n\r\n"
        for n in range(BATCH + 6)
    )
    mails = [ReceivedMail(ALICE, (ADDRESS,), text.encode(), house.clock()) for text in letters]
    house.house.inbox.put(mails)
    yield house
    house.house.close()


def waiting(house: HouseUnderTest) -> int:
    with house.house.open_reading() as work:
        return work.inbox.waiting()


def test_a_batch_ends_by_count(house: HouseUnderTest) -> None:
    assert house.house.play_stage.play_waiting() == BATCH
    assert waiting(house) == 6
    assert house.house.play_stage.play_waiting() == 6
    assert house.house.play_stage.play_waiting() == 0


def test_a_batch_ends_by_time_and_what_was_played_is_kept(house: HouseUnderTest) -> None:
    ticks = count()
    stage = replace(
        house.house.play_stage, clock=lambda: START + timedelta(seconds=0.004) * next(ticks)
    )
    played = stage.play_waiting()
    # Lists of games need a transaction, so the time for which that is open counts.
    assert 1 < played <= LOCKED_TIME / timedelta(seconds=0.004)
    assert waiting(house) == BATCH + 6 - played


def test_a_mail_that_takes_longer_than_a_batch_is_played_all_the_same(
    house: HouseUnderTest,
) -> None:
    hours = count()
    stage = replace(house.house.play_stage, clock=lambda: START + timedelta(hours=1) * next(hours))
    assert stage.play_waiting() == 1
    assert waiting(house) == BATCH + 5


def test_a_batch_ends_between_two_mails_when_the_server_stops(house: HouseUnderTest) -> None:
    asked = iter([False, False, True])
    assert house.house.play_stage.play_waiting(stopping=lambda: next(asked)) == 3
    assert waiting(house) == BATCH + 3
