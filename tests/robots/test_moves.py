"""The tasks of robots: what they play, when they give up, and when they agree to a draw."""

import random

import pytest

from pbm.engine import AnyGame, Position, encode
from pbm.robots.tasks import RESIGNS_FROM, AnswerTask, Moment, MoveTask
from tests.robots.brute import GAMES, Sample, after, can_win, loses, moves, samples
from tests.robots.test_search import positions_of_random_games

NOUGHTS = GAMES["noughts"]


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
