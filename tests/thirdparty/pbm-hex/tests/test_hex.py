"""Hex keeps the laws of the contract, and it plays by the text of its rules."""

import pytest
from pbm.engine import Result, begin, perft
from pbm.engine.conformance import check

from pbm_hex import game
from pbm_hex.rules import State


def test_the_game_keeps_every_law() -> None:
    check(game, matches=5)  # the default size, then any


def test_the_first_plies_have_the_known_number_of_lines_of_play() -> None:
    start = begin(game, game.info.setup({"size": "5"})).state
    assert [perft(game, start, depth) for depth in (1, 2, 3)] == [25, 25 * 24, 25 * 24 * 23]


@pytest.mark.parametrize(
    ("stones", "result"),
    [
        ("a1 e1 a2 e2 a3 e3 a4 e4 a5", Result((0,), "chain")),
        ("e5 a1 e4 b1 e3 c1 d4 d1 d3 e1", Result((1,), "chain")),
        ("a1 e1 b2 e2 c3 e3 d4 e4 e5", None),  # a diagonal against the slant touches nowhere
        ("e1 a1 d2 a2 c3 a3 b4 a4 a5", Result((0,), "chain")),
    ],
)
def test_a_chain_of_neighbours_from_edge_to_edge_wins(stones: str, result: Result | None) -> None:
    assert game.result(State(5, tuple(stones.split()))) == result
