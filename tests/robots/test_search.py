"""Searches: wins, blocks and forced wins in all games, the solver, and the tasks of robots."""

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from pbm.engine import AnyGame, Position, Setup, advance, begin, encode
from pbm.engine.chance import any_of
from pbm.engine.replay import deal
from pbm.robots.levels import LEVELS, Level, level_of
from pbm.robots.player import Robot
from pbm.robots.search import SearchBounds, search
from pbm.robots.solver import EffortError, Solver
from pbm.robots.tasks import RESIGNS_FROM, AnswerTask, Moment, MoveTask
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

NOUGHTS, HEX = GAMES["noughts"], GAMES["hex"]


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
        best = search(
            game, Node(game, state), SearchBounds(5000, wanted=True), random.Random(3)
        ).best
        worths.add(solved(game, state))
        if len(moves(game, state)) > 1:
            # A draw that is the best there is need not be proven: other moves are tried less.
            assert best.proven == solved(game, state) or best.worth == pytest.approx(0.5, abs=0.01)
            assert 1 - solved(game, after(game, state, best.move)) == solved(game, state)
    assert {0, 1} <= worths


def test_who_is_lost_whatever_they_do_still_moves() -> None:
    lost = next(
        state
        for state in positions_of_random_games(NOUGHTS, 200)
        if not can_win(NOUGHTS, state)
        and all(loses(NOUGHTS, state, m) for m in moves(NOUGHTS, state))
    )
    answer = search(NOUGHTS, Node(NOUGHTS, lost), SearchBounds(500), random.Random(1))
    assert answer.best.proven == 0
    assert answer.best.move in moves(NOUGHTS, lost)


@every_game
def test_the_same_chance_and_playouts_find_the_same(game: AnyGame) -> None:
    state = begin(game, deal(game, game.info.setup(), any_of)).state
    first, again = (
        search(game, Node(game, state), SearchBounds(20), random.Random(4)) for _ in range(2)
    )
    assert first == again
    assert first.playouts == 20
    assert first.best.tries == max(choice.tries for choice in first.choices)
    assert sum(choice.tries for choice in first.choices) == 20


@every_game
def test_a_robot_that_keeps_its_tree_plays_legal_turns_to_the_end(game: AnyGame) -> None:
    chance = random.Random(5)
    robot = Robot(game, Level("quick", 6), chance)
    position = begin(game, deal(game, smallest(game), any_of))
    for _ in range(40):
        due = game.to_move(position.state)
        if not due:
            break
        position, _ = advance(game, position, due[0], robot.decide(position).text, any_of)


def smallest(game: AnyGame) -> Setup:
    """Return a match on the smallest board that a game has."""
    sizes = [option.choices for option in game.info.options if option.name == "size"]
    return game.info.setup({"size": sizes[0][0]} if sizes else {})


def test_what_was_thought_while_others_were_to_move_is_kept() -> None:
    robot = Robot(NOUGHTS, Level("thinking", 60), random.Random(6))
    position = begin(NOUGHTS, NOUGHTS.info.setup())
    tries = []
    for _ in range(3):
        decision = robot.decide(position)
        assert decision.found is not None
        tries.append(sum(choice.tries for choice in decision.found.choices))
        position, _ = advance(NOUGHTS, position, NOUGHTS.to_move(position.state)[0], decision.text)
    assert tries[0] == 60
    assert all(kept > 60 for kept in tries[1:])


def test_after_an_undo_a_robot_thinks_anew() -> None:
    robot = Robot(NOUGHTS, Level("thinking", 30), random.Random(7))
    start = begin(NOUGHTS, NOUGHTS.info.setup())
    later, _ = advance(NOUGHTS, start, NOUGHTS.to_move(start.state)[0], robot.decide(start).text)
    robot.decide(later)
    decision = robot.decide(start)
    assert decision.found is not None
    assert sum(choice.tries for choice in decision.found.choices) == 30


def test_a_clock_that_is_passed_in_ends_a_search() -> None:
    answers = iter([False, False, False, True])
    root = Node(NOUGHTS, NOUGHTS.start(NOUGHTS.info.setup()))
    answer = search(NOUGHTS, root, SearchBounds(1000, lambda: next(answers)), random.Random(8))
    assert answer.playouts == 3


def test_a_search_without_time_for_a_single_try_gives_a_legal_move() -> None:
    state = NOUGHTS.start(NOUGHTS.info.setup())
    answer = search(
        NOUGHTS, Node(NOUGHTS, state), SearchBounds(1000, lambda: True), random.Random(9)
    )
    assert answer.playouts == 0
    assert answer.best.move in moves(NOUGHTS, state)


def test_a_robot_takes_a_far_better_opening_over_by_the_pie_rule_and_opens_more_evenly() -> None:
    position = begin(HEX, HEX.info.setup({"size": "5"}))
    strong, _ = advance(HEX, position, 0, "c3")
    weak, _ = advance(HEX, position, 0, "a1")
    robot = Robot(HEX, Level("thinking", 250), random.Random(10))
    assert robot.decide(strong).text == "swap"
    assert robot.decide(weak).text != "swap"
    assert robot.decide(position).text != "c3"


