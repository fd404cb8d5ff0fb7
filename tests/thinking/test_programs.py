"""Programs of others that play for a robot, and what happens where one fails."""

import sys
from datetime import timedelta

from pbm.domain.robots import Brain
from tests.house import HouseUnderTest, text_of
from tests.thinking.helpers import add_robot, begin_match, log_of, think_in_processes

GOOD = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["message"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    if said["message"] == "position":
        print(json.dumps({"move": sorted(said["moves"])[0]}), flush=True)
"""


def with_program(house: HouseUnderTest, source: str) -> None:
    """Make a robot for which a program plays."""
    file = house.folder / "robot.py"
    file.write_text(source)
    add_robot(house.house, "others", Brain(3, command=(sys.executable, str(file))))


def test_a_program_plays_for_a_robot(house: HouseUnderTest) -> None:
    with_program(house, GOOD)
    number = begin_match(house.house, "gonnect", "others", "alice", size="5")
    thinking = house.house.robots.thinking()
    think_in_processes(thinking)
    thinking.close()
    assert log_of(house.house, number) == ["A1"]
    assert [mail["To"] for mail in house.deliver()] == ["alice@example.org"]


def test_where_it_fails_level_1_plays_and_the_operator_is_told_once_a_day(
    house: HouseUnderTest,
) -> None:
    with_program(house, "print('no')")
    numbers = [begin_match(house.house, "gonnect", "others", "alice", size="5") for _ in "ab"]
    thinking = house.house.robots.thinking()
    think_in_processes(thinking)
    assert all(len(log_of(house.house, number)) == 1 for number in numbers)
    (told,) = (mail for mail in house.deliver() if mail["To"] == "root@example.org")
    assert told["Subject"] == "The program of others has failed"
    assert "Level 1 of this server played in its place" in " ".join(text_of(told).split())
    house.clock.now += timedelta(days=1)
    begin_match(house.house, "gonnect", "others", "alice", size="5")
    think_in_processes(thinking)
    thinking.close()
    assert "root@example.org" in [mail["To"] for mail in house.deliver()]
