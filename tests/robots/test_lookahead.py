"""A player that looks ahead: as good as trying all lines to that depth."""

import random
from typing import Any, cast

import pytest

from pbm.engine import AnyGame, Estimates, Position
from pbm.robots.lookahead import Foresight
from pbm.robots.tree import worths_of
from tests.robots.brute import GAMES, after, loses, moves, samples, wins

MORRIS = GAMES["morris"]


def choice(state: Any, plies: int, seed: int = 1) -> Any:
    position = Position(state, 99)
    text = Foresight(MORRIS, plies, random.Random(seed)).choose(position)
    return MORRIS.parse(state, MORRIS.to_move(state)[0], text)


@pytest.mark.parametrize("number", [0, 1])
def test_it_takes_a_win_and_blocks_one(number: int) -> None:
    win = [sample for sample in samples("win") if sample.key == "morris"][number].state
    assert wins(MORRIS, win, choice(win, 1))
    block = [sample for sample in samples("block") if sample.key == "morris"][number].state
    assert not loses(MORRIS, block, choice(block, 2))


def test_it_chooses_what_trying_all_lines_chooses() -> None:
    chance, state = random.Random(2), MORRIS.start(MORRIS.info.setup())
    for ply in range(30):
        if ply > 8 and ply % 3 == 0:
            worths = {m: worth(MORRIS, after(MORRIS, state, m), 1) for m in moves(MORRIS, state)}
            seat = MORRIS.to_move(state)[0]
            best = max(found[seat] for found in worths.values())
            assert worths[choice(state, 2, ply)][seat] == best
        state = after(MORRIS, state, chance.choice(moves(MORRIS, state)))


def worth(game: AnyGame, state: Any, plies: int) -> tuple[float, ...]:
    """Return what a position is worth to both, each line to its end or so many plies deep."""
    due = game.to_move(state)
    if not due:
        won = worths_of(game.result(state), 2)
        return tuple(0.5 + (each - 0.5) * (3 + plies) for each in won)
    if not plies:
        return cast("Estimates[Any]", game).estimate(state)
    lines = (worth(game, after(game, state, move), plies - 1) for move in moves(game, state))
    return max(lines, key=lambda found: found[due[0]])


def test_a_game_without_an_estimate_is_refused() -> None:
    with pytest.raises(TypeError, match="no estimate"):
        Foresight(GAMES["noughts"], 2, random.Random(1))