def test_a_tree_that_is_full_is_tried_on_but_lists_no_more_moves() -> None:
    state = HEX.start(HEX.info.setup({"size": "5"}))
    roomy, narrow = Node(HEX, state), Node(HEX, state)
    search(HEX, roomy, SearchBounds(60), random.Random(1))
    search(HEX, narrow, SearchBounds(60, moves=100), random.Random(1))
    assert roomy.listed() > 300
    # The last list that fits in is a whole one, and so is that of the answers to the choice.
    assert narrow.listed() < 100 + 2 * 25
    search(HEX, narrow, SearchBounds(60, moves=100), random.Random(2))
    assert narrow.listed() < 100 + 4 * 25


def test_a_slip_is_a_move_that_was_not_tried_but_takes_a_win_and_blocks_one() -> None:
    level = Level("clumsy", 20, slips=0.5)
    start = begin(HEX, HEX.info.setup({"size": "5"}))
    tried = []
    for seed in range(20):
        found = Robot(HEX, level, random.Random(seed)).decide(start).found
        assert found is not None
        tried.append(found.playouts)
    assert set(tried) == {0, 20}
    (win, _) = (sample for sample in samples("win") if sample.key == "hex")
    (block, _) = (sample for sample in samples("block") if sample.key == "hex")
    for seed in range(10):
        robot = Robot(HEX, replace(level, slips=1.0), random.Random(seed))
        assert wins(HEX, win.state, choice(robot, win))
        assert not loses(HEX, block.state, choice(robot, block))


def choice(robot: Robot, sample: Sample) -> Any:
    seat = sample.game.to_move(sample.state)[0]
    return sample.game.parse(sample.state, seat, robot.choose(Position(sample.state, 99)))


def test_thinking_ends_when_hardly_anything_could_change_the_choice() -> None:
    win = next(sample for sample in samples("two") if sample.key == "hex").state
    start = HEX.start(HEX.info.setup({"size": "5"}))
    assert search(HEX, Node(HEX, start), SearchBounds(160), random.Random(1)).playouts <= 160
    found = search(HEX, Node(HEX, win), SearchBounds(5000), random.Random(1))
    assert found.playouts < 5000


def positions_of_random_games(game: AnyGame, games: int) -> list[Any]:
    """Return the positions of random games in which somebody is to move."""
    chance = random.Random(11)
    found: list[Any] = []
    for _ in range(games):
        state = game.start(smallest(game))
        while game.to_move(state):
            found.append(state)
            state = after(game, state, chance.choice(moves(game, state)))
    return list(islice(found, 5000))


@each("two")
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
    start = HEX.start(HEX.info.setup({"size": "5"}))
    with pytest.raises(EffortError):
        Solver(HEX, 10).forced(start, 1)
    wide = HEX.start(HEX.info.setup({"size": "11"}))
    solver = Solver(HEX, 20_000)
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


def moment(game: AnyGame, state: object, seat: int) -> Moment:
    return Moment(game.info.key, game.info.rules_version, encode(game, state), 30, seat)


def never() -> bool:
    return False


@pytest.mark.parametrize("sample", samples("win")[:4], ids=lambda sample: sample.key)
def test_a_robot_agrees_to_a_draw_unless_it_stands_better(sample: Sample) -> None:
    game, state = sample.game, sample.state
    (mover,) = game.to_move(state)
    answers = {
        seat: AnswerTask(moment(game, state, seat), 1, random.Random(1)).run(game, never).agrees
        for seat in (mover, 1 - mover)
    }
    assert answers == {mover: False, 1 - mover: True}


@pytest.mark.parametrize("level", range(1, 6))
def test_only_the_stronger_levels_give_up_and_only_what_is_proven_to_be_lost(level: int) -> None:
    states = (s for s in positions_of_random_games(NOUGHTS, 200) if not can_win(NOUGHTS, s))
    lost = next(s for s in states if all(loses(NOUGHTS, s, m) for m in moves(NOUGHTS, s)))
    (seat,) = NOUGHTS.to_move(lost)
    task = MoveTask(moment(NOUGHTS, lost, seat), level, random.Random(1))
    assert task.run(NOUGHTS, never).resigns == (level >= RESIGNS_FROM)
    start = moment(NOUGHTS, NOUGHTS.start(NOUGHTS.info.setup()), 0)
    assert not MoveTask(start, level, random.Random(1)).run(NOUGHTS, never).resigns


def test_at_level_0_a_robot_plays_any_legal_move_and_agrees_to_nothing() -> None:
    game = GAMES["gonnect"]
    state = game.start(game.info.setup())
    start = moment(game, state, 0)
    found = {MoveTask(start, 0, random.Random(n)).run(game, never).text for n in range(20)}
    assert len(found) > 10
    assert all(after(game, state, game.parse(state, 0, text)) for text in found)
    assert not AnswerTask(start, 0, random.Random(1)).run(game, never).agrees
    assert Position(state, 30) == start.position(game)
