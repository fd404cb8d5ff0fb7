"""Look for positions with a forced win in at most three turns.

    python -m tests.robots.forced GAME HOW_MANY [OPTION=VALUE]...

Weak robots play, and from the end of each game the solver goes back. What it says is proven by
trying all moves of both sides. Prints lines for `games/GAME/forced.txt`, each when it is found.
"""

import random
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

from pbm.engine import AnyGame, Position, advance, begin
from pbm.plugins import installed_games
from pbm.robots.forced import Forced
from pbm.robots.levels import Level
from pbm.robots.player import Robot
from pbm.robots.solver import EffortError, Solver
from tests.robots.brute import moves

TURNS = (3, 2)
"""Turns of the side to move; the first one that is found in a game is taken."""

MOST_MOVES = 60
"""A position with more of them takes too long to be tried."""

RARE = 5
"""At most one in so many moves forces the win: it should not be found by luck."""


def found_in_games(game: AnyGame, options: dict[str, str]) -> Iterator[Forced]:
    """Yield a position from each game that has one."""
    for number in count():
        positions, log = played(game, options, number)
        for turns in TURNS:
            at = len(positions) + 1 - 2 * turns
            forced = at > 0 and forced_at(game, positions[at].state, turns)
            if forced:
                yield Forced(turns, forced, options, tuple(log[:at]))
                break


def forced_at(game: AnyGame, state: Any, turns: int) -> tuple[str, ...]:
    """Return the first moves that win in so many turns and no less, if they are few."""
    listed = moves(game, state)
    if not RARE <= len(listed) <= MOST_MOVES:
        return ()
    solver = Solver(game, 400_000)
    try:
        if solver.forced(state, turns - 1) is not None:
            return ()
        forced = tuple(str(move) for move in listed if solver.forces(state, move, turns))
    except EffortError:
        return ()
    return forced if len(forced) * RARE <= len(listed) else ()


def played(
    game: AnyGame, options: dict[str, str], number: int
) -> tuple[list[Position[Any]], list[str]]:
    """Return the positions of a game of weak robots, but for the last one, and the moves."""
    level = Level("weak", 12, sees_threats=0.7, slips=0.4)
    robots = [Robot(game, level, random.Random(f"forced {number} {n}")) for n in range(2)]
    position = begin(game, game.info.setup(options))
    positions, log = [], []
    while due := game.to_move(position.state):
        positions.append(position)
        text = robots[due[0]].choose(position)
        if text == "swap":
            text = str(moves(game, position.state)[0])
        position, turn = advance(game, position, due[0], text)
        log.append(turn.text)
    return positions, log


def main() -> None:
    key, wanted, *pairs = sys.argv[1:]
    options = dict(pair.split("=") for pair in pairs)
    found = found_in_games(installed_games().get(key), options)
    for _, forced in zip(range(int(wanted)), found, strict=False):
        print(line_of(forced), flush=True)


def line_of(forced: Forced) -> str:
    """Return a position as a line of `forced.txt`."""
    pairs = " ".join(f"{name}={value}" for name, value in forced.options.items())
    options = f" with {pairs}" if pairs else ""
    return f"in {forced.turns} by {' '.join(forced.wins)}{options}: {' '.join(forced.moves)}"


if __name__ == "__main__":
    main()
