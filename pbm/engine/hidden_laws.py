"""The laws of what is hidden, for the conformance suite."""

import random
import re
from typing import Any

from pbm.engine.game import AnyGame
from pbm.engine.laws import law
from pbm.engine.optional import Resampling
from pbm.engine.types import Seat, Viewer

_ANNOUNCED = re.compile(r"[^\x00-\x1f\x7f-\U0010ffff\[\]{}]{1,60}")


def check_announced(game: AnyGame, state: Any, seat: Seat, move: Any) -> None:
    """Raise unless what others are told of a move fits the list of moves, and hides nothing else.

    Where nothing is hidden it is the move.
    """
    told = game.announced(state, seat, move)
    law(_ANNOUNCED.fullmatch(told), f"what is told of {move} is a word or two of ASCII: {told!r}")
    law(game.info.hidden or told == str(move), "a game that hides something says hidden=True")


def check_hidden(game: AnyGame, state: Any, chance: random.Random) -> None:
    """Raise unless each seat sees, and may do, the same in positions that it cannot tell apart.

    A game without `resample` is taken at its word.
    """
    if not game.info.hidden:
        return
    law(game.info.swap_after is None, "who trades places would learn what is hidden: no pie rule")
    if not isinstance(game, Resampling):
        return
    for seat in range(len(game.sides(state))):
        alike = game.resample(state, seat, chance)
        for part, seen in _seen(game, alike, seat).items():
            law(seen == _seen(game, state, seat)[part], f"seat {seat} sees nothing hidden: {part}")


def _seen(game: AnyGame, state: Any, seat: Seat) -> dict[str, Any]:
    """Return all that a seat learns from a position."""
    return {
        "diagrams": [game.diagram(state, Viewer(seat, style)) for style in game.info.styles],
        "a spectator's": [game.diagram(state, Viewer(None, style)) for style in game.info.styles],
        "legal moves": list(map(str, game.legal_moves(state, seat))),
        "seats to move": game.to_move(state),
        "result": game.result(state),
        "sides": game.sides(state),
    }
