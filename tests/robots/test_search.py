"""What a search finds: wins, blocks and forced wins, in all games; and how it may be relied on."""

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from pbm.engine import AnyGame, Position, advance, begin
from pbm.robots.levels import LEVELS, Level, level_of
from pbm.robots.player import Robot
from pbm.robots.search import Bounds, search
from pbm.robots.tree import Node
from tests.robots.brute import (
    GAMES,
    Sample,
    after,
    can_win,
    forces,
    found,
    loses,
    moves,
    samples,
    solved,
    wins,
)


def each(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("sample", samples(kind), ids=lambda sample: sample.key)


every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.info.key)


@each("win")
def test_every_level_takes_a_win_in_one(sample: Sample) -> None:
    game, state = sample.game, sample.state
    assert sum(wins(game, state, move) for move in moves(game, state)) < len(moves(game, state)) / 3
    for level in LEVELS:
        decision = Robot(game, level, random.Random(1)).decide(Position(state, 99))
        assert wins(game, state, game.parse(state, game.to_move(state)[0], decision.text))
        assert decision.found is not None
        assert decision.found.best.proven == 1


@each("block")
def test_a_search_of_few_playouts_blocks_a_win_in_one(sample: Sample) -> None:
    game, state = sample.game, sample.state
    assert not can_win(game, state)
    lost = {move for move in moves(game, state) if loses(game, state, move)}
    assert len(moves(game, state)) / 2 <= len(lost) < len(moves(game, state))
    for seed in (1, 2, 3):
        assert found(sample, level_of("2").playouts, seed).best.move not in lost


@each("two")
def test_level_3_proves_a_win_in_two(sample: Sample) -> None:
    game, state = sample.game, sample.state
    assert not can_win(game, state)
    assert any(forces(game, state, move) for move in moves(game, state))
    robot = Robot(game, replace(level_of("3"), slips=0.0), random.Random(1))
    answer = robot.decide(Position(state, 99)).found
    assert answer is not None
    assert answer.best.proven == 1
    assert forces(game, state, answer.best.move)


@pytest.mark.parametrize("key", ["noughts", "hex"])
def test_what_is_proven_is_what_trying_all_lines_shows(key: str) -> None:
    game = GAMES[key]
    few = [s for s in positions_of_random_games(game, 40) if len(moves(game, s)) <= 5][::4]
    worths = set()
    for state in few:
        best = search(game, Node(game, state), Bounds(5000, wanted=True), random.Random(3)).best
        worths.add(solved(game, state))
        if len(moves(game, state)) > 1:
            # A draw that is the best there is need not be proven: other moves are tried less.
            assert best.proven == solved(game, state) or best.worth == pytest.approx(0.5, abs=0.01)
            assert 1 - solved(game, after(game, state, best.move)) == solved(game, state)
    assert {0, 1} <= worths


def test_who_is_lost_whatever_they_do_still_moves() -> None:
    game = GAMES["noughts"]
    lost = next(
        state
        for state in positions_of_random_games(game, 200)
        if not can_win(game, state) and all(loses(game, state, m) for m in moves(game, state))
    )
    answer = search(game, Node(game, lost), Bounds(500), random.Random(1))
    assert answer.best.proven == 0
    assert answer.best.move in moves(game, lost)


@every_game
def test_the_same_chance_and_playouts_find_the_same(game: AnyGame) -> None:
    state = game.start(game.info.setup())
    first, again = (search(game, Node(game, state), Bounds(20), random.Random(4)) for _ in range(2))
    assert first == again
    assert first.playouts == 20
    assert first.best.tries == max(choice.tries for choice in first.choices)
    assert sum(choice.tries for choice in first.choices) == 20


@every_game
def test_a_robot_that_keeps_its_tree_plays_legal_turns_to_the_end(game: AnyGame) -> None:
    chance = random.Random(5)
    robot = Robot(game, Level("quick", 6), chance)
    position = begin(game, game.info.setup({"size": "5"} if is_sized(game) else {}))
    for _ in range(40):
        due = game.to_move(position.state)
        if not due:
            break
        position, _ = advance(game, position, due[0], robot.decide(position).text)


def is_sized(game: AnyGame) -> bool:
    return any(option.name == "size" for option in game.info.options)


def test_what_was_thought_while_others_were_to_move_is_kept() -> None:
    game = GAMES["noughts"]
    robot = Robot(game, Level("thinking", 60), random.Random(6))
    position = begin(game, game.info.setup())
    tries = []
    for _ in range(3):
        decision = robot.decide(position)
        assert decision.found is not None
        tries.append(sum(choice.tries for choice in decision.found.choices))
        position, _ = advance(game, position, game.to_move(position.state)[0], decision.text)
    assert tries[0] == 60
    assert all(kept > 60 for kept in tries[1:])


