"""Games played at random from a position to the end: what a search judges positions by.

Source: Brügmann, "Monte Carlo Go" (1993).
"""

from collections.abc import Callable
from typing import Any

from pbm.engine import (
    AnyGame,
    Chance,
    Playout,
    RandomGames,
    RandomTurn,
    Result,
    Seat,
    random_turns,
)

Worths = tuple[float, ...]
"""What an end is worth to each seat; all of them together make 1."""

LONGEST = 1000
"""Plies after which a game counts as a draw: random play may never end one."""

PlayOut = Callable[[Any, Chance], Playout]
"""Returns how a game goes on from a state that is not over if all seats play at random."""


def worths_of(result: Result | None, seats: int) -> Worths:
    """Return what a result is worth to each of `seats`: the winners share 1, in a draw all do."""
    winners = (result.winners if result else ()) or tuple(range(seats))
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def playouts_of(game: AnyGame) -> PlayOut:
    """Return the game's own way to play on at random, or else one turn after the other."""
    if not isinstance(game, RandomGames):
        return turn_by_turn(game, random_turns(game))
    helped: RandomGames[Any] = game

    def play_out(state: Any, chance: Chance) -> Playout:
        return helped.random_game(state, chance, LONGEST)

    return play_out


def turn_by_turn(game: AnyGame, turn_of: RandomTurn) -> PlayOut:
    """Return a way to play on that asks the game for each turn."""
    seats = len(game.info.seats)

    def play_out(state: Any, chance: Chance) -> Playout:
        played: tuple[set[str], ...] = tuple(set() for _ in range(seats))
        for _ in range(LONGEST):
            due: tuple[Seat, ...] = game.to_move(state)
            if not due:
                return Playout(worths_of(game.result(state), seats), played)
            move = turn_of(state, due[0], chance)
            played[due[0]].add(str(move))
            state = game.play(state, due[0], move)
        return Playout(worths_of(None, seats), played)

    return play_out
