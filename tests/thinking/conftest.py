"""A house with two people and robots of two levels, whose thoughts are thought."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbm.core.boards import LoadedBoards
from pbm.dispatch.thoughts import Claimed
from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.player import Player, PlayerKind
from pbm.domain.robots import Brain
from pbm.engine import Setup
from pbm.robots.tasks import Task
from pbm.server.assembly import App
from pbm.server.thinking.stage import Thinking
from tests.house import HouseUnderTest


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


def add_robot(house: App, userid: str, brain: Brain) -> Player:
    """Open the account of a robot."""
    with house.open_unit() as work:
        robot = work.players.add(userid, "", (), house.clock(), PlayerKind.ROBOT)
        work.robots.save(robot.id, brain)
        work.commit()
    return robot


def begin_match(house: App, game: str, *userids: str, rated: bool = False, **options: str) -> int:
    """Begin a match, the first player to move, and return the number of its board."""
    with house.open_unit() as work:
        players = tuple(found.id for u in userids if (found := work.players.by_userid(u)))
        number, rules = work.next_number(), house.catalogue.get(game)
        given = {option.name: option.default for option in rules.info.options} | options
        match = Match(
            number, game, rules.info.rules_version, Setup(given), Terms(rated=rated),
            players, players, house.clock(), house.clock(),
        )  # fmt: skip
        LoadedBoards(work, house.catalogue, house.clock()).add(match)
        work.commit()
    return number


def taken(house: HouseUnderTest) -> tuple[Claimed, Task]:
    """Return a thought that somebody thinks about now."""
    found = house.house.robots.queue().take("test:1:think")
    assert found
    return found


def carry_out(house: HouseUnderTest, thought: tuple[Claimed, Task], found: Any = None) -> bool:
    """Carry out what a thought has found; return whether it was still to be done."""
    claimed, task = thought
    found = run(house.house, task) if found is None else found
    return house.house.robots.queue().carry_out(claimed, found, 0.1)


def think_in_processes(*servers: Thinking) -> None:
    """Let the worker processes of these servers think until nothing is due."""
    called = threading.Event()
    for thinking in servers:
        thinking.workers.wake = called.set
    while (done := sum([thinking.step() for thinking in servers])) or any(
        thinking.busy for thinking in servers
    ):
        assert done or called.wait(60), "nobody answers"
        called.clear()


def log_of(house: App, number: int) -> list[str]:
    """Return what was played on a board, whatever else happened there by its kind."""
    return [entry.text or str(entry.kind) for entry in match_of(house, number).log]


def match_of(house: App, number: int) -> Match:
    """Return the match on a board, its log read whole."""
    with house.open_reading() as work:
        found = work.matches.get(number)
        assert found
        assert tuple(found[0].log) is not None
    return found[0]


def waiting(house: App) -> int:
    """Return how many thoughts there are, whether they are due or not."""
    with house.open_reading() as work:
        counts = work.thoughts.counts(house.clock() + timedelta(days=2))
    return counts.waiting + counts.held


def run(house: App, task: Task) -> Any:
    """Return what a task finds, in this process."""
    rules = house.catalogue.rules(task.game, task.rules_version)
    assert rules
    return task.run(rules, lambda: False)
