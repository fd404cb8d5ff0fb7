"""The laws of turns that several seats choose at the same time, for the conformance suite."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from pbm.engine.game import AnyGame
from pbm.engine.laws import law
from pbm.engine.types import Seat


def check_sealed(game: AnyGame, state: Any, chance: random.Random) -> None:
    """Raise unless seats that choose at the same time can do so without knowing of each other."""
    seats = game.to_move(state)
    if len(seats) < 2:
        return
    law(game.info.sealed, "one seat is to move at a time, unless the info says sealed=True")
    moves = {seat: list(game.legal_moves(state, seat)) for seat in seats}
    chosen = {seat: chance.choice(moves[seat]) for seat in seats}
    ends = [_revealed(game, state, order, moves, chosen) for order in (seats, seats[::-1])]
    law(ends[0] == ends[1], "the order in which choices are played does not matter")


def _revealed(
    game: AnyGame,
    state: Any,
    order: Sequence[Seat],
    moves: Mapping[Seat, list[Any]],
    chosen: Mapping[Seat, Any],
) -> Any:
    """Return the state after what was chosen, played in this order."""
    for place, seat in enumerate(order):
        left = {*order[place:]}
        law({*game.to_move(state)} == left, "seats that have not been played are still to move")
        known = list(game.legal_moves(state, seat)) == moves[seat]
        law(known, f"what others have chosen changes nothing about the moves of seat {seat}")
        state = game.play(state, seat, chosen[seat])
    return state
