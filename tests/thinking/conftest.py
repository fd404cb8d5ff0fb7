"""A house with two people and robots of three levels."""

from pathlib import Path

import pytest

from pbm.domain.robots import Brain
from tests.house import HouseUnderTest
from tests.thinking.helpers import add_robot


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path, operator="root@example.org")
    house.add("alice", "bob")
    for level in (1, 3):
        add_robot(house.house, f"robot-{level}", Brain(level))
    return house