def test_after_an_undo_a_robot_thinks_anew() -> None:
    game = GAMES["noughts"]
    robot = Robot(game, Level("thinking", 30), random.Random(7))
    start = begin(game, game.info.setup())
    later, _ = advance(game, start, game.to_move(start.state)[0], robot.decide(start).text)
    robot.decide(later)
    decision = robot.decide(start)
    assert decision.found is not None
    assert sum(choice.tries for choice in decision.found.choices) == 30


def test_a_clock_that_is_passed_in_ends_a_search() -> None:
    game = GAMES["noughts"]
    answers = iter([False, False, False, True])
    root = Node(game, game.start(game.info.setup()))
    answer = search(game, root, Bounds(1000, lambda: next(answers)), random.Random(8))
    assert answer.playouts == 3


def test_a_search_without_time_for_a_single_try_gives_a_legal_move() -> None:
    game = GAMES["noughts"]
    state = game.start(game.info.setup())
    answer = search(game, Node(game, state), Bounds(1000, lambda: True), random.Random(9))
    assert answer.playouts == 0
    assert answer.best.move in moves(game, state)


def test_a_robot_takes_a_far_better_opening_over_by_the_pie_rule_and_opens_more_evenly() -> None:
    game = GAMES["hex"]
    position = begin(game, game.info.setup({"size": "5"}))
    strong, _ = advance(game, position, 0, "c3")
    weak, _ = advance(game, position, 0, "a1")
    robot = Robot(game, Level("thinking", 250), random.Random(10))
    assert robot.decide(strong).text == "swap"
    assert robot.decide(weak).text != "swap"
    assert robot.decide(position).text != "c3"


def test_a_tree_that_is_full_is_tried_on_but_lists_no_more_moves() -> None:
    game = GAMES["hex"]
    state = game.start(game.info.setup({"size": "5"}))
    roomy, narrow = Node(game, state), Node(game, state)
    search(game, roomy, Bounds(60), random.Random(1))
    search(game, narrow, Bounds(60, moves=100), random.Random(1))
    assert roomy.listed() > 300
    # The last list that fits in is a whole one, and so is that of the answers to the choice.
    assert narrow.listed() < 100 + 2 * 25
    search(game, narrow, Bounds(60, moves=100), random.Random(2))
    assert narrow.listed() < 100 + 4 * 25


def test_a_slip_is_a_move_that_was_not_tried_but_takes_a_win_and_blocks_one() -> None:
    game = GAMES["hex"]
    level = Level("clumsy", 20, slips=0.5)
    start = begin(game, game.info.setup({"size": "5"}))
    tried = []
    for seed in range(20):
        found = Robot(game, level, random.Random(seed)).decide(start).found
        assert found is not None
        tried.append(found.playouts)
    assert set(tried) == {0, 20}
    (win, _) = (sample for sample in samples("win") if sample.key == "hex")
    (block, _) = (sample for sample in samples("block") if sample.key == "hex")
    for seed in range(10):
        robot = Robot(game, replace(level, slips=1.0), random.Random(seed))
        assert wins(game, win.state, choice(robot, win))
        assert not loses(game, block.state, choice(robot, block))


def choice(robot: Robot, sample: Sample) -> Any:
    seat = sample.game.to_move(sample.state)[0]
    return sample.game.parse(sample.state, seat, robot.choose(Position(sample.state, 99)))


def test_thinking_ends_when_hardly_anything_could_change_the_choice() -> None:
    game = GAMES["hex"]
    win = next(sample for sample in samples("two") if sample.key == "hex").state
    start = game.start(game.info.setup({"size": "5"}))
    assert search(game, Node(game, start), Bounds(160), random.Random(1)).playouts <= 160
    found = search(game, Node(game, win), Bounds(5000), random.Random(1))
    assert found.playouts < 5000


def positions_of_random_games(game: AnyGame, games: int) -> list[Any]:
    """Return the positions of random games in which somebody is to move."""
    chance = random.Random(11)
    found: list[Any] = []
    for _ in range(games):
        state = game.start(game.info.setup({"size": "5"} if is_sized(game) else {}))
        while game.to_move(state):
            found.append(state)
            state = after(game, state, chance.choice(moves(game, state)))
    return list(islice(found, 5000))
