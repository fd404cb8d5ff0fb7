"""The fast engine of The Power of Two and its slow twin give the same answers."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.pow2 import game
from games.pow2.board import POINTS
from games.pow2.position import State
from pbm.engine import perft
from tests.games.pow2_boards import at, begin, legal, standing
from tests.games.pow2_twin import POINTS as TWIN_POINTS
from tests.games.pow2_twin import Twin

OPTIONS = [(exact, noborder) for exact in ("no", "yes") for noborder in ("no", "yes")]


def letters(twin: Twin) -> dict[str, str]:
    return {name: "oOxX"[2 * seat + lives - 1] for name, (seat, lives) in twin.pieces.items()}


def compare(state: State, twin: Twin) -> None:
    """Fail unless both see the same pieces, turns and result."""
    assert standing(state) == letters(twin)
    result = game.result(state)
    assert (result and (*result.winners, result.reason)) == twin.result()
    if not result:
        assert legal(state) == twin.legal()


@pytest.mark.parametrize(("exact", "noborder"), OPTIONS)
def test_random_matches_go_the_same_way_in_both(exact: str, noborder: str) -> None:
    chance = random.Random(f"{exact} {noborder}")
    for _ in range(2):
        state = begin(exact=exact, noborder=noborder)
        twin = Twin.start(exact=exact == "yes", noborder=noborder == "yes")
        for _ in range(60):
            compare(state, twin)
            if state.ended:
                break
            turn = chance.choice(legal(state))
            state, twin = game.play(state, state.seat, turn), twin.play(turn)


piece = st.sampled_from([(0, 1), (0, 2), (1, 1), (1, 2)])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(st.sampled_from(sorted(TWIN_POINTS)), piece, min_size=4, max_size=40),
    st.booleans(),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_any_position_has_the_same_turns_and_each_leads_to_the_same(
    pieces: dict[str, tuple[int, int]], exact: bool, noborder: bool, pick: int
) -> None:
    # Both sides stay below sixteen, where the game would be over.
    for seat in (0, 1):
        for extra in [name for name, (owner, _) in pieces.items() if owner == seat][15:]:
            del pieces[extra]
    sides = [
        " ".join(n.upper() if lives == 2 else n for n, (s, lives) in pieces.items() if s == seat)
        for seat in (0, 1)
    ]
    state = at(sides[0], sides[1], mover=0, exact=exact, noborder=noborder)
    twin = Twin(pieces, 0, exact, noborder)
    turns = legal(state)
    assert turns == twin.legal()
    if turns:
        turn = turns[pick % len(turns)]
        compare(game.play(state, 0, turn), twin.play(turn))


def test_both_speak_of_the_same_points() -> None:
    assert set(POINTS) == TWIN_POINTS


# The twin counted these numbers. It counts depth 3 again here if that takes about a second.
PERFT = [("no", "no", (48, 2396, 105300)), ("no", "yes", (36, 1352, 48588))]


@pytest.mark.parametrize(("exact", "noborder", "counts"), PERFT)
def test_the_number_of_lines_of_play_from_the_start(
    exact: str, noborder: str, counts: tuple[int, ...]
) -> None:
    start = begin(exact=exact, noborder=noborder)
    assert tuple(perft(game, start, depth) for depth in (1, 2, 3)) == counts
    twin = Twin.start(exact=exact == "yes", noborder=noborder == "yes")
    assert (twin.perft(1), twin.perft(2)) == counts[:2]
    if noborder == "yes":
        assert twin.perft(3) == counts[2]


MIDDLE = (
    "m1-e1:d2 a13-e5 e1-e3:e1,f3 e5-e11 m13-e9:d10 e11-e13 e9-e3:d4,e5,g1 e13-e11:e9 "
    "e5-c9:b10,c8 a1-c6 c8-e5:c5,d7,g4 e9-k9 c5-a7:a9,c5,c8 e11-e9:c9,e7,e11 "
    "b10-d12:c11,e13 c9-i9:j10 c8-i11:h11,j12"
)


@pytest.mark.parametrize(("exact", "counts"), [("no", (59, 8657)), ("yes", (59, 4684))])
def test_the_number_of_lines_of_play_where_most_turns_place(
    exact: str, counts: tuple[int, int]
) -> None:
    state, twin = begin(exact=exact), Twin.start(exact=exact == "yes")
    for turn in MIDDLE.split():
        state, twin = game.play(state, state.seat, turn), twin.play(turn)
    assert tuple(perft(game, state, depth) for depth in (1, 2)) == counts
    assert (twin.perft(1), twin.perft(2)) == counts
