"""Each game plays like its slow twin, in whole games and over all lines of play."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbm.engine import AnyGame, perft
from pbm.plugins import installed_games
from tests.games import gonnect_twin, morris_twin, notwos_twin, olix_twin, pow2_twin, twins
from tests.readings import answers

pytestmark = pytest.mark.slow

GAMES = installed_games()
STARTS: dict[str, Callable[..., twins.Twin]] = {
    "gonnect": gonnect_twin.Twin.start,
    "morris": morris_twin.Twin.start,
    "notwos": notwos_twin.Twin.start,
    "olix": olix_twin.Twin.start,
    "pow2": pow2_twin.Twin.start,
}


@pytest.mark.parametrize(
    ("key", "options", "matches", "plies"),
    [
        ("gonnect", "size=5", 6, 120),
        ("gonnect", "size=5 ko=superko", 6, 120),
        ("gonnect", "size=6 ko=superko", 2, 120),
        ("gonnect", "size=7", 2, 120),
        ("morris", "take=strict", 12, 500),
        ("morris", "take=any", 12, 500),
        ("notwos", "", 6, 60),
        ("olix", "", 20, 120),
        ("pow2", "", 2, 60),
        ("pow2", "exact=yes", 2, 60),
        ("pow2", "noborder=yes", 2, 60),
        ("pow2", "exact=yes noborder=yes", 2, 60),
    ],
)
def test_random_matches_go_the_same_way_in_both(
    key: str, options: str, matches: int, plies: int
) -> None:
    for seed in range(matches):
        chance = random.Random(seed)
        greed = seed / matches if key in ("morris", "notwos", "pow2") else None
        game, state, twin = begun(key, options.split())
        for _ in range(plies):
            moves = twins.agree(game, state, twin)
            if not moves:
                break
            move = twins.choose(game, state, moves, chance, greed)
            state, twin = game.play(state, twin.mover, move), twin.play(move)


def begun(key: str, options: list[str]) -> tuple[AnyGame, Any, twins.Twin]:
    """Return a game with the same beginning of both."""
    game, given = GAMES.get(key), dict(pair.split("=") for pair in options)
    return game, game.start(game.info.setup(given)), STARTS[key](**given)


def counts(options: str, depths: str, moves: str = "") -> str:
    """Return the number of lines of play of each depth, as game and twin count them."""
    key, *pairs = options.split()
    game, state, twin = begun(key, pairs)
    for move in moves.split():
        state, twin = game.play(state, twin.mover, move), twin.play(move)
    confirmed, depth = map(int, depths.split(" of "))
    found = [perft(game, state, plies + 1) for plies in range(depth)]
    assert [twins.perft(twin, plies + 1) for plies in range(confirmed)] == found[:confirmed]
    return " ".join(map(str, found))


def test_lines_of_play_are_as_many_as_the_table_and_the_twin_say() -> None:
    table = Path(__file__).with_name("perft.txt").read_text("ascii")
    assert answers(table, counts) == table
