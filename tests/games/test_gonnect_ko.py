"""Ko, superko and repetition in Gonnect: the rulings, sentence by sentence."""

import random
from dataclasses import replace

from games.gonnect.position import State
from games.gonnect.random_game import play_on
from tests.games.gonnect_boards import after, at, legal, start, taken, won
from tests.tables import each

# Three kos, on the west side, on the east side and at the top; then one round through them.
TRIPLE_KO = "A5 A2 B4 B3 G5 G2 F4 F3 F7 C7 E6 D6 G3 A4 D4 E7"
ROUND = "A3 G4 D7 A4 G3 E7"


KO = """
    . . . . .
    . x o . .
    x . x o .
    . x o . .
    . . . . .
"""


# Ruling: simple ko; in the inventor's words, players cannot repeat the previous position.
@each("rule", ["simple", "superko"])
def test_a_single_stone_may_not_be_retaken_at_once(rule: str) -> None:
    state = after(at(KO, mover="o", ko=rule), "B3")
    assert taken(state) == ["C3"]
    assert "C3" not in legal(state)


def test_the_ko_is_open_again_when_something_else_has_changed() -> None:
    state = after(at(KO, mover="o"), "B3 E5 E1")
    assert "C3" in legal(state)
    assert taken(after(state, "C3")) == ["B3"]
    assert "B3" not in legal(after(state, "C3"))


SNAPBACK = """
    . . x . .
    o o x . .
    x x . . .
    . . . . .
    . . . . .
"""


# The previous position does not come back where two stones or more are retaken (snapback).
@each("rule", ["simple", "superko"])
def test_a_single_stone_may_retake_several_at_once(rule: str) -> None:
    state = after(at(SNAPBACK, ko=rule), "A5 B5")
    assert taken(state) == ["A5"]
    assert taken(after(state, "A5")) == ["B5", "A4", "B4"]


@each(
    ("state", "then", "may"),
    [(at(KO, mover="o"), ("B3", "C3"), False), (after(at(SNAPBACK), "A5"), ("B5", "A5"), True)],
    ids=["ko", "snapback"],
)
def test_a_random_game_knows_what_may_be_retaken(
    state: State, then: tuple[str, str], *, may: bool
) -> None:
    chance = random.Random(1)
    begun = {tuple(play_on(state, chance, 2)[0]) for _ in range(5000)}
    assert any(first == then[0] for first, _ in begun)
    assert (then in begun) == may


# Ruling: under simple ko the third occurrence of a position with the same side to move is a draw.
def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    state = after(start(size="7"), f"{TRIPLE_KO} {ROUND}")
    assert won(state) is None
    state = after(state, "A3 G4 D7 A4 G3")
    assert won(state) is None
    state = after(state, "E7")
    assert won(state) == ("", "repetition")
    assert legal(state) == []


def test_the_same_stones_with_the_other_side_to_move_are_another_position() -> None:
    state = after(start(size="7"), f"{TRIPLE_KO} {ROUND} A3 G4 D7 A4 G3")
    assert won(after(state, "E7")) == ("", "repetition")
    assert won(after(one_ply_earlier(state, 16), "E7")) is None


# Ruling: under superko no earlier whole-board position may come back.
def test_superko_bars_every_earlier_position() -> None:
    moves = f"{TRIPLE_KO} A3 G4 D7 A4 G3"
    free = legal(after(start(size="7"), moves))
    barred = legal(after(start(size="7", ko="superko"), moves))
    assert set(free) - set(barred) == {"E7"}


def test_under_superko_the_stones_alone_count_whoever_was_to_move() -> None:
    state = after(start(size="7", ko="superko"), f"{TRIPLE_KO} A3 G4 D7 A4 G3")
    assert "E7" not in legal(one_ply_earlier(state, 16))


def test_a_side_whose_every_move_superko_bars_has_lost() -> None:
    state = after(start(size="5", ko="superko"), "A1 B1 C3 D3")
    replies = {reply: after(state, f"B2 {reply}") for reply in legal(after(state, "B2"))}
    stood = [reply.history[-1] for reply in replies.values()]
    assert len(stood) == 20
    assert won(after(replace(state, history=(*stood, *state.history)), "B2")) == ("x", "no_move")
    free = replace(state, history=(0, *stood[1:], *state.history))
    assert legal(after(free, "B2")) == [next(iter(replies))]


def one_ply_earlier(state: State, ply: int) -> State:
    """Return the position as if the board of `ply` had come a ply earlier, the other to move."""
    history = list(state.history)
    history[ply - 1], history[ply] = history[ply], history[ply - 1]
    return replace(state, history=tuple(history))
