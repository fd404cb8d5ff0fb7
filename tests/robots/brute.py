"""Forced wins, found by trying all turns: slow, and too simple to be wrong."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gallery.boards import all_games
from pbm.engine import AnyGame, Position, advance, begin
from pbm.robots.search import SearchBounds, SearchResult, search
from pbm.robots.tree import Node

GAMES = {game.info.key: game for game in all_games()}
"""Ours, Gomoku of a third party, and noughts and crosses."""


@dataclass(frozen=True)
class Sample:
    """A position, by the moves that lead to it."""

    key: str
    moves: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def game(self) -> AnyGame:
        return GAMES[self.key]

    @property
    def position(self) -> Position[Any]:
        return Position(self.state, len(self.moves.split()))

    @property
    def state(self) -> Any:
        position = begin(self.game, self.game.info.setup(dict(self.options)))
        for move in self.moves.split():
            seat = self.game.to_move(position.state)[0]
            position, _ = advance(self.game, position, seat, move)
        return position.state


def samples(kind: str) -> list[Sample]:
    """Return the samples of samples.txt that are of a kind."""
    lines = Path(__file__).with_name("samples.txt").read_text("ascii").splitlines()
    found = []
    for line in lines:
        head, _, moves = line.partition(": ")
        if head.startswith(f"{kind} "):
            _, key, option = head.split()
            name, sign, value = option.partition("=")
            found.append(Sample(key, moves, ((name, value),) if sign else ()))
    return found


def found(sample: Sample, playouts: int, seed: int = 1) -> SearchResult:
    """Return what a search finds in a sample."""
    chance = random.Random(seed)
    return search(sample.game, Node(sample.game, sample.state), SearchBounds(playouts), chance)


def after(game: AnyGame, state: Any, move: Any) -> Any:
    return game.play(state, game.to_move(state)[0], move)


def moves(game: AnyGame, state: Any) -> list[Any]:
    return [move for seat in game.to_move(state) for move in game.legal_moves(state, seat)]


def wins(game: AnyGame, state: Any, move: Any, of: int | None = None) -> bool:
    """Return whether `move` wins at once, for who plays it or for that seat."""
    result = game.result(after(game, state, move))
    winner = game.to_move(state)[0] if of is None else of
    return result is not None and result.winners == (winner,)


def can_win(game: AnyGame, state: Any) -> bool:
    """Return whether the seat to move has a win in one."""
    return any(wins(game, state, move) for move in moves(game, state))


def loses(game: AnyGame, state: Any, move: Any) -> bool:
    """Return whether `move` loses at once, or leaves the other side a win in one."""
    follows = after(game, state, move)
    result = game.result(follows)
    if result is not None:
        return bool(result.winners) and result.winners != game.to_move(state)
    return can_win(game, follows)


def forces(game: AnyGame, state: Any, move: Any, turns: int = 2) -> bool:
    """Return whether `move` wins in so many turns at most, itself counted, whatever is answered."""
    if turns < 2:
        return turns == 1 and wins(game, state, move)
    follows = after(game, state, move)
    if game.result(follows) is not None:
        return wins(game, state, move)
    return all(
        wins(game, follows, answer, of=game.to_move(state)[0])
        or any(
            forces(game, then, further, turns - 1)
            for then in [after(game, follows, answer)]
            for further in moves(game, then)
        )
        for answer in moves(game, follows)
    )


def solved(game: AnyGame, state: Any) -> float:
    """Return what a position of a game for two is worth to the seat to move, or the loser's 0."""
    result = game.result(state)
    if result is not None:
        return 0.0 if result.winners else 0.5
    return max(1 - solved(game, after(game, state, move)) for move in moves(game, state))
