"""The twins of the games: slow and plain, written from the rule texts, and compared with the games.

A twin shares no code with its game, so neither can be wrong because of the other's mistake. Each is
in a module of its own, GAME_twin.py.
"""

import random
from collections.abc import Collection, Mapping
from typing import Any, Protocol, Self

from pbm.engine import AnyGame, Result, Viewer

Pieces = dict[str, tuple[int | None, int]]
"""The owner and the height, or the lives, of what is on each occupied point."""


class Twin(Protocol):
    """A position of a twin. `play` leaves it as it is."""

    @property
    def mover(self) -> int: ...

    def legal(self) -> Collection[str]: ...

    def play(self, move: str) -> Self: ...

    def end(self) -> Result | None: ...

    def pieces(self) -> Mapping[str, tuple[int | None, int]]: ...


def agree(game: AnyGame, state: Any, twin: Twin) -> list[str]:
    """Compare all that both say about a position; return the legal moves."""
    assert drawn(game, state) == twin.pieces()
    assert game.result(state) == twin.end()
    if game.result(state) is not None:
        return []
    assert game.to_move(state) == (twin.mover,)
    moves = [str(move) for move in game.legal_moves(state, twin.mover)]
    assert sorted(moves) == sorted(twin.legal())
    return moves


def drawn(game: AnyGame, state: Any) -> Pieces:
    pieces = game.diagram(state, Viewer()).pieces
    return {piece.at: (piece.seat, piece.height) for piece in pieces}


def perft(twin: Twin, depth: int) -> int:
    """Return the number of lines of play of exactly `depth` plies; a match that is over has none.

    As pbm.engine.perft, which does not ask for the result at the last ply.
    """
    moves = [] if twin.end() else twin.legal()
    return len(moves) if depth == 1 else sum(perft(twin.play(move), depth - 1) for move in moves)


def choose(
    game: AnyGame, state: Any, moves: list[str], chance: random.Random, greed: float | None = None
) -> str:
    """Return a random move, preferably one that does not end the game, so that games grow long.

    `greed` is the chance of a move in a longer notation: one that takes, places or stacks.
    """
    liked = moves
    if greed is not None:
        shortest, long = min(map(len, moves)), chance.random() < greed
        liked = [move for move in moves if (len(move) > shortest) == long] or moves
    move = chance.choice(liked)
    for _ in range(5):
        if game.result(game.play(state, game.to_move(state)[0], move)) is None:
            break
        move = chance.choice(liked)
    return move
