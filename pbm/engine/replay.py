"""Turns applied to positions: the truth of a match is its setup and its log of turns.

A turn is a seat and a text. The text is a move of the game in any form that the game
reads, or `swap`, the generic pie rule: the players exchange seats and the position stays.
In a log the text is canonical, and says what was drawn after the move: `b5-c5 [4]`. Where something
is hidden it also has what others are told: `a1,a2 {(boats)}`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pbm.engine.chance import CHANCE, Draw, after_chance, drawn_before, unseen
from pbm.engine.errors import IllegalMoveError, MoveSyntaxError
from pbm.engine.game import AnyGame
from pbm.engine.notation import fold
from pbm.engine.types import Seat, Setup, frozen

S = TypeVar("S")

SWAP = "swap"
"""The notation of the pie rule; no game may use it for a move of its own."""

LEAVES = "leaves"
"""The text of the ply from which on a seat is empty; no game may use it, and nobody types it."""

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
    """Return the first position; raise IllegalMoveError if `setup.dealt` is not what it takes."""
    state, outcomes = after_chance(game, game.start(setup), drawn_before(setup.dealt))
    if outcomes != setup.dealt:
        raise IllegalMoveError(f"{game.info.title} begins when {len(outcomes)} are dealt.")
    return Position(state, 0)


def deal(game: AnyGame, setup: Setup, draw: Draw) -> Setup:
    """Return the setup with what is drawn before the first turn."""
    return replace(setup, dealt=after_chance(game, game.start(setup), draw)[1])


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
    game: AnyGame, position: Position[Any], seat: Seat, text: str, draw: Draw = unseen
) -> tuple[Position[Any], Turn]:
    """Return the position after the turn `text` of `seat`, and the turn as a log keeps it.

    What comes by chance then is drawn. Without `draw` the turn is only looked at, and UnseenError
    is raised where chance would decide. Raises MoveError; `position` stays as it was.
    """
    state, _, written = taken(game, position, seat, text)
    state, outcomes = after_chance(game, state, draw)
    if outcomes:
        written += f"{_DRAWN}{' '.join(outcomes)}]"
    return Position(state, position.ply + 1), Turn(seat, written)


def depart(
    game: AnyGame, position: Position[Any], seat: Seat, draw: Draw
) -> tuple[Position[Any], Turn] | None:
    """Return the position after a seat has left, as a ply; None if the game cannot go on then."""
    state = game.leave(position.state, seat)
    if state is None:
        return None
    state, outcomes = after_chance(game, state, draw)
    written = f"{LEAVES}{_DRAWN}{' '.join(outcomes)}]" if outcomes else LEAVES
    return Position(state, position.ply + 1), Turn(seat, written)


def repeat(game: AnyGame, position: Position[Any], turn: Turn) -> tuple[Position[Any], Turn]:
    """Return the position after a turn of a log, which draws what it says, and the turn.

    Raises MoveError; the turn comes back in another form if it was not canonical.
    """
    _, _, drawn = turn.text.partition(_DRAWN)
    outcomes = drawn.removesuffix("]").split()
    if notation_of(turn.text) == LEAVES:
        found = depart(game, position, turn.seat, drawn_before(outcomes))
        if found is None:
            raise IllegalMoveError(f"{game.info.title} does not go on when a seat is empty.")
        return found
    return advance(game, position, turn.seat, notation_of(turn.text), drawn_before(outcomes))


def notation_of(text: str) -> str:
    """Return the move in the text of a turn, without what was told of it or drawn after it."""
    return text.partition(_DRAWN)[0].partition(_TOLD)[0]


def spoken(text: str) -> tuple[str, str]:
    """Return the text of a turn as its player may know it, and as it is told to all others."""
    own, hidden, rest = text.partition(_TOLD)
    return (own, rest.partition("}")[0]) if hidden else (text, text)


_TOLD, _DRAWN = " {", " ["
"""They begin what others are told of a move, and what was drawn after it."""


def taken(game: AnyGame, position: Position[Any], seat: Seat, text: str) -> tuple[Any, str, str]:
    """Return the state after the turn `text` of `seat`, before any draw, and its notation.

    The notation comes alone, and with what others are told where that is another text: `a1,a2
    {(boats)}`. Raises MoveError.
    """
    state = position.state
    seats = game.to_move(state)
    if not seats:
        raise IllegalMoveError("The game is over.")
    if game.info.swap_after is not None and is_swap(text):
        _check_swap(game, position, seat)
        return state, SWAP, SWAP
    if seat not in seats:
        raise IllegalMoveError(f"It is not {game.sides(state)[seat]}'s turn.")
    move = read_move(game, state, seat, text)
    notation = written = str(move)
    if game.info.hidden:
        written += f"{_TOLD}{game.announced(state, seat, move)}}}"
    return game.play(state, seat, move), notation, written


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
        position, _ = repeat(game, position, turn)
        yield position


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """Return the number of lines of play of exactly `depth` plies from `state`.

    The count checks a move generator (the field's "performance test"). A line that ends
    sooner does not count; a swap is not a move of the game and is left out. What is drawn is no
    ply, but each outcome is a line of its own.
    """
    if depth == 0:
        return 1
    if game.to_move(state) == (CHANCE,):
        return sum(perft(game, game.draw(state, each), depth) for each in game.chances(state))
    return sum(divide(game, state, depth).values())


def divide(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """Return the perft count below each root move, to show where two generators differ."""
    return {
        str(move): perft(game, game.play(state, seat, move), depth - 1)
        for seat in game.to_move(state)
        for move in game.legal_moves(state, seat)
    }
