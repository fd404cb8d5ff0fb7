"""NOTWO'S against its slow twin, which was written from the rule text alone."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.notwos import game
from games.notwos.board import NAMES
from games.notwos.turns import State
from pbm.engine import perft
from tests.games import notwos_twin as twin


def twin_of(state: State) -> twin.Board:
    counts = {twin.cell_of(NAMES[n]): 1 for n in range(64) if state.singles >> n & 1}
    counts |= {twin.cell_of(NAMES[cell]): height for cell, height in state.stacks}
    return twin.Board(counts, game.sides(state)[state.turn].lower())


def compare(state: State) -> dict[str, State]:
    """Check that both know the same turns, boards and ends; return the positions after them."""
    slow = twin.turns(twin_of(state))
    side = twin_of(state).mover
    turns = list(game.legal_moves(state, state.turn))
    assert sorted(turns) == sorted(slow)
    after = {turn: game.play(state, state.turn, turn) for turn in turns}
    for turn, position in after.items():
        assert twin_of(position).count == slow[turn].count, turn
        won, reason = twin.winner(slow[turn], side)
        # With a stone in stock a drop is always legal, and the twin is too slow to look each time.
        if won is None and slow[turn].stock == 0 and not twin.turns(slow[turn]):
            reason = "no_move"
        assert position.reason == reason, turn
        if won is not None:
            assert position.winner is not None
            assert game.sides(position)[position.winner].lower() == won, turn
    return after


@pytest.mark.parametrize("seed", range(6))
def test_both_know_the_same_turns_boards_and_ends_all_along_a_random_game(seed: int) -> None:
    chance = random.Random(seed)
    opening = ",".join(sorted(chance.sample(NAMES, 2)))
    state = game.play(game.start(game.info.setup()), 0, opening)
    state = game.play(state, 1, chance.choice(["first", "second"]))
    for _ in range(60):
        after = compare(state)
        # Stacks are what differs most between implementations, so they are preferred.
        stacking = [turn for turn in after if len(turn) > 2]
        state = after[chance.choice(stacking if stacking and chance.random() < 0.5 else [*after])]
        if state.reason is not None:
            break


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Draw any position without a chain: crowded boards, high stacks, an empty stock."""
    cells = draw(st.lists(st.integers(0, 63), unique=True, max_size=40))
    heights = draw(st.lists(st.integers(3, 9), max_size=4))
    stacks: dict[int, int] = {}
    left = 40
    for cell, height in zip(cells, heights, strict=False):
        if height <= left:
            stacks[cell] = height
            left -= height
    singles = sum(1 << cell for cell in [c for c in cells if c not in stacks][:left])
    first = draw(st.integers(0, 1))
    state = State(singles, tuple(sorted(stacks.items())), draw(st.integers(0, 1)), first)
    board = twin_of(state)
    if twin.has_chain(board, "first") or twin.has_chain(board, "second"):
        return State(0, state.stacks, state.turn, first)
    return state


@settings(max_examples=50, deadline=None, derandomize=True)
@given(positions())
def test_both_know_the_same_turns_boards_and_ends_in_any_position(state: State) -> None:
    compare(state)


ROW_FIVE = sum(1 << NAMES.index(f"{letter}5") for letter in "abcdefg")
THREATENED = State(ROW_FIVE, turn=0, first=0)
STACK_AND_STONES = State(
    sum(1 << NAMES.index(name) for name in ("a5", "b5", "c5", "e5", "f5", "g5")),
    ((NAMES.index("d3"), 3),),
    turn=1,
    first=0,
)


def test_the_twin_confirms_the_counts_of_short_lines() -> None:
    for state in (THREATENED, STACK_AND_STONES):
        for depth in (1, 2):
            assert perft(game, state, depth) == twin.perft(twin_of(state), depth)


def test_node_counts_stay_as_they_are() -> None:
    # 64 * 63 / 2 openings, each with two choices of side. The other counts of depths 1 and 2
    # come from the twin (the test above), as did, once, that of depth 3, which takes ten seconds.
    start = game.start(game.info.setup())
    assert [perft(game, start, depth) for depth in (1, 2)] == [2016, 4032]
    assert [perft(game, THREATENED, depth) for depth in (1, 2)] == [84, 4674]
    assert [perft(game, STACK_AND_STONES, depth) for depth in (1, 2, 3)] == [59, 3480, 198264]
