"""The fast Gonnect plays like its slow twin, and its lines of play are as many."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.gonnect import game
from games.gonnect.position import State, legal_points
from pbm.engine import perft
from tests.games.gonnect_boards import after, legal, start, taken, won
from tests.games.gonnect_twin import Twin

TRIPLE_KO = "A5 A2 B4 B3 G5 G2 F4 F3 F7 C7 E6 D6 G3 A4 D4 E7"
ROUND = f"{TRIPLE_KO} A3 G4 D7 A4 G3"  # one move before the position after E7 returns
CROWDED = "A4 E5 E3 D4 A2 B3 C4 C1 E2 A5 B2 A3 D2 E1 E4 C2 D1 B4 D5 C5"


def agree(state: State, twin: Twin) -> None:
    assert legal(state) == twin.legal()
    assert taken(state) == [name for p, name in names(twin) if p in twin.taken]
    assert won(state) == twin.end
    if state.result is None:
        alone = [name for name, bit in state.board.bits.items() if legal_points(state, bit)]
        assert alone == twin.legal()
    for seat, sign in enumerate("xo"):
        stones = [name for p, name in names(twin) if twin.board.get(p) == sign]
        assert state.board.listed(state.stones[seat]) == stones


def names(twin: Twin) -> list[tuple[tuple[int, int], str]]:
    return [(point, twin.name(point)) for point in twin.points()]


def dodge(state: State, chance: random.Random) -> str:
    """Choose a random move, preferably one that does not end the game, so that boards fill up."""
    choices = legal(state)
    move = chance.choice(choices)
    for _ in range(4):
        if game.result(game.play(state, state.mover, move)) is None:
            break
        move = chance.choice(choices)
    return move


@settings(max_examples=16, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**32), st.sampled_from(["5", "5", "6", "7"]), st.booleans())
def test_random_matches_are_the_same_for_the_twin(seed: int, size: str, superko: bool) -> None:
    chance = random.Random(seed)
    state = start(size=size, ko="superko" if superko else "simple")
    twin = Twin(int(size), superko)
    agree(state, twin)
    while state.result is None and len(state.history) < 120:
        move = dodge(state, chance)
        state = game.play(state, state.mover, move)
        twin.play(move)
        agree(state, twin)


def fight(seed: int, *, superko: bool) -> State:
    """Mostly retake in one of three kos, and compare each position with that of the twin."""
    chance = random.Random(seed)
    state, twin = start(size="7", ko="superko" if superko else "simple"), Twin(7, superko)
    for move in TRIPLE_KO.split():
        state = after(state, move)
        twin.play(move)
    while state.result is None and len(state.history) < 50:
        kos = [move for move in legal(state) if taken(game.play(state, state.mover, move))]
        move = chance.choice(kos if kos and chance.random() < 0.97 else legal(state))
        state = game.play(state, state.mover, move)
        twin.play(move)
        agree(state, twin)
    return state


def test_fights_over_three_kos_are_the_same_for_the_twin_and_end_in_a_draw() -> None:
    endings = [won(fight(seed, superko=False)) for seed in range(6)]
    assert endings.count(("", "repetition")) >= 3


def test_fights_over_three_kos_are_the_same_for_the_twin_under_superko() -> None:
    assert all(won(fight(seed, superko=True)) != ("", "repetition") for seed in range(6))


@pytest.mark.parametrize(
    ("size", "moves", "ko", "counts"),
    [
        ("5", "", "simple", (25, 600, 13800)),
        ("5", CROWDED, "simple", (7, 35, 182, 673, 3017, 11800)),
        ("5", CROWDED, "superko", (7, 35, 182, 673, 3017, 11800)),
        ("7", ROUND, "simple", (32, 1022)),
        ("7", ROUND, "superko", (31, 990, 30659)),
    ],
)
def test_lines_of_play_are_counted_right(
    size: str, moves: str, ko: str, counts: tuple[int, ...]
) -> None:
    """The twin counts the first two depths here; once, in a minute, it counted them all."""
    state, twin = after(start(size=size, ko=ko), moves), Twin(int(size), ko == "superko")
    for move in moves.split():
        twin.play(move)
    assert [twin.perft(depth) for depth in (1, 2)] == list(counts[:2])
    assert [perft(game, state, depth + 1) for depth in range(len(counts))] == list(counts)
