"""A player of Gonnect that looks for the shortest way, and the levels against it.

`python -m bench shortest --option size=7 --row level3`: Gonnect on 7x7 and 9x9, 40 games each.
It counts the stones that each side lacks to a connection, and looks one move ahead. It sees no
capture and no ko, so a level that is worth its name beats it.
"""

import random
from functools import partial
from itertools import product
from typing import Any

from bench.games import workers
from bench.report import Plan, Rows, part
from games.gonnect import game as gonnect
from games.gonnect.position import lead
from pbm.engine import Position, advance, begin, is_swap
from pbm.robots.levels import LEVELS, Level
from pbm.robots.player import Robot
from pbm.robots.tree import LONGEST, worths_of

AIMS = {"level3": 20, "level4": 32, "level5": 34}
"""Games of 40 that each level wins at least."""


def shortest(position: Position[Any], chance: random.Random) -> str:
    """Return the move after which the lead in missing stones is largest."""
    state, seat = position.state, position.state.mover

    def worth(move: str) -> tuple[int, float]:
        return lead(gonnect.play(state, seat, move), seat), chance.random()

    return max(gonnect.legal_moves(state, seat), key=worth)


def won(level: Level, size: str, number: int) -> float:
    """Play a game against it, in which the level begins if the number is even; return its worth."""
    chance = random.Random(f"{level.name} {size} {number}")  # noqa: S311 - reproducible play
    robot, position = (
        Robot(gonnect, level, chance),
        begin(gonnect, gonnect.info.setup({"size": size})),
    )
    seat = number % 2
    while (due := gonnect.to_move(position.state)) and position.ply < LONGEST:
        thinks = due[0] == seat
        text = robot.decide(position).text if thinks else shortest(position, chance)
        position, _ = advance(gonnect, position, due[0], text)
        if is_swap(text):
            seat = 1 - seat
    return worths_of(gonnect.result(position.state), 2)[seat]


@part("shortest", "games won of 40")
def against_the_shortest_way(plan: Plan) -> Rows:
    """Return how many games each level wins on both boards."""
    levels = [level for level in LEVELS if level.name in (plan.rows or AIMS)]
    rows: Rows = []
    with workers(plan) as pool:
        for level, size in product(levels, plan.options.values() or ("7", "9")):
            games = plan.matches or 40
            played = pool.map(partial(won, level, size), range(games), chunksize=1)
            rows.append({"level": level.name, "board": size, "won": sum(played), "games": games,
                         "aim": AIMS[level.name]})  # fmt: skip
    return rows
