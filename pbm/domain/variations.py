"""Variations: moves in a row, tried on a position without keeping anything."""

import re
from itertools import islice

from pbm.domain.errors import NotUnderstood
from pbm.domain.play import LiveMatch, check_open, play
from pbm.engine import MoveError

MOST_MOVES = 40
"""How many moves of one variation are looked at."""

_LONGEST_MOVE = 6
"""How many words one move may have; `a13 c11` has two."""

_GAP = re.compile(r"[\s,;]+")

_THEN = re.compile(r"[\s,;]+(?:and\s+)?then[\s,;]+", re.IGNORECASE)


def try_turn(board: LiveMatch, text: str) -> LiveMatch:
    """Return the match as it would be if the player to move played `text`; raise MoveError."""
    check_open(board)
    seat = board.to_move[0]
    return play(board, seat, text, due=None, comment="", now=board.match.turn_since)


def play_variation(board: LiveMatch, text: str) -> tuple[tuple[str, ...], LiveMatch]:
    """Return the moves of `text` in canonical notation, and the match as they would leave it.

    The sides move in turn; blanks, commas, semicolons or "then" separate the moves. A move may
    itself hold blanks and commas: the longest run of words that is a legal move is one move.
    Raises MoveError, NotNow if the match ends on the way, NotUnderstood if there are too many.
    """
    moves: list[str] = []
    for part in _THEN.split(text):
        rest = part.strip(" ,;")
        while rest:
            if len(moves) == MOST_MOVES:
                raise NotUnderstood(f"A variation can have {MOST_MOVES} moves at most.")
            board, rest = _play_longest(board, rest)
            moves.append(board.match.plies[-1].text)
    return tuple(moves), board


def _play_longest(board: LiveMatch, text: str) -> tuple[LiveMatch, str]:
    """Return the match after the longest move that `text` begins with, and the text after it."""
    gaps = [(gap.start(), gap.end()) for gap in islice(_GAP.finditer(text), _LONGEST_MOVE)]
    runs = [*gaps, (len(text), len(text))][:_LONGEST_MOVE]
    for stop, next_word in reversed(runs[1:]):
        try:
            return try_turn(board, text[:stop]), text[next_word:]
        except MoveError:
            continue
    stop, next_word = runs[0]
    return try_turn(board, text[:stop]), text[next_word:]
