"""An estimate of a position of chess, in place of a random game.

The pieces are counted, and what the best capture wins at a glance. Source: evaluations in place of
the end, Lorentz, "Using Evaluation Functions in Monte-Carlo Tree Search" (2016); the values are the
usual ones.
"""

from math import exp

import chess

from pbm.engine import Chance

_VALUES = (0.0, 1.0, 3.0, 3.2, 5.0, 9.0, 100.0)
"""The value of each type of piece, in pawns."""

_MIDDLE = chess.BB_RANK_3 | chess.BB_RANK_4 | chess.BB_RANK_5 | chess.BB_RANK_6
_CENTRE = _MIDDLE & (chess.BB_FILE_C | chess.BB_FILE_D | chess.BB_FILE_E | chess.BB_FILE_F)

_PRESENCE, _ADVANCE, _NOISE = 0.15, 0.05, 0.2
"""In pawns: a piece in the centre, a pawn's step, and chance."""

_SCALE = 0.7
"""Log-odds of winning for a pawn ahead."""


def worth_of_white(board: chess.Board, chance: Chance) -> float:
    """Return about how likely White is to win, a draw as a half."""
    gain = max((_gain(board, move) for move in board.generate_legal_captures()), default=0.0)
    lead = _side(board, board.turn) - _side(board, not board.turn) + max(gain, 0)
    lead += _NOISE * (chance.random() - 0.5)
    return 1 / (1 + exp(_SCALE * (-lead if board.turn else lead)))


def _gain(board: chess.Board, move: chess.Move) -> float:
    """Return what a capture wins at a glance: what is taken, less the piece if it is lost."""
    gain = _VALUES[board.piece_type_at(move.to_square) or chess.PAWN]  # en passant
    if board.attackers_mask(not board.turn, move.to_square):
        gain -= _VALUES[board.piece_type_at(move.from_square) or 0]
    return gain


def _side(board: chess.Board, side: chess.Color) -> float:
    """Return what the pieces of a side and their places are worth, in pawns."""
    own, pawns = board.occupied_co[side], board.pawns
    kinds = pawns, board.knights, board.bishops, board.rooks, board.queens
    ranks = chess.BB_RANKS if side else chess.BB_RANKS[::-1]
    worths = [*zip(_VALUES[1:6], kinds, strict=True)]
    worths += [(_ADVANCE * n, pawns & rank) for n, rank in enumerate(ranks)]
    worths += [(_PRESENCE, _CENTRE & ~(board.kings | board.queens))]
    return sum(worth * (own & places).bit_count() for worth, places in worths)
