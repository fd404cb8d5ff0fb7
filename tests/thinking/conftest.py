"""A house with two people and robots of three levels."""

from pathlib import Path

import pytest

from pbm.domain.robots import Brain
from tests.house import HouseUnderTest
from tests.thinking.helpers import add_robot


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return the house that `house` is a copy of."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), operator="root@example.org")
    house.add("alice", "bob")
    for level in (1, 3):
        add_robot(house.house, f"robot-{level}", Brain(level))
    return house


@pytest.fixture
def house(begun: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    return begun.twin(tmp_path)
