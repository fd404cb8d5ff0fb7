"""Robots think in processes of their own, which may die, hang or be far away."""

from tests.house import HouseUnderTest
from tests.thinking.helpers import begin_match, log_of, think_in_processes


def test_a_process_thinks_one_board_after_the_other(house: HouseUnderTest) -> None:
    numbers = [begin_match(house.house, "gonnect", "robot-1", "alice", size="7") for _ in "ab"]
    thinking = house.house.thinking()
    think_in_processes(thinking)
    thinking.close()
    assert [len(log_of(house.house, number)) for number in numbers] == [1, 1]
