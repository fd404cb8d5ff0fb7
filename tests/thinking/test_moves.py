"""Robots play as people do: the same log, mails and queues, in transactions that last not long."""

from pathlib import Path

import pytest

from pbm.domain.robots import Brain
from tests.house import HouseUnderTest, text_of
from tests.thinking.helpers import add_robot, begin_match, log_of, think_at_once

ALICE = "alice@example.org"


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path)
    house.add("alice")
    add_robot(house.house, "robot-1", Brain(1))
    return house


def test_a_robot_that_is_to_move_plays_and_its_opponent_is_told(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    (mail,) = think_at_once(house)
    assert mail["To"] == ALICE
    (played,) = log_of(house.house, number)
    assert f"robot-1 played {played}" in text_of(mail)
    assert not think_at_once(house)
