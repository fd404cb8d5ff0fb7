"""Robots think in processes of their own, which may die, hang, or belong to a server that died."""

import os
import signal
import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.config import Settings
from pbm.domain.robots import Brain
from pbm.server.assembly import App
from pbm.server.thinking.stage import Thinking
from pbm.server.thinking.workers import HANG_SECONDS, IDLE_SECONDS
from pbm.system import utc_now
from pbm.system.cores import one_of
from tests.databases import new_database
from tests.house import ADDRESS, Clock, HouseUnderTest
from tests.processes import until
from tests.thinking.conftest import add_robot, begin_match, match_of, think_in_processes, waiting

pytestmark = pytest.mark.slow


@pytest.fixture
def thinking(house: HouseUnderTest) -> Iterator[Thinking]:
    thinking = house.house.robots.thinking()
    yield thinking
    thinking.close()


@pytest.fixture
def long_thought(house: HouseUnderTest) -> int:
    """A board about which a robot thinks for long."""
    add_robot(house.house, "robot-5", Brain(5))
    return begin_match(house.house, "gonnect", "robot-5", "alice", size="13")


def test_a_process_thinks_about_one_board_after_the_other(
    house: HouseUnderTest, thinking: Thinking
) -> None:
    numbers = [begin_match(house.house, "gonnect", "robot-1", "alice", size="7") for _ in "ab"]
    think_in_processes(thinking)
    assert [len(match_of(house.house, number).plies) for number in numbers] == [1, 1]
    assert len(thinking.workers.pids) == 1


def test_a_process_thinks_on_all_cores_though_the_server_keeps_to_one(
    house: HouseUnderTest, thinking: Thinking, long_thought: int
) -> None:
    with one_of(house.house.cores, "here"):
        assert thinking.step() == 1
    (pid,) = thinking.workers.pids
    assert os.sched_getaffinity(pid) == house.house.cores


def test_a_process_that_dies_is_replaced_and_its_thought_waits_longer_each_time(
    house: HouseUnderTest, thinking: Thinking, long_thought: int
) -> None:
    for seconds in (10, 60):
        assert thinking.step() == 1
        (pid,) = thinking.workers.pids
        os.kill(pid, signal.SIGKILL)
        until(thinking.step, "the end of the process")
        assert not thinking.busy
        house.clock.now += timedelta(seconds=seconds - 1)
        assert thinking.step() == 0
        house.clock.now += timedelta(seconds=1)
    think_in_processes(thinking)
    # The search does not work here, so any legal move is played.
    assert len(match_of(house.house, long_thought).plies) == 1


def test_a_process_that_hangs_is_ended_and_its_thought_waits(
    house: HouseUnderTest, thinking: Thinking, long_thought: int
) -> None:
    assert thinking.step() == 1
    later = thinking.workers.now() + HANG_SECONDS + 1
    thinking.workers.now = lambda: later
    until(thinking.step, "the end of the process")
    assert not thinking.busy
    assert waiting(house.house) == 1
    assert not match_of(house.house, long_thought).plies


def test_a_process_that_has_nothing_to_do_for_long_is_ended(
    house: HouseUnderTest, thinking: Thinking
) -> None:
    begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    think_in_processes(thinking)
    later = thinking.workers.now() + IDLE_SECONDS + 1
    thinking.workers.now = lambda: later
    thinking.step()
    assert not thinking.workers.pids
    begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    think_in_processes(thinking)
    assert not waiting(house.house)


def test_a_server_that_stops_gives_back_what_is_thought_about(
    house: HouseUnderTest, thinking: Thinking, long_thought: int
) -> None:
    assert thinking.step() == 1
    thinking.close()
    with house.house.open_reading() as work:
        counts = work.thoughts.counts(house.clock())
    assert (counts.waiting, counts.held) == (1, 0)
    assert not match_of(house.house, long_thought).plies


@pytest.mark.parametrize(("host", "seconds"), [(socket.gethostname(), 0), ("elsewhere", 15)])
def test_what_a_dead_server_thought_about_is_taken_over(
    house: HouseUnderTest, thinking: Thinking, host: str, seconds: int
) -> None:
    number = begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    assert house.house.robots.queue().take(f"{host}:999999999:word")
    if seconds:
        thinking.step(lambda: True)
        house.clock.now += timedelta(seconds=seconds)
    think_in_processes(thinking)
    assert len(match_of(house.house, number).plies) == 1


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_two_servers_share_what_there_is_to_think_about(kind: str, tmp_path: Path) -> None:
    with new_database(kind, tmp_path) as url:
        settings = Settings(ADDRESS, url, "null:", tmp_path / "key", robot_processes=1)
        houses = [App(settings, Clock(utc_now())) for _ in "ab"]
        for name in ("robot-1", "robot-2"):
            add_robot(houses[0], name, Brain(1))
        players = ("robot-1", "robot-2")
        numbers = [begin_match(houses[0], "gonnect", *players, size="5") for _ in range(2)]
        both = [house.robots.thinking() for house in houses]
        think_in_processes(*both)
        assert all(match_of(houses[0], number).over for number in numbers)
        assert not waiting(houses[0])
        for thinking, house in zip(both, houses, strict=True):
            thinking.close()
            house.close()
