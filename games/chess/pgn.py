"""A match of chess in the Portable Game Notation (Steven Edwards, 1994)."""

from collections.abc import Mapping

import chess.pgn

from pbm.engine import PlayedMatch, Seat

from .reading import move_of

_RESULTS: Mapping[tuple[Seat, ...] | None, str] = {
    None: "*",
    (): "1/2-1/2",
    (0,): "1-0",
    (1,): "0-1",
}


def pgn(match: PlayedMatch) -> str:
    """Return the text of a file with the match."""
    game = chess.pgn.Game()
    white, black = match.players
    game.headers.update(
        Event=match.title,
        Date=f"{match.begun:%Y.%m.%d}",
        White=white,
        Black=black,
        Result=_RESULTS[match.winners],
    )
    game.add_line(map(move_of, match.turns))
    return f"{game}\n"
