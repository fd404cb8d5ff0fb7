"""Steps in a match: pure functions from one match and position to the next."""

from collections.abc import Iterator
from dataclasses import field, replace
from datetime import datetime
from itertools import islice
from typing import Any

from pbm.domain.errors import NotAllowed, NotNow, StaleMove
from pbm.domain.logs import EntryKind, Log, LogEntry
from pbm.domain.match import Ending, Match, Outcome, seated
from pbm.domain.player import PlayerId
from pbm.engine import (
    SWAP,
    AnyGame,
    Position,
    Seat,
    advance,
    counted,
    frozen,
    is_swap,
    may_swap,
    replay,
)


@frozen
class Board:
    """A match together with its rules and its present position.

    `to_move` are the seats that may move now; there are none once the match is over.
    """

    match: Match
    game: AnyGame
    position: Position[Any]
    to_move: tuple[Seat, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        seats = () if self.match.over else self.game.to_move(self.position.state)
        object.__setattr__(self, "to_move", seats)

    @property
    def due(self) -> int:
        """The number of the ply that is due, counted from 1."""
        return self.position.ply + 1

    @property
    def may_swap(self) -> bool:
        """True while the player to move may use the pie rule."""
        return not self.match.over and may_swap(self.game, self.position)


def live(match: Match, game: AnyGame) -> Board:
    """Return `match` at its present position, found by replay of its log."""
    *_, position = replay(game, match.setup, match.turns)
    return Board(match, game, position)


def position_at(board: Board, ply: int) -> Board:
    """Return the match after `ply` plies, without its outcome; raise NotNow if there are fewer."""
    check_ply(board, ply)
    *_, position = islice(positions(board), ply + 1)
    return match_at(board, position)


def check_ply(board: Board, ply: int) -> None:
    """Raise NotNow if fewer than `ply` plies have been played."""
    played = board.match.log.ply
    if not 0 <= ply <= played:
        raise NotNow(
            f"Board {board.match.number} has {counted(played, 'move')} so far.",
            f"show {board.match.number}#{played}",
        )


def positions(board: Board) -> Iterator[Position[Any]]:
    """Yield the positions of the match at ply 0, 1, 2, ..., each replayed when it is asked for."""
    return replay(board.game, board.match.setup, board.match.turns)


def match_at(board: Board, position: Position[Any]) -> Board:
    """Return the match as it was at `position`, without its outcome if it went on."""
    past, plies, ply = board.match, board.match.plies, position.ply
    if ply < len(plies):
        past = replace(
            past, log=Log(plies[:ply]), players=seated(past.starters, plies[:ply]), outcome=None
        )
    return Board(past, board.game, position)


def example_move(board: Board) -> str:
    """Return a legal move, to show the notation, or "" if nobody is to move.

    It comes from a little way down the list, so that it is neither the first corner of the
    board nor the same at every ply, and does not cost the whole list.
    """
    for seat in board.to_move:
        moves = list(islice(board.game.legal_moves(board.position.state, seat), 5 + board.due % 20))
        return str(moves[-1])
    return ""


def seat_of(board: Board, player: PlayerId) -> Seat:
    """Return the player's seat, the one to move if there are several; raise NotAllowed if none."""
    seats = board.match.seats_of(player)
    if not seats:
        raise NotAllowed(
            f"You do not play on board {board.match.number}.", f"show {board.match.number}"
        )
    return next(filter(board.to_move.__contains__, seats), seats[0])


def check_open(board: Board) -> None:
    """Raise NotNow if the match is over."""
    if board.match.over:
        raise NotNow(f"Board {board.match.number} is over.", f"show {board.match.number}")


def play(
    board: Board, seat: Seat, text: str, *, due: int | None, comment: str, now: datetime
) -> Board:
    """Return the match after the turn `text` of `seat`, a swap included.

    `due` is the ply that the player meant, if they or their reply token said so. Raises NotNow
    (not the player's turn, over), StaleMove, or the game's MoveError.
    """
    check_open(board)
    check_ply_due(board, due)
    if seat not in board.to_move:
        sides = board.game.sides(board.position.state)
        whose = " and ".join(sides[seat] for seat in board.to_move)
        raise NotNow(
            f"It is not your turn on board {board.match.number}; move {board.due} is {whose}'s.",
            f"show {board.match.number}",
        )
    position, turn = advance(board.game, board.position, seat, text)
    swapped = board.game.info.swap_after is not None and turn.text == SWAP and is_swap(text)
    kind = EntryKind.SWAP if swapped else EntryKind.MOVE
    log = board.match.log.plus(LogEntry(kind, seat, turn.text, now, comment))
    match = _clock_started(board.match, now, log)
    if swapped:
        match = replace(match, players=match.seating(board.due))
    return _settled(Board(match, board.game, position), now)


def check_ply_due(board: Board, due: int | None) -> None:
    """Raise StaleMove if a turn was meant for another ply than the one that is due."""
    if due is not None and due != board.due:
        raise StaleMove(
            f"That was meant as move {due} of board {board.match.number}, "
            f"but move {board.due} is due.",
            f"show {board.match.number}",
        )


def _settled(board: Board, now: datetime) -> Board:
    """Return the match with its outcome if the rules have ended it."""
    result = board.game.result(board.position.state)
    if result is None:
        return board
    outcome = Outcome(Ending.RULES, result.winners, result.reason, result.scores)
    return replace(board, match=ended(board.match, outcome, now))


def resign(board: Board, seat: Seat, *, comment: str, now: datetime) -> Board:
    """Return the match given up by `seat`, in or out of turn.

    Before the seat's first move this declines the match, which ends without a result.
    """
    check_open(board)
    moved = any(entry.seat == seat for entry in board.match.plies)
    others = tuple(s for s in range(len(board.match.players)) if s != seat)
    outcome = Outcome(Ending.RESIGNED, others) if moved else Outcome(Ending.DECLINED)
    match = _append(board.match, LogEntry(EntryKind.RESIGN, seat, "", now, comment))
    return replace(board, match=ended(match, outcome, now))


def undo(
    board: Board, *, plies: int = 1, by: Seat | None = None, comment: str = "", now: datetime
) -> Board:
    """Return the match with its last `plies`, and any outcome, taken back; by replay.

    `by` is the seat that has asked for it, None for the operator. Players who exchanged seats in
    one of these plies get their old seats back. Raises NotNow if there are fewer plies.
    """
    standing = len(board.match.plies)
    if standing < plies:
        raise NotNow(f"Board {board.match.number} has no move to take back.")
    match = _append(board.match, LogEntry(EntryKind.UNDO, by, str(plies), now, comment))
    players = match.seating(standing - plies)
    match = replace(match, players=players, outcome=None, ended_at=None)
    return live(_clock_started(match, now, match.log), board.game)


def reopen(board: Board, *, comment: str = "", now: datetime) -> Board:
    """Return a match that is over and goes on, because the operator takes its end back.

    All plies stay, so this is not for one that the rules have ended: see `undo`.
    """
    match = _append(board.match, LogEntry(EntryKind.UNDO, None, "0", now, comment))
    match = replace(match, outcome=None, ended_at=None)
    return replace(board, match=_clock_started(match, now, match.log))


def adjudicate(board: Board, outcome: Outcome, *, comment: str = "", now: datetime) -> Board:
    """Return the match ended with `outcome` by the operator, who says why in the `comment`."""
    check_open(board)
    match = _append(board.match, LogEntry(EntryKind.ADJUDICATE, None, "", now, comment))
    return replace(board, match=ended(match, outcome, now))


def ended(match: Match, outcome: Outcome, now: datetime) -> Match:
    """Return `match` with its outcome."""
    return replace(match, outcome=outcome, ended_at=now)


def with_entry(board: Board, entry: LogEntry) -> Board:
    """Return the match with one more log entry, not a ply; position and clock stay."""
    return replace(board, match=_append(board.match, entry))


def _clock_started(match: Match, now: datetime, log: Log) -> Match:
    """Return `match` with this log, a new turn's clock running, and no reminder of it yet."""
    return replace(match, log=log, turn_since=now, reminded={})


def _append(match: Match, entry: LogEntry) -> Match:
    return replace(match, log=match.log.plus(entry))


def chat(board: Board, player: PlayerId, *, comment: str, now: datetime) -> Board:
    """Return the match with a chat of a player."""
    seat = board.match.seats_of(player)[0]
    return with_entry(board, LogEntry(EntryKind.CHAT, seat, "", now, comment))
