"""OLIX against its slow twin, which was written from the rule text alone."""

import copy
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.olix import game
from games.olix.patterns import CELL, best_values, can_raise
from games.olix.positions import State
from pbm.engine import perft
from tests.games import olix_twin as twin
from tests.tables import each

INDEX = {cell: CELL[twin.name(cell)] for cell in twin.CELLS}


def bits(cells: twin.Stones) -> int:
    return sum(1 << INDEX[cell] for cell in cells)


def split(seed: int, own: int, other: int) -> tuple[set[twin.Cell], ...]:
    """Split the board at random into own stones, the opponent's stones and empty cells.

    `own` and `other` are percentages; the rest is empty.
    """
    chance = random.Random(seed)
    parts: tuple[set[twin.Cell], ...] = (set(), set(), set())
    for cell in twin.CELLS:
        lot = chance.randrange(100)
        parts[0 if lot < own else 1 if lot < own + other else 2].add(cell)
    return parts


SEEDS = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(SEEDS, st.integers(10, 90))
def test_both_see_the_same_best_values_on_any_board(seed: int, density: int) -> None:
    own, _, _ = split(seed, density, 0)
    values = best_values(bits(own))
    assert dict(zip("OLIX", values, strict=True)) == twin.best(own)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(SEEDS, st.integers(20, 50), st.integers(30, 60), st.integers(0, 12))
def test_both_see_alike_whether_a_value_can_still_be_raised(
    seed: int, own_share: int, other_share: int, left: int
) -> None:
    own, _, empty = split(seed, own_share, other_share)
    raised = can_raise(bits(own), bits(empty), best_values(bits(own)), left)
    assert raised == twin.can_raise(own, empty, left)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(SEEDS, st.integers(35, 55), st.integers(0, 8), st.integers(0, 4))
def test_a_value_can_be_raised_exactly_if_some_way_to_lay_the_stones_left_raises_it(
    seed: int, own_share: int, holes: int, left: int
) -> None:
    own, _, _ = split(seed, own_share, 100)
    empty = set(random.Random(seed).sample(twin.CELLS, holes))
    own -= empty
    expected = twin.can_raise_by_trial(own, empty, left)
    assert can_raise(bits(own), bits(empty), best_values(bits(own)), left) == expected


def careful(state: State, chance: random.Random, moves: list[str]) -> str:
    """Return a random move, preferably one that does not win at once, so that games grow long."""
    for move in chance.sample(moves, min(6, len(moves))):
        if game.play(state, state.turn, move).reason not in {"o", "l", "i", "x"}:
            return move
    return moves[0]


@each("seed", range(30))
def test_both_know_the_same_moves_and_the_same_end_all_along_a_random_game(seed: int) -> None:
    chance = random.Random(seed)
    state, match = game.start(game.info.setup()), twin.Match()
    while not match.over:
        assert game.result(state) is None
        moves = list(game.legal_moves(state, state.turn))
        assert len(set(moves)) == len(moves)
        assert set(moves) == match.legal()
        assert game.to_move(state) == (match.mover,)
        move = careful(state, chance, moves)
        state = game.play(state, state.turn, move)
        match.play(move)
    result = game.result(state)
    assert result is not None
    assert result.reason == match.over
    assert result.winners == (() if match.winner is None else (match.winner,))
    assert result.scores == match.scores


def late_moves(stones: int) -> list[str]:
    """Return a game of so many stones in which nobody has won at once."""
    chance = random.Random(4)
    state = game.start(game.info.setup())
    played: list[str] = []
    while len(played) < stones:
        moves = [move for move in game.legal_moves(state, state.turn) if move != "count"]
        played.append(careful(state, chance, moves))
        state = game.play(state, state.turn, played[-1])
    return played


def position(moves: list[str]) -> State:
    state = game.start(game.info.setup())
    for move in moves:
        state = game.play(state, state.turn, move)
    return state


def twin_position(moves: list[str]) -> twin.Match:
    match = twin.Match()
    for move in moves:
        match.play(move)
    return match


def twin_perft(match: twin.Match, depth: int) -> int:
    if depth == 1:
        return len(match.legal())
    total = 0
    for move in match.legal():
        after = copy.deepcopy(match)
        after.play(move)
        total += twin_perft(after, depth - 1)
    return total


def test_the_twin_confirms_the_counts_of_short_lines() -> None:
    late = late_moves(94)
    assert perft(game, position(late), 2) == twin_perft(twin_position(late), 2)


def test_node_counts_stay_as_they_are() -> None:
    # From the start there are 121 cells and count; then 121 * 121 + 122, because after a stone
    # 120 cells and count are left. The test above has the twin confirm the late position.
    assert [perft(game, position([]), depth) for depth in (1, 2)] == [122, 121 * 121 + 122]
    late = position(late_moves(94))
    assert [perft(game, late, depth) for depth in (1, 2, 3)] == [28, 757, 19710]
