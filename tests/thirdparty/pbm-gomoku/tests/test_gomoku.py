"""Gomoku keeps the laws of the contract, and it plays by the text of its rules."""

import pytest
from pbm.engine import Laid, Result, begin, perft
from pbm.engine.conformance import check

from pbm_gomoku import game


def test_the_game_keeps_every_law() -> None:
    check(game, matches=5)  # the default size, then any


def test_the_first_plies_have_the_known_number_of_lines_of_play() -> None:
    start = begin(game, game.info.setup({"size": "5"})).state
    assert [perft(game, start, depth) for depth in (1, 2, 3)] == [25, 25 * 24, 25 * 24 * 23]


@pytest.mark.parametrize(
    ("stones", "wins"),
    [
        ("a1 b1 c1 d1 e1", True),
        ("b2 c3 d4 e5 f6", True),
        ("b6 c5 d4 e3 f2", True),
        ("c3 c4 c5 c6 c7 c8", True),  # six are no fewer
        ("a1 b1 c1 d1", False),
        ("f1 g1 h1 i1 a2", False),  # a row does not go on at the other side
    ],
)
def test_five_in_a_row_win(stones: str, wins: bool) -> None:
    grid = game.grid(9)
    *others, last = stones.split()
    own = sum(grid.at[name] for name in others)
    before = Laid(9, (own, sum(grid.at[f"{column}9"] for column in "abcdefghi"[: len(others)])))
    result = game.result(game.play(before, 0, last))
    assert result == (Result((0,), "row") if wins else None)
