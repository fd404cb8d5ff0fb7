"""OLIX: its sheet of rulings, recorded games and boards, and what can still be raised."""

import random
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.olix import game
from games.olix.patterns import CELL, PATTERNS, WINNING, Values, best_values, can_raise, points
from games.olix.positions import State, stones_left
from tests.games.sheets import recorded, wrong_lines
from tests.readings import answers


def bits(cells: str) -> int:
    return sum(1 << CELL[name] for name in cells.split())


def on_rows(rows: list[str], sign: str) -> int:
    """Return the cells of one sign on a board that is drawn, row 11 first."""
    return sum(
        1 << CELL[f"{letter}{11 - y}"]
        for y, row in enumerate(rows)
        for letter, found in zip("abcdefghijk", row, strict=True)
        if found == sign
    )


def at(words: str) -> State:
    """Return the position in the words of sheets/olix.txt."""
    board, *notes = words.split("; ")
    if "/" in board:
        black, white = map(bits, board.split("/"))
    else:
        black, white = (on_rows(board.split(), sign) for sign in "xo")
    return State((black, white), (best_values(black), best_values(white)), int("white" in notes))


def test_every_ruling_and_refusal_is_as_the_sheet_says() -> None:
    assert wrong_lines(game, at) == ""


CAN_RAISE = """
# b6 is missing, and not empty
b2 b3 b4 b5 | b7 b8 | 50 -> False
b2 b3 b4 b5 | b6 b7 b8 | 1 -> True
b2 b3 b4 b5 | b6 b7 b8 | 0 -> False
# a pattern that needs more stones than are left
a1 a2 | a3 a4 | 2 -> True
a1 a2 | a3 a4 | 1 -> False
# a stone within an O
b2 c2 d2 b3 d3 b4 c4 d4 | c3 | 1 -> True
# Beside an O of eight lies a border that lacks two stones, i3 and i4. With them it is worth eight
# as well, and a third stone inside it, on h3, makes nine.
b2 c2 d2 b3 d3 b4 c4 d4 g2 h2 i2 g3 g4 h4 | i3 i4 h3 | 2 -> False
b2 c2 d2 b3 d3 b4 c4 d4 g2 h2 i2 g3 g4 h4 | i3 i4 h3 | 3 -> True
"""


def test_a_value_can_be_raised_only_with_enough_stones_on_empty_cells() -> None:
    def raised(own: str, free: str, left: str) -> bool:
        return can_raise(bits(own), bits(free), best_values(bits(own)), int(left))

    assert answers(CAN_RAISE, raised) == CAN_RAISE


def test_every_recorded_position_has_the_same_values_wins_and_points() -> None:
    cases = recorded("olix_positions.json.gz")["positions"]
    assert len(cases) == 166
    for case in cases + recorded("olix_examples.json")["examples"]:
        values = tuple(best_values(on_rows(case["board"], sign)) for sign in "xo")
        for sign, best in zip("xo", values, strict=True):
            assert dict(zip(PATTERNS, best, strict=True)) == case[sign]
            winning = zip(PATTERNS, best, WINNING, strict=True)
            assert [p for p, value, enough in winning if value >= enough] == case[f"{sign}_auto"]
        assert list(points((values[0], values[1]))) == case["count_shared"]


def played(record: dict[str, Any]) -> State:
    """Play a recorded game to its end and compare the mover's values at each ply.

    The reference plays on to the hundredth stone where nobody wins at once. Here the game may
    end sooner, when nothing can be raised any more: then the values must stay the same.
    """
    state = game.start(game.info.setup())
    final: list[Values] = [(0, 0, 0, 0), (0, 0, 0, 0)]
    for ply, move in enumerate(record["moves"]):
        seat = ply % 2
        final[seat] = tuple(record["mover_maxima_OLIX"][ply])
        if state.reason is None:
            state = game.play(state, seat, game.parse(state, seat, move))
            assert state.values[seat] == final[seat]
    assert list(state.values) == final
    return state


def test_every_recorded_game_has_the_same_values_and_the_same_end() -> None:
    for record in recorded("olix_games.json.gz")["games"]:
        state = played(record)
        result = game.result(state)
        assert result is not None
        assert ["xo"[seat] for seat in result.winners] == [record["winner"]]
        if record["end"] == "pattern":
            assert result.reason == record["patterns"][0].lower()
        else:
            assert result.scores == tuple(record["count_shared"])
            used_up = not stones_left(state, 0) and not stones_left(state, 1)
            assert result.reason == ("stones_used" if used_up else "stalemate")


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(35, 55), st.integers(0, 8), st.integers(0, 4))
def test_a_value_can_be_raised_exactly_if_some_way_to_lay_the_stones_left_raises_it(
    seed: int, share: int, holes: int, left: int
) -> None:
    chance, cells = random.Random(seed), list(CELL.values())
    empty = chance.sample(cells, holes)
    own = sum(1 << cell for cell in cells if chance.randrange(100) < share and cell not in empty)
    best = best_values(own)
    raised = any(
        best_values(own | sum(1 << cell for cell in laid)) != best
        for laid in combinations(empty, min(left, holes))
    )
    assert can_raise(own, sum(1 << cell for cell in empty), best, left) == raised
