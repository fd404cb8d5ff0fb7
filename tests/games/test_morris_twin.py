"""The fast engine of Nine Men's Morris agrees with its slow twin, as do its node counts."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.morris import game
from games.morris.board import MASKS
from games.morris.state import State
from pbm.engine import perft
from tests.games.morris_twin import ALL, NEXT, Twin

TAKES = st.sampled_from(["strict", "any"])


def assert_same(state: State, twin: Twin) -> None:
    """Compare everything that engine and twin say about a position."""
    result = game.result(state)
    assert (result and (result.winners, result.reason)) == twin.result()
    if result is None:
        assert game.to_move(state) == (twin.mover,)
        assert sorted(game.legal_moves(state, twin.mover)) == sorted(twin.turns())
    assert state.hand == tuple(twin.hand)
    for seat in (0, 1):
        assert state.stones[seat] == sum(MASKS[point] for point in twin.stones(seat))


@settings(max_examples=24, deadline=None)
@given(take=TAKES, seed=st.integers(0, 10**9), greed=st.floats(0, 1))
def test_random_games_go_the_same_way_to_their_end(take: str, seed: int, greed: float) -> None:
    chance = random.Random(seed)
    state, twin = game.start(game.info.setup({"take": take})), Twin(take)
    assert_same(state, twin)
    while seats := game.to_move(state):
        turns = sorted(twin.turns())
        # Games with much taking end quickly, and games with little taking last long.
        taking = [turn for turn in turns if ("x" in turn) == (chance.random() < greed)]
        turn = chance.choice(taking or turns)
        state = game.play(state, seats[0], turn)
        twin.play(turn)
        assert_same(state, twin)


@settings(max_examples=80, deadline=None)
@given(take=TAKES, data=st.data())
def test_any_position_at_all_has_the_same_turns(take: str, data: st.DataObject) -> None:
    points = data.draw(st.permutations(sorted(ALL)))
    white, black = data.draw(st.integers(3, 9)), data.draw(st.integers(3, 9))
    hand = data.draw(st.sampled_from([(0, 0), (0, 1), (1, 0), (3, 3)]))
    mover = data.draw(st.integers(0, 1))
    held = dict.fromkeys(points[:white], 0) | dict.fromkeys(points[white : white + black], 1)
    twin = Twin(take, dict(held), list(hand), mover)
    masks = [sum(MASKS[p] for p, side in held.items() if side == seat) for seat in (0, 1)]
    state = State((masks[0], masks[1]), hand, mover, take == "any")
    assert sorted(game.legal_moves(state, mover)) == sorted(twin.turns())
    for turn in twin.turns()[:5]:
        after = Twin(take, dict(held), list(hand), mover)
        after.play(turn)
        assert_same(game.play(state, mover, turn), after)


def test_the_board_has_24_points_and_32_edges_between_neighbours() -> None:
    assert len(ALL) == len(MASKS) - 1 == 24
    assert sum(map(len, NEXT.values())) == 2 * 32


def twin_perft(twin: Twin, depth: int) -> int:
    """Return the twin's count of lines of play; a match that is over has none."""
    if twin.result():
        return 0
    if depth == 1:
        return len(twin.turns())
    count = 0
    for turn in twin.turns():
        after = Twin(twin.take, dict(twin.on), list(twin.hand), twin.mover, twin.quiet)
        after.seen = list(twin.seen)
        after.play(turn)
        count += twin_perft(after, depth - 1)
    return count


PLACING = "d6 e5 d1 d5 c3 c5xd1 b2 d3"
MOVING = (
    "a4 d5 g7 d1 g4 c3 e4 g1 f4xg1 d3 a1 d2xg7 c5 e3xa4 b2 a4 b6 g1 "
    "b6-d6 d2-f2 g4-g7 f2-d2xg7 e4-e5 d2-f2"
)
JUMPING = (
    "e5 f6 f4 a1 e4 c5 g4xf6 g7 e3xg7 d1 f2 d6 c3 d7 d3xa1 b4 f6xd6 d2 "
    "g4-g7 b4-b6 e5-d5 d7-d6 g7-g4xc5 d1-g1 d5-e5xg1 d6-g1 e5-d5 b6-a4 d5-d6 d2-d5 "
    "e4-e5 d5-a7 e5-d5 g1-a1xd5"
)


# The counts at the start are 24, 24 x 23 and 24 x 23 x 22, because nobody can close a mill so
# soon. The engine counted the others. The twin counts them again here at the smaller depths;
# before they were written down it had confirmed every depth except the last.
@pytest.mark.parametrize(
    ("take", "line", "counts"),
    [
        ("strict", "", (24, 552, 12144)),
        ("strict", PLACING, (17, 272, 4170, 61852)),
        ("strict", MOVING, (10, 125, 998, 12264, 94378)),
        ("strict", JUMPING, (10, 390, 5161)),
        ("any", JUMPING, (12, 351, 4693)),
    ],
    ids=["start", "placing", "moving", "jumping-strict", "jumping-any"],
)
def test_lines_of_play_are_as_many_as_ever(take: str, line: str, counts: tuple[int, ...]) -> None:
    state, twin = game.start(game.info.setup({"take": take})), Twin(take)
    for turn in line.split():
        state = game.play(state, state.mover, turn)
        twin.play(turn)
    assert [perft(game, state, depth) for depth in range(1, len(counts) + 1)] == list(counts)
    assert [twin_perft(twin, depth) for depth in (1, 2)] == list(counts[:2])
