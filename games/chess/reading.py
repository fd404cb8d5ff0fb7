"""Reads a move of chess in either notation, and says which law forbids it.

The squares of a move are its notation here: `g1-f3`. People type g1f3, Ng1-f3, Nf3, nf3 or O-O.
"""

import re
from collections.abc import Iterable, Mapping

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

_PROMOTION = re.compile(r"(.*[a-h][18])[=/(]?([qrbn])\)?")
_SQUARES = re.compile(r"[nbrqkp]?([a-h][1-8])(?:->|[-x:>,]|to)?([a-h][1-8])")
_CASTLING = re.compile("[o0]-?[o0](-?[o0])?")
_SIGNS = re.compile(r"[-x:+#=!?]|e\.?p\.?$")


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

    `typed` is `text` as `BaseGame.readable` returns it.
    """
    typed = typed.rstrip("+#!?")
    moves = {notation(board, move): move for move in board.generate_legal_moves()}
    found = _by_squares(moves, typed) or _in_short(board, moves, text)
    if found:
        return _the_only(found)
    if _CASTLING.fullmatch(typed):
        raise IllegalMoveError(
            "You cannot castle to that side now: king and rook must not have moved, nothing may be "
            "between them, and the king may not be in check, pass an attacked square or go to one."
        )
    promotion = _PROMOTION.fullmatch(typed)
    named = READER.named(text, promotion[1] if promotion else typed)
    if named.word and len(named.points) == 1:
        raise _which(board, moves, named.word, *named.points)
    READER.ask(named.points, moves)
    raise _refusal(board, moves, *named.points)


def _by_squares(moves: Iterable[str], typed: str) -> list[str]:
    """Return the moves with these two squares; there are several only for promotions."""
    promotion = _PROMOTION.fullmatch(typed)
    squares, new = (promotion[1], f"={promotion[2].upper()}") if promotion else (typed, "")
    named = _SQUARES.fullmatch(squares)
    found = [move for move in moves if named and (move[:2], move[3:5]) == named.groups()]
    return [move for move in found if move[5:] == new] or found


def _in_short(board: chess.Board, moves: Mapping[str, chess.Move], text: str) -> list[str]:
    """Return the moves with this short notation, such as Nf3.

    Capital letters count only where both readings are legal moves: Bxc3 and bxc3.
    """
    plain = _SIGNS.sub("", "".join(text.split()).rstrip(".,;")).replace("0", "O")
    short = {name: _SIGNS.sub("", board.san(move)) for name, move in moves.items()}
    for same in (str, str.lower):
        if found := [name for name, san in short.items() if same(san) == same(plain)]:
            return found
    if found := [name for name, san in short.items() if "=" in name and san[:-1] == plain]:
        return found
    try:  # more letters than are needed, such as Ng1f3
        move = board.parse_san(plain)
    except ValueError:
        return []
    return [name for name, each in moves.items() if each == move]


def _the_only(found: list[str]) -> str:
    if len(found) == 1:
        return found[0]
    if len({move[:5] for move in found}) == 1:
        raise IncompleteMoveError("What does the pawn become?", found)
    raise AmbiguousMoveError("Which of these moves do you mean?", found)


def _which(board: chess.Board, moves: Mapping[str, chess.Move], letter: str, end: str) -> MoveError:
    """Return the error for a piece and a square to which not exactly one such piece can go."""
    kind = chess.PIECE_SYMBOLS.index(letter)
    found = [
        name
        for name, move in moves.items()
        if name[3:5] == end and board.piece_type_at(move.from_square) == kind
    ]
    if found:
        return AmbiguousMoveError("Which of these moves do you mean?", found)
    return IllegalMoveError(f"You have no {chess.PIECE_NAMES[kind]} that can go to {end}.")


def _refusal(
    board: chess.Board, moves: Iterable[str], start: str, end: str = ""
) -> IllegalMoveError:
    """Return the error for a move that is not legal."""
    piece = board.piece_at(chess.parse_square(start))
    if piece is None or piece.color != board.turn:
        there = "it is empty" if piece is None else "the other side has one"
        return IllegalMoveError(f"You have no piece on {start}; {there}.")
    name = f"the {chess.piece_name(piece.piece_type)} on {start}"
    if end and _leaves_check(board, start, end):
        why = "does not end the check" if board.is_check() else "opens your king to attack"
        return IllegalMoveError(f"To move {name} to {end} {why}; your king may not be taken.")
    ways = [move[3:] for move in moves if move.startswith(start)]
    if not ways:
        return IllegalMoveError(f"You cannot move {name} now.")
    return IllegalMoveError(f"You cannot move {name} to {end}; it can go to {listing(ways)}.")


def _leaves_check(board: chess.Board, start: str, end: str) -> bool:
    """Return whether only the king's safety forbids the move."""
    move = chess.Move(chess.parse_square(start), chess.parse_square(end))
    queening = chess.Move(move.from_square, move.to_square, chess.QUEEN)
    return board.is_pseudo_legal(move) or board.is_pseudo_legal(queening)
