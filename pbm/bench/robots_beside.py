"""What people notice of robots: whole matches by mail, while none thinks, and while four do.

The robots play each other at the highest level on the largest board, so that as many processes as
there are robots' boards think from the first move to the last.
"""

import asyncio
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from pbm.bench.load import check_for_two, loaded_server
from pbm.bench.plan import Plan, Tick
from pbm.bench.report import Report
from pbm.bench.scratch import set_clock
from pbm.bench.servers import Server
from pbm.bootstrap import House
from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.player import PlayerKind
from pbm.domain.robots import Brain
from pbm.engine import AnyGame
from pbm.service.boards import Boards

ROBOTS = 4
"""Robots that think at the same time, each in a process of its own."""

LEVEL = 5

_FIGURES = ("rate", "p50", "p99", "worst")


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return 2 * plan.rounds * plan.boards


def report(plan: Plan, tick: Tick) -> Report:
    """Return how fast matches are played, and how long answers take, without and with robots.

    Both are measured in turn. `share` is what is left of the rate. Raises BenchError.
    """
    check_for_two(plan.game)
    found: dict[int, list[Mapping[str, Any]]] = {0: [], ROBOTS: []}
    for _ in range(plan.rounds):
        for robots, rows in found.items():
            rows.append(asyncio.run(_measured(plan, tick, robots)))
    told = [_row(robots, rows) for robots, rows in found.items()]
    unit = "moves a second; milliseconds to both mails"
    shares = [{**row, "share": row["rate"] / told[0]["rate"]} for row in told]
    return Report("robots-beside", unit, shares, plan.settings)


async def _measured(plan: Plan, tick: Tick, robots: int) -> dict[str, Any]:
    """Return the row of a load beside so many robots, with what they have thought meanwhile."""
    numbers: list[int] = []

    def furnish(house: House) -> None:
        numbers.extend(begin_contests(house, plan.game, robots))

    def look(house: House, server: Server) -> dict[str, Any]:
        return {"thoughts": thought_of(house, numbers), "core_seconds": server.cpu_of_robots()}

    options = ("--robot-processes", str(max(1, robots)))
    return await loaded_server(plan, tick, furnish, options, look)


def begin_contests(house: House, game: AnyGame, contests: int) -> list[int]:
    """Begin so many matches between two robots, and return the numbers of their boards."""
    set_clock(house)
    now, numbers = house.clock(), []
    with house.open_unit() as work:
        robots = tuple(
            work.players.add(f"machine-{n}", "", (), now, PlayerKind.ROBOT).id for n in (1, 2)
        )
        for robot in robots:
            work.robots.save(robot, Brain(LEVEL))
        for _ in range(contests):
            number = work.next_number()
            match = Match(
                number, game.info.key, game.info.rules_version, game.info.setup(),
                Terms(rated=False), robots, robots, now, now,
            )  # fmt: skip
            Boards(work, house.catalogue, now).add(match)
            numbers.append(number)
        work.commit()
    return numbers


def thought_of(house: House, numbers: Sequence[int]) -> int:
    """Return how many moves were played on these boards."""
    with house.open_reading() as work:
        found = [work.matches.get(number) for number in numbers]
        return sum(each[0].log.ply for each in found if each)


def _row(robots: int, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the medians of the rounds."""
    return {
        "robots": robots,
        "moves": sum(row["moves"] for row in rows),
        "thoughts": sum(row["thoughts"] for row in rows),
        "core_seconds": sum(row["core_seconds"] for row in rows),
        **{name: median(row[name] for row in rows) for name in _FIGURES},
    }
