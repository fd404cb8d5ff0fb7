"""kill -9 of servers that think, anywhere: no thought is lost, and none is carried out twice.

What a robot plays follows from the number of its board and the ply. So two robots that play each
other must have played, whatever was done to their servers, what they play in a house in peace.
"""

import time
from pathlib import Path
from random import Random

import pytest

from pbm.config import Settings
from pbm.domain.robots import Brain
from pbm.operator.upkeep import verify_all
from pbm.server.assembly import App
from tests.databases import new_database
from tests.house import ADDRESS, HouseUnderTest
from tests.processes import PATIENCE, clean_environment
from tests.thinking.conftest import add_robot, begin_match, log_of, waiting
from tests.torture.served import Served

pytestmark = pytest.mark.slow

BOARDS = 3
KILLS = 5


def furnish(house: App) -> list[int]:
    """Make two robots, and begin matches between them."""
    for name in ("robot-1", "robot-2"):
        add_robot(house, name, Brain(1))
    return [begin_match(house, "gonnect", "robot-1", "robot-2", size="5") for _ in range(BOARDS)]


@pytest.fixture(scope="module")
def in_peace(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Return what is played where nothing happens."""
    house = HouseUnderTest(tmp_path_factory.mktemp("peace"))
    numbers = furnish(house.house)
    house.think()
    return [log_of(house.house, number) for number in numbers]


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_robots_play_the_same_though_their_servers_are_killed(
    kind: str, tmp_path: Path, in_peace: list[list[str]]
) -> None:
    with new_database(kind, tmp_path) as url:
        house = App(Settings(ADDRESS, url, "null:", tmp_path / "key"))
        numbers = furnish(house)
        environment = clean_environment(
            PBM_DATABASE=url, PBM_RELAY="null:", PBM_SECRET=f"{tmp_path}/key", PBM_ADDRESS=ADDRESS
        )
        served = [Served(tmp_path, ("think",), 0, environment, Random(n)) for n in (1, 2)]
        for process in served:
            process.begin()
        kill_now_and_then(house, served, numbers, sum(map(len, in_peace)))
        ends = [process.end() for process in served]
        assert [log_of(house, number) for number in numbers] == in_peace
        with house.open_reading() as work:
            assert not any(faults for _, faults in verify_all(work, house.catalogue))
        house.close()
    assert unwell(ends) == []
    log = (tmp_path / "serve.log").read_text()
    assert sum(process.kills.total() for process in served) >= KILLS
    assert "Traceback" not in log


def kill_now_and_then(house: App, served: list[Served], numbers: list[int], plies: int) -> None:
    """Kill a server after every few plies, until all is played."""
    chance, deadline = Random(3), time.monotonic() + 2 * PATIENCE
    due = [plies * n // (KILLS + 2) for n in range(1, KILLS + 1)]
    while waiting(house):
        assert time.monotonic() < deadline, "the robots do not come to an end"
        played = sum(len(log_of(house, number)) for number in numbers)
        if due and played >= due[0] and chance.choice(served).kill():
            del due[0]
        if not due:
            for process in served:
                process.spare()
        time.sleep(0.02)


def unwell(ends: list[int | None]) -> list[int | None]:
    """Return the exit statuses of servers that have not ended well."""
    return [status for status in ends if status not in (0, -9, 255)]
