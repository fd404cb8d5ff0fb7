"""Robots in a house under test: their accounts, their matches, and thoughts that are thought."""

import threading
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

from pbm.bootstrap import House
from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.player import Player, PlayerKind
from pbm.domain.robots import Brain
from pbm.engine import Setup
from pbm.robots.tasks import Task
from pbm.service.boards import Boards
from pbm.thinking.stage import Thinking
from tests.house import HouseUnderTest


def add_robot(house: House, userid: str, brain: Brain) -> Player:
    """Open the account of a robot."""
    with house.open_unit() as work:
        robot = work.players.add(userid, "", (), house.clock(), PlayerKind.ROBOT)
        work.robots.save(robot.id, brain)
        work.commit()
    return robot


def begin_match(house: House, game: str, *userids: str, rated: bool = False, **options: str) -> int:
    """Begin a match, the first player to move, and return the number of its board."""
    with house.open_unit() as work:
        players = tuple(found.id for u in userids if (found := work.players.by_userid(u)))
        number, rules = work.next_number(), house.catalogue.get(game)
        given = {option.name: option.default for option in rules.info.options} | options
        match = Match(
            number, game, rules.info.rules_version, Setup(given), Terms(rated=rated),
            players, players, house.clock(), house.clock(),
        )  # fmt: skip
        Boards(work, house.catalogue, house.clock()).add(match)
        work.commit()
    return number


def think_at_once(house: HouseUnderTest) -> list[EmailMessage]:
    """Think all that is due in this process, carry it out, and return the mails that result."""
    return house.think()


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


def log_of(house: House, number: int) -> list[str]:
    """Return what was played on a board, whatever else happened there by its kind."""
    return [entry.text or str(entry.kind) for entry in match_of(house, number).log]


def match_of(house: House, number: int) -> Match:
    """Return the match on a board, its log read whole."""
    with house.open_reading() as work:
        found = work.matches.get(number)
        assert found
        assert tuple(found[0].log) is not None
    return found[0]


def waiting(house: House) -> int:
    """Return how many thoughts there are, whether they are due or not."""
    with house.open_reading() as work:
        counts = work.thoughts.counts(house.clock() + timedelta(days=2))
    return counts.waiting + counts.held


def run(house: House, task: Task) -> Any:
    """Return what a task finds, in this process."""
    rules = house.catalogue.rules(task.game, task.rules_version)
    assert rules
    return task.run(rules, lambda: False)
