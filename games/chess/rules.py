"""Chess by the laws of FIDE (2023), whose moves python-chess knows.

A move names the squares that a piece goes from and to: `g1-f3`, `e4xd5`, `e7-e8=Q`, and `e1-g1` to
castle. The usual short notation, as Nf3, is read as well. Draws that players would have to claim
(articles 9.2 and 9.3) are declared by the server.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import chess
import chess.pgn

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    Figure,
    GameFile,
    GameInfo,
    Mark,
    MarkKind,
    Piece,
    PlayedMatch,
    Playout,
    Result,
    Seat,
    Setup,
    Viewer,
    chessboard,
)

from .estimate import worth_of_white
from .reading import move_of, notation, read

GRID = chessboard()

REPEATS = 3
"""A position that comes up so often, with the same side to move, is a draw."""

QUIET_PLIES = 100
"""Turns in a row in which no pawn moves and no piece is taken that make a draw."""


_RESULTS: Mapping[object, str] = {None: "*", (): "1/2-1/2", (0,): "1-0", (1,): "0-1"}
"""The winners of a match as that notation has them."""


@dataclass(frozen=True, slots=True)
class State:
    """A position with all that the laws need.

    Nobody changes `board`, which has no moves to take back. `since` has the positions since the
    last capture or pawn's move, this one included, in the form of EPD. `last` is the move that led
    here, "" at the start; `reason` says why the game is over, "" while it goes on.
    """

    board: chess.Board
    since: tuple[str, ...]
    last: str = ""
    reason: str = ""

    @property
    def mover(self) -> Seat:
        """The seat to move; White's is 0."""
        return int(not self.board.turn)


class Chess(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="chess",
        title="Chess",
        seats=("White", "Black"),
        signs=("", ""),
        summary="Attack the king of the other side so that it cannot escape.",
        reasons={
            "checkmate": "checkmate",
            "stalemate": "stalemate: the side to move has no move and is not in check",
            "material": "neither side has enough pieces to give checkmate",
            "repetition": "the same position came up for the third time",
            "quiet": "in 50 moves of each side no pawn moved and no piece was taken",
        },
        example="e2-e4",
        family="capture",
        credits="Traditional; these rules are from about 1500. Moves by python-chess",
    )

    def start(self, setup: Setup) -> State:
        del setup  # there are no options
        board = chess.Board()
        return State(board, (board.epd(),))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if not state.reason and seat == state.mover:
            for move in state.board.generate_legal_moves():
                yield notation(state.board, move)

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        del seat  # the board knows
        return read(state.board, text, typed)

    def play(self, state: State, seat: Seat, move: str) -> State:
        del seat
        board = state.board.copy(stack=False)
        board.push(move_of(move))
        board.clear_stack()
        since = (*(state.since if board.halfmove_clock else ()), board.epd())
        return State(board, since, move, _reason(board, since))

    def result(self, state: State) -> Result | None:
        if not state.reason:
            return None
        return Result((1 - state.mover,) if state.reason == "checkmate" else (), state.reason)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        board = state.board
        pieces = tuple(
            Piece(chess.square_name(at), str(piece), int(not piece.color), 1, _figure(piece))
            for at, piece in board.piece_map().items()
        )
        told = (f"{self.info.seats[state.mover]} is in check.",) if board.is_check() else ()
        marks = tuple(_marks(state))
        return replace(GRID.diagram((), (), (), told), pieces=pieces, marks=marks)

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return an estimate: random games of chess say little about who is better."""
        white = worth_of_white(state.board, chance) if longest else 0.5
        return Playout((white, 1 - white), (set(), set()))

    def file_of(self, match: PlayedMatch) -> GameFile:
        """Return a match in the Portable Game Notation (Steven Edwards, 1994)."""
        game, (white, black) = chess.pgn.Game(), match.players
        result, date = _RESULTS[match.winners], f"{match.begun:%Y.%m.%d}"
        game.headers.update(Event=match.title, Date=date, White=white, Black=black, Result=result)
        game.add_line(map(move_of, match.turns))
        return GameFile("pgn", "application/vnd.chess-pgn", f"{game}\n")

    def dump(self, state: State) -> Mapping[str, Any]:
        return {
            "fen": state.board.fen(),
            "since": list(state.since),
            "last": state.last,
            "reason": state.reason,
        }

    def load(self, data: Mapping[str, Any]) -> State:
        return State(chess.Board(data["fen"]), tuple(data["since"]), data["last"], data["reason"])


def _reason(board: chess.Board, since: tuple[str, ...]) -> str:
    """Return why the game is over for the side to move, or ""; checkmate comes before a draw."""
    if not any(board.generate_legal_moves()):
        return "checkmate" if board.is_check() else "stalemate"
    if board.is_insufficient_material():
        return "material"
    if since.count(since[-1]) >= REPEATS:
        return "repetition"
    return "quiet" if board.halfmove_clock >= QUIET_PLIES else ""


def _figure(piece: chess.Piece) -> Figure:
    return Figure[chess.piece_name(piece.piece_type).upper()]


def _marks(state: State) -> Iterator[Mark]:
    """Yield the squares of the last move, and the king in checkmate with what attacks it."""
    board = state.board
    for name in filter(None, (state.last[:2], state.last[3:5])):
        yield Mark(name, MarkKind.LAST)
    if state.reason == "checkmate":
        king = board.kings & board.occupied_co[board.turn]
        for at in chess.SquareSet(board.checkers_mask() | king):
            yield Mark(chess.square_name(at), MarkKind.WINNING)


game = Chess()
