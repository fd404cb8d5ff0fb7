"""Turns applied to positions: the truth of a match is its setup and its log of turns.

A turn is a seat and a text. The text is a move of the game in any form that the game
reads, or `swap`, the generic pie rule: the players exchange seats and the position stays.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbm.engine.errors import IllegalMoveError, MoveSyntaxError
from pbm.engine.game import AnyGame
from pbm.engine.notation import fold
from pbm.engine.types import Seat, Setup, frozen

S = TypeVar("S")

SWAP = "swap"
"""The notation of the pie rule; no game may use it for a move of its own."""

_SWAP_WORDS = re.compile(rf"(?:{SWAP}|pie)[ .!]*+")
_PASS_WORDS = re.compile(r"(?:i )?pass(?:e|es|ing)?[ .!]*+")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of one seat. In a log the text is canonical."""

    seat: Seat
    text: str


@frozen
class Position(Generic[S]):
    """A state and how many plies led to it, a swap counted as one."""

    state: S
    ply: int


def begin(game: AnyGame, setup: Setup) -> Position[Any]:
    """Return the first position."""
    return Position(game.start(setup), 0)


def may_swap(game: AnyGame, position: Position[Any]) -> bool:
    """Return whether the pie rule is open to the player to move, now and only now."""
    return game.info.swap_after == position.ply and bool(game.to_move(position.state))


def is_swap(text: str) -> bool:
    """Return whether `text` asks for the pie rule."""
    return _SWAP_WORDS.fullmatch(fold(text)) is not None


class _Reader:
    """Asks games for moves, and keeps the last answer.

    A move is read twice: to see whether a line of a mail is one, and to play it. A position is
    known again as the very object that it is, which is kept, so positions need not be compared.
    """

    def __init__(self) -> None:
        self._kept: tuple[AnyGame, object, tuple[Seat, str], Any] | None = None

    def read(self, game: AnyGame, state: Any, seat: Seat, text: str) -> Any:
        """Return what `game.parse` returns, or raise what it raises."""
        kept, asked = self._kept, (seat, text)
        if kept and kept[0] is game and kept[1] is state and kept[2] == asked:
            return kept[3]
        move = game.parse(state, seat, text)
        self._kept = game, state, asked, move
        return move


_reader = _Reader()


def read_move(game: AnyGame, state: Any, seat: Seat, text: str) -> Any:
    """Return the legal move that `text` means, or raise a MoveError.

    The game reads it. Where it cannot, a pass or a swap is refused in the same words in all games.
    """
    try:
        return _reader.read(game, state, seat, text)
    except MoveSyntaxError as error:
        if _PASS_WORDS.fullmatch(fold(text)):
            raise IllegalMoveError(
                f"There is no passing in {game.info.title}; the side to move must play."
            ) from error
        if is_swap(text):
            raise IllegalMoveError(f"{game.info.title} has no pie rule.") from error
        raise


def advance(
    game: AnyGame, position: Position[Any], seat: Seat, text: str
) -> tuple[Position[Any], Turn]:
    """Return the position after the turn `text` of `seat`, and the turn in canonical form.

    Raises MoveError; `position` stays as it was.
    """
    state = position.state
    seats = game.to_move(state)
    if not seats:
        raise IllegalMoveError("The game is over.")
    if game.info.swap_after is not None and is_swap(text):
        _check_swap(game, position, seat)
        return Position(state, position.ply + 1), Turn(seat, SWAP)
    if seat not in seats:
        raise IllegalMoveError(f"It is not {game.sides(state)[seat]}'s turn.")
    move = read_move(game, state, seat, text)
    return Position(game.play(state, seat, move), position.ply + 1), Turn(seat, str(move))


def _check_swap(game: AnyGame, position: Position[Any], seat: Seat) -> None:
    if not may_swap(game, position) or seat not in game.to_move(position.state):
        raise IllegalMoveError(
            f"swap is possible once, in place of move {(game.info.swap_after or 0) + 1}; "
            f"move {position.ply + 1} is due."
        )


def replay(game: AnyGame, setup: Setup, turns: Iterable[Turn]) -> Iterator[Position[Any]]:
    """Yield the position at ply 0, 1, 2, ... of a log; raise MoveError where it breaks a rule."""
    position = begin(game, setup)
    yield position
    for turn in turns:
        position, _ = advance(game, position, turn.seat, turn.text)
        yield position


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """Return the number of lines of play of exactly `depth` plies from `state`.

    The count checks a move generator (the field's "performance test"). A line that ends
    sooner does not count; a swap is not a move of the game and is left out.
    """
    if depth == 0:
        return 1
    return sum(divide(game, state, depth).values())


def divide(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """Return the perft count below each root move, to show where two generators differ."""
    return {
        str(move): perft(game, game.play(state, seat, move), depth - 1)
        for seat in game.to_move(state)
        for move in game.legal_moves(state, seat)
    }
