"""An estimate of a position of chess, in place of a random game.

Exchanges are played out first, each capture one that wins something at a glance; then the pieces
are counted. Source: evaluations in place of the end, Lorentz, "Using Evaluation Functions in
Monte-Carlo Tree Search" (2016); the values are the usual ones.
"""

from math import exp

import chess

from pbm.engine import Chance

_VALUES = (0.0, 1.0, 3.0, 3.2, 5.0, 9.0, 100.0)
"""The value of each type of piece, in pawns."""

_FALLEN = 6
"""Captures that are played out at most."""

_MIDDLE = chess.BB_RANK_3 | chess.BB_RANK_4 | chess.BB_RANK_5 | chess.BB_RANK_6
_CENTRE = _MIDDLE & (chess.BB_FILE_C | chess.BB_FILE_D | chess.BB_FILE_E | chess.BB_FILE_F)

_PRESENCE, _ADVANCE, _SHELTER, _NOISE = 0.15, 0.05, 0.3, 0.2
"""In pawns: a piece in the centre, a pawn's step, a king at the edge of its side, and chance."""

_SCALE = 0.7
"""Log-odds of winning for a pawn ahead."""


def worth_of_white(board: chess.Board, chance: Chance) -> float:
    """Return about how likely White is to win, a draw as a half."""
    board = board.copy(stack=False)
    for _ in range(_FALLEN):
        capture = _best_capture(board)
        if capture is None:
            break
        board.push(capture)
    lead = _side(board, chess.WHITE) - _side(board, chess.BLACK)
    return 1 / (1 + exp(-_SCALE * (lead + _NOISE * (chance.random() - 0.5))))


def _best_capture(board: chess.Board) -> chess.Move | None:
    """Return the legal capture that wins most at a glance, or None if none wins anything."""
    best, most = None, 0.0
    for move in board.generate_legal_captures():
        taken = board.piece_type_at(move.to_square) or chess.PAWN  # en passant
        gain = _VALUES[taken]
        if board.attackers_mask(not board.turn, move.to_square):
            gain -= _VALUES[board.piece_type_at(move.from_square) or 0]
        if gain > most:
            best, most = move, gain
    return best


def _side(board: chess.Board, side: chess.Color) -> float:
    """Return what the pieces of a side and their places are worth, in pawns."""
    own = board.occupied_co[side]
    worth = sum(
        value * (own & pieces).bit_count()
        for value, pieces in zip(
            _VALUES[1:6],
            (board.pawns, board.knights, board.bishops, board.rooks, board.queens),
            strict=True,
        )
    )
    pawns = own & board.pawns
    ranks = chess.BB_RANKS if side else chess.BB_RANKS[::-1]
    worth += _ADVANCE * sum(n * (pawns & rank).bit_count() for n, rank in enumerate(ranks))
    worth += _PRESENCE * (own & _CENTRE & ~(board.kings | board.queens)).bit_count()
    if board.queens:
        corners = ranks[0] & ~(chess.BB_FILE_D | chess.BB_FILE_E | chess.BB_FILE_F)
        worth += _SHELTER * bool(own & board.kings & corners)
    return worth
