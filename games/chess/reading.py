"""Reads a move of chess in either notation, and says which law forbids it.

The squares of a move are its notation here: `g1-f3`. People type g1f3, Ng1-f3, Nf3, nf3 or O-O.
"""

import re
from collections.abc import Iterable

import chess

from pbm.engine import (
    AmbiguousMoveError,
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    PointReader,
    listing,
)

READER = PointReader(
    chess.SQUARE_NAMES,
    "cannot be read as a move; one looks like e2-e4, e4xd5 or Nf3",
    signs=dict.fromkeys((":", "x", "\xd7"), "x"),
    words=("n", "b", "r", "q", "k", "p"),
    noun="square",
    most=2,
)

_SIGNS = re.compile(r"e\.?p\.?$|to|[-x\xd7:>+#=!?/().,;\s]")
_CASTLING = re.compile("[o0][o0]([o0])?", re.IGNORECASE)
_PARTS = re.compile("([NBRQKP]?)([a-h]?)([1-8]?)([a-h][1-8])([QRBNqrbn]?)")
_NEW_PIECE = re.compile(r"(?<=[18])[=/(]?[qrbn]\)?$")


def notation(board: chess.Board, move: chess.Move) -> str:
    """Return the notation of a legal move."""
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    new = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    return f"{start}{'x' if board.is_capture(move) else '-'}{end}{new}"


def move_of(notation: str) -> chess.Move:
    """Return the move that is written so."""
    return chess.Move.from_uci(f"{notation[:2]}{notation[3:5]}{notation[6:].lower()}")


def read(board: chess.Board, text: str, typed: str) -> str:
    """Return the legal move that `text` means, or raise a MoveError.

    `typed` is `text` as `BaseGame.readable` returns it. Capital letters count only where both
    readings are legal moves: Bxc3 and bxc3.
    """
    moves = [notation(board, move) for move in board.generate_legal_moves()]
    short = _SIGNS.sub("", typed)
    castling = _CASTLING.fullmatch(short)
    if castling:
        row = 1 if board.turn else 8
        short = f"ke{row}{'c' if castling[1] else 'g'}{row}"
    forms = _SIGNS.sub("", text), short, short.capitalize()
    found = next(filter(None, (_meant(board, moves, form) for form in forms)), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise _which(found)
    if castling:
        raise IllegalMoveError(
            "You cannot castle to that side now: king and rook must not have moved, nothing may be "
            "between them, and the king may not be in check, pass an attacked square or go to one."
        )
    named = READER.named(text, _NEW_PIECE.sub("", typed.rstrip("+#!?")))
    if not named.word or named.points[1:]:
        READER.ask(named.points, moves)
        raise IllegalMoveError(_refusal(board, moves, *named.points))
    kind = chess.PIECE_NAMES[chess.PIECE_SYMBOLS.index(named.word)]
    raise IllegalMoveError(f"You have no {kind} that can go to {named.points[0]}.")


def _meant(board: chess.Board, moves: Iterable[str], form: str) -> list[str]:
    """Return the moves that are written so; without a piece, one square is that of a pawn."""
    parts = _PARTS.fullmatch(form)
    if not parts:
        return []
    piece, column, row, end, new = parts.groups()
    kind = piece or ("." if column and row else "P")
    written = f"{kind}{column or '.'}{row or '.'}.{end}{f'={new.upper()}' if new else '(=.)?'}"
    return [move for move in moves if re.fullmatch(written, f"{_kind(board, move)}{move}")]


def _kind(board: chess.Board, move: str) -> str:
    """Return the capital letter of the piece that a move moves."""
    return str(board.piece_at(chess.parse_square(move[:2]))).upper()


def _which(found: list[str]) -> MoveError:
    """Return the error for a text that means several moves."""
    if len({move[:5] for move in found}) == 1:
        return IncompleteMoveError("What does the pawn become?", found)
    return AmbiguousMoveError("Which of these moves do you mean?", found)


def _refusal(board: chess.Board, moves: Iterable[str], start: str, end: str = "") -> str:
    """Return why a move is not legal."""
    piece = board.piece_at(chess.parse_square(start))
    if piece is None or piece.color != board.turn:
        there = "it is empty" if piece is None else "the other side has one"
        return f"You have no piece on {start}; {there}."
    name = f"the {chess.piece_name(piece.piece_type)} on {start}"
    squares = (chess.BB_SQUARES[chess.parse_square(square)] for square in (start, end) if square)
    if end and any(board.generate_pseudo_legal_moves(*squares)):
        why = "does not end the check" if board.is_check() else "opens your king to attack"
        return f"To move {name} to {end} {why}; your king may not be taken."
    ways = [move[3:] for move in moves if move.startswith(start)]
    where = f" to {end}; it can go to {listing(ways)}" if ways else " now"
    return f"You cannot move {name}{where}."
