"""Games played at random from a position to the end: what a search judges positions by.

Source: Brügmann, "Monte Carlo Go" (1993).
"""

from dataclasses import dataclass
from typing import Any

from pbm.engine import AnyGame, Chance, RandomTurn, Result, Seat

Worths = tuple[float, ...]
"""What an end is worth to each seat; all of them together make 1."""

LONGEST = 1000
"""Plies after which a game counts as a draw: random play may never end one."""


@dataclass(frozen=True, slots=True)
class Playout:
    """What its end is worth, and the notations of what each seat played."""

    worths: Worths
    played: tuple[set[str], ...]


def worths_of(result: Result | None, seats: int) -> Worths:
    """Return what a result is worth to each of `seats`: the winners share 1, in a draw all do."""
    winners = (result.winners if result else ()) or tuple(range(seats))
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def play_out(game: AnyGame, state: Any, turn_of: RandomTurn, chance: Chance) -> Playout:
    """Return how a game goes on from `state` if all seats play at random."""
    seats = len(game.info.seats)
    played: tuple[set[str], ...] = tuple(set() for _ in range(seats))
    for _ in range(LONGEST):
        due: tuple[Seat, ...] = game.to_move(state)
        if not due:
            return Playout(worths_of(game.result(state), seats), played)
        move = turn_of(state, due[0], chance)
        played[due[0]].add(str(move))
        state = game.play(state, due[0], move)
    return Playout(worths_of(None, seats), played)
