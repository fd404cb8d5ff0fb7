"""Robots in a house, and a think stage without processes: what is asked is thought at once."""

from collections.abc import Mapping
from dataclasses import replace
from email.message import EmailMessage

from pbm.domain.match import Terms
from pbm.domain.player import PlayerKind
from pbm.domain.robots import Brain, Thought, ThoughtKind
from pbm.robots.analysis import AnalysisTask
from pbm.robots.hints import HintTask
from pbm.robots.levels import Level
from pbm.robots.task import Task
from pbm.service.administration import Administration
from pbm.service.context import context_without_mail
from pbm.service.post import post
from pbm.service.thinking.analyses import ANALYSIS
from pbm.service.thinking.base import Kind
from pbm.service.thinking.hints import HINT
from tests.house import HouseUnderTest

KINDS: Mapping[ThoughtKind, Kind] = {ThoughtKind.HINT: HINT, ThoughtKind.ANALYSIS: ANALYSIS}

QUICK = Level("quick", 60)
TRIES = 500


def add_robot(house: HouseUnderTest, userid: str = "robot-1") -> None:
    """Open the account of a robot."""
    with house.house.open_unit() as work:
        robot = work.players.add(userid, "", (), house.clock(), PlayerKind.ROBOT)
        work.robots.save(robot.id, Brain(1))
        work.commit()


def begin(house: HouseUnderTest, game: str, *userids: str, **options: str) -> int:
    """Begin a match; `unrated` is one of its terms, everything else an option of the game."""
    terms = {"unrated": ""} if options.pop("unrated", "") else {}
    assert Terms.read(terms).rated is not bool(terms)
    with house.house.open_unit() as work:
        services = house.house.services
        admin = Administration(services, work, house.clock())
        number = admin.create_match(services.catalogue.get(game), userids, options, terms)
        work.commit()
    house.play()
    return number


def think(house: HouseUnderTest) -> list[EmailMessage]:
    """Think about all hints and analyses that wait; return the mails that result."""
    while (thought := _claimed(house)) is not None:
        _think(house, thought)
    return house.play()


def _claimed(house: HouseUnderTest) -> Thought | None:
    with house.house.open_unit() as work:
        thought = work.thoughts.claim("test", house.clock())
        work.commit()
    return thought


def _think(house: HouseUnderTest, thought: Thought) -> None:
    services, kind = house.house.services, KINDS.get(thought.kind)
    with house.house.open_unit() as work:
        context = context_without_mail(services, work, house.clock())
        task = kind.prepare(context, thought) if kind else None
        if kind and task:
            found = _quick(task).run(services.catalogue.get(task.game), lambda: False)
            post(services, work, kind.carry_out(context, thought, found), house.clock())
        work.thoughts.done(thought.id)
        work.commit()


def _quick(task: Task) -> Task:
    """Return the task with so few tries that a test takes no time."""
    if isinstance(task, HintTask):
        return replace(task, level=QUICK)
    return replace(task, total=TRIES) if isinstance(task, AnalysisTask) else task
