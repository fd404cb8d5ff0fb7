"""Questions to a program that plays: made of a position, and its answer read by the game."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pbm.engine import (
    AnyGame,
    MoveError,
    Position,
    Seat,
    Setup,
    Turn,
    advance,
    decode,
    encode,
    may_swap,
    quote,
)
from pbm.robots.protocol import Answer, NewMatch, PositionAsked, ProtocolError

MOST_MOVES = 10_000
"""Legal moves that are listed; where there are more, none is."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position of a match, with all that a program needs to know to choose a move in it."""

    match: NewMatch
    position: PositionAsked


def question_of(
    game: AnyGame,
    setup: Setup,
    turns: Iterable[Turn],
    position: Position[Any],
    seat: Seat,
    *,
    own_seats: Iterable[Seat],
    seconds: float,
    level: str = "",
) -> Question:
    """Return the question for a turn of `seat`, which is to move in `position`, after `turns`."""
    info = game.info
    legal = islice(game.legal_moves(position.state, seat), MOST_MOVES + 1)
    moves = tuple(str(move) for move in legal)
    return Question(
        NewMatch(info.key, info.rules_version, setup, info.seats, level),
        PositionAsked(
            position.ply,
            seat,
            tuple(own_seats),
            tuple(turns),
            encode(game, position.state),
            moves if len(moves) <= MOST_MOVES else None,
            may_swap(game, position),
            seconds,
        ),
    )


def checked(game: AnyGame, question: Question, answer: Answer) -> Answer:
    """Return the answer with its move as a log writes it; raise ProtocolError if it is illegal."""
    asked = question.position
    if answer.ply not in (None, asked.ply):
        raise ProtocolError(f"It answers for ply {answer.ply}, and ply {asked.ply} was asked.")
    position = Position(decode(game, asked.state), asked.ply)
    try:
        _, turn = advance(game, position, asked.seat, answer.move)
    except MoveError as error:
        raise ProtocolError(f"The move {quote(answer.move)} is refused: {error}") from error
    return replace(answer, move=turn.text, ply=asked.ply)
