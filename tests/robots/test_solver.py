"""Forced wins: found where there is one, never where there is none, and given up in time."""

import random

import pytest

from pbm.robots.levels import Level
from pbm.robots.player import Robot
from pbm.robots.solver import EffortError, Solver
from tests.robots.brute import GAMES, Sample, after, can_win, forces, moves, samples
from tests.tables import each

NOUGHTS = GAMES["noughts"]


@each("sample", samples("two"), ids=lambda sample: sample.key)
def test_a_win_in_two_is_found(sample: Sample) -> None:
    solver = Solver(sample.game, 100_000)
    assert solver.forced(sample.state, 1) is None
    move = solver.forced(sample.state, 2)
    assert forces(sample.game, sample.state, move)


def test_a_win_in_three_is_found_exactly_where_trying_all_lines_finds_one() -> None:
    chance, seen = random.Random(1), set()
    for _ in range(30):
        state = NOUGHTS.start(NOUGHTS.info.setup())
        for _ in range(3):
            state = after(NOUGHTS, state, chance.choice(moves(NOUGHTS, state)))
        if can_win(NOUGHTS, state):
            continue
        winning = [move for move in moves(NOUGHTS, state) if forces(NOUGHTS, state, move, 3)]
        found = Solver(NOUGHTS, 100_000).forced(state, 3)
        assert found in winning or (found is None and not winning)
        seen.add(found is None)
    assert seen == {True, False}


def test_it_gives_up_when_its_effort_is_used_up_or_the_next_turn_is_far_out_of_reach() -> None:
    game = GAMES["hex"]
    start = game.start(game.info.setup({"size": "5"}))
    with pytest.raises(EffortError):
        Solver(game, 10).forced(start, 1)
    wide = game.start(game.info.setup({"size": "11"}))
    solver = Solver(game, 20_000)
    with pytest.raises(EffortError):
        solver.forced(wide, 3)
    assert solver.left > 0


def test_a_robot_that_stands_well_plays_a_forced_win_that_it_hardly_tried() -> None:
    for sample in samples("two"):
        robot = Robot(sample.game, Level("keen", 40, effort=20_000), random.Random(1))
        move = sample.game.parse(
            sample.state, sample.game.to_move(sample.state)[0], robot.choose(sample.position)
        )
        assert forces(sample.game, sample.state, move)
