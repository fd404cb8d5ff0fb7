"""Looks back at a match, and hints, on a game that is small enough to be certain."""

import pickle
import random
from itertools import count

import pytest

from pbm.engine import Position, Setup, Turn, advance, begin, encode, replay
from pbm.robots.analysis import LEAST, TOTAL, Analysis, AnalysisTask, analysis_of
from pbm.robots.levels import Level
from pbm.robots.tasks import HintTask, Moment, Task, hint_of
from tests.robots.brute import GAMES, samples, solved, wins

NOUGHTS = GAMES["noughts"]
SETUP = NOUGHTS.info.setup()

BLUNDER = "b2 swap a1 c2 c1 a2"
"""Cross threatens a2 by the fourth move, and Nought looks elsewhere."""


def turns_of(line: str, setup: Setup = SETUP) -> tuple[Turn, ...]:
    """Return the turns of a game of noughts and crosses, each by whoever is to move."""
    position, turns = begin(NOUGHTS, setup), []
    for text in line.split():
        seat = NOUGHTS.to_move(position.state)[0]
        position, turn = advance(NOUGHTS, position, seat, text)
        turns.append(turn)
    return tuple(turns)


def looked_at(line: str, total: int = 1_500) -> Analysis:
    return analysis_of(NOUGHTS, SETUP, turns_of(line), random.Random(1), total=total)


def test_what_throws_a_match_away_is_the_biggest_swing_and_the_first_mistake() -> None:
    found = looked_at(BLUNDER)
    worst = min(found.swings, key=lambda swing: swing.change)
    assert (worst.ply, worst.text) == (5, "c1")
    first = found.mistakes[0]
    assert (first.ply, first.text, first.better) == (5, "c1", "a2")
    assert first.worth == 0 < first.missed


def test_what_is_won_or_lost_for_certain_counts_as_certain() -> None:
    found = looked_at(BLUNDER)
    assert [prospect.worths for prospect in found.prospects[-2:]] == [(1.0, 0.0), (1.0, 0.0)]
    assert all(prospect.proven for prospect in found.prospects[-2:])
    positions = replay(NOUGHTS, SETUP, turns_of(BLUNDER))
    for position, prospect in zip(positions, found.prospects, strict=True):
        seat = (NOUGHTS.to_move(position.state) or (1,))[0]
        if prospect.proven:
            assert prospect.worths[seat] == solved(NOUGHTS, position.state)
        assert sum(prospect.worths) == pytest.approx(1)


def test_where_nothing_was_thrown_away_there_is_no_mistake() -> None:
    found = looked_at("b2 swap a1 a3 c1 b1 b3 a2 c2 c3")
    assert all(abs(prospect.worths[0] - 0.5) < 0.1 for prospect in found.prospects[4:])
    assert [prospect.worths for prospect in found.prospects[-3:]] == [(0.5, 0.5)] * 3
    assert all(mistake.ply <= 3 for mistake in found.mistakes)


def test_a_swap_moves_no_curve_and_counts_for_who_swaps() -> None:
    found = looked_at("b2 swap a1 c2 c1 a2")
    before, after = found.prospects[1:3]
    assert before == after
    swap = found.swings[1]
    assert (swap.text, swap.before) == ("swap", max(before.worths))
    assert swap.after == after.worths[0]
    assert swap.change == 0


def test_before_a_swap_nobody_stands_better_than_even() -> None:
    opening = looked_at("b2 a1 c2 a2").swings[0]
    assert opening.before == 0.5
    assert opening.after <= 0.5


def test_the_same_chance_gives_the_same_analysis() -> None:
    assert looked_at(BLUNDER, 600) == looked_at(BLUNDER, 600)


def test_when_the_time_is_over_the_end_has_been_looked_at() -> None:
    asked = count()
    whole = looked_at("b2 a1 a3 c1 b1 b3 a2", 1_200)
    part = analysis_of(
        NOUGHTS, SETUP, turns_of("b2 a1 a3 c1 b1 b3 a2"), random.Random(1),
        lambda: next(asked) > 500, 1_200,
    )  # fmt: skip
    first = part.swings[0].ply
    assert 1 < first < 7
    assert len(part.prospects) == len(part.swings) + 1 == len(whole.prospects) + 1 - first
    assert [swing.ply for swing in part.swings] == list(range(first, 8))
    assert part.mistakes == ()
    none = analysis_of(NOUGHTS, SETUP, turns_of("b2 a1"), random.Random(1), lambda: True)
    assert (none.swings, len(none.prospects)) == ((), 1)


def test_long_matches_are_looked_at_for_no_longer_than_short_ones() -> None:
    line = "b2 a1 a3 c1 b1 b3 a2"
    tried = [looked_at(" ".join(line.split()[:plies]), 600).playouts for plies in (2, 4, 7)]
    assert tried == [133, 80, 50]
    assert looked_at("b2 a1", 60).playouts == LEAST
    assert LEAST * 400 < TOTAL


QUICK = Level("quick", 200)


def test_a_hint_takes_a_win_and_says_that_it_is_certain() -> None:
    sample = samples("win")[0]
    game, state = sample.game, sample.state
    hint = hint_of(game, Position(state, 9), QUICK, random.Random(1))
    assert wins(game, state, game.parse(state, game.to_move(state)[0], hint.best.text))
    assert (hint.best.worth, hint.best.proven, hint.only) == (1, True, False)


@pytest.mark.parametrize(
    ("line", "best", "even", "only", "others"),
    [
        ("b2", "swap", False, False, True),
        ("", "", True, False, False),
        ("b2 a1 a3 c1 b1 b3 a2 c2", "c3", False, True, False),
    ],
)
def test_a_hint_knows_the_pie_rule_and_the_only_move(
    line: str, best: str, even: bool, only: bool, others: bool
) -> None:
    *_, position = replay(NOUGHTS, SETUP, turns_of(line))
    hint = hint_of(NOUGHTS, position, QUICK, random.Random(1))
    assert hint.best.text == (best or hint.best.text)
    assert (hint.even, hint.only, hint.second is not None) == (even, only, others)
    assert hint.due == len(line.split()) + 1


def test_tasks_and_what_they_find_go_from_one_process_to_another() -> None:
    analysis = AnalysisTask("noughts", 1, SETUP, turns_of(BLUNDER), random.Random(1), 300)
    *_, position = replay(NOUGHTS, SETUP, turns_of("b2 a1 c2"))
    moment = Moment("noughts", 1, encode(NOUGHTS, position.state), 3, 1)
    for task, said in (
        (analysis, "analysis of 6 turns"),
        (HintTask(moment, 2, random.Random(1)), "hint a2"),
    ):
        there: Task = pickle.loads(pickle.dumps(task))
        assert (there.game, there.rules_version) == ("noughts", 1)
        found = there.run(NOUGHTS, lambda: False)
        assert pickle.loads(pickle.dumps(found)) == found
        assert str(found) == said
