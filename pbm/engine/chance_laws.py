"""The laws of chance, for the conformance suite."""

import random
from typing import Any

from pbm.engine.chance import CHANCE, OUTCOME, by_weight
from pbm.engine.game import AnyGame, encode
from pbm.engine.laws import law

TRIES = 1000
"""So often is drawn to see all outcomes."""

_RARE = 50
"""An outcome that comes less than once in so many draws may be missing among them."""

_MOST_DRAWS = 1000
"""The most draws between two turns."""


def drawn(game: AnyGame, state: Any, source: random.Random) -> tuple[Any, tuple[str, ...]]:
    """Return the state after chance and what was drawn; raise unless each draw keeps the laws."""
    outcomes: list[str] = []
    while game.to_move(state) == (CHANCE,):
        law(game.info.chance, "a game that draws says so, with chance=True in its info")
        outcome = _lawful(game, state, source)
        before, after = encode(game, state), game.draw(state, outcome)
        law(encode(game, state) == before, f"draw leaves the position before {outcome} as it was")
        law(game.draw(state, outcome) == after, f"{outcome} always leads to the same position")
        state = after
        outcomes.append(outcome)
        law(len(outcomes) <= _MOST_DRAWS, "draws come to an end")
    law(CHANCE not in game.to_move(state), "chance is to move alone or not at all")
    return state, tuple(outcomes)


def _lawful(game: AnyGame, state: Any, source: random.Random) -> str:
    """Return one of the outcomes; raise unless they keep the laws."""
    chances = game.chances(state)
    law(chances, "there is an outcome to draw")
    for outcome, weight in chances.items():
        law(OUTCOME.fullmatch(outcome), f"{outcome!r} is letters, digits, full stops, - and +")
        law(type(weight) is int and weight > 0, f"the weight of {outcome} is a whole number > 0")
    again = list(game.chances(state).items())
    law(again == list(chances.items()), "the outcomes of a position are always the same")
    law(game.result(state) is None, "nothing is drawn once there is a result")
    for seat in range(len(game.sides(state))):
        law(not list(game.legal_moves(state, seat)), "nobody has a move while something is drawn")
    draw, whole = by_weight(source), sum(chances.values())
    likely = {outcome for outcome, weight in chances.items() if weight * _RARE >= whole}
    missing = likely - {draw(chances) for _ in range(TRIES if likely else 0)}
    law(not missing, f"all outcomes come in {TRIES} draws; not {', '.join(sorted(missing))}")
    return draw(chances)
