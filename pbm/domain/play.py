"""Steps in a match: pure functions from one match and position to the next."""

from collections.abc import Iterator
from dataclasses import field, replace
from datetime import datetime
from itertools import islice
from typing import Any, Protocol

from pbm.domain.errors import NotAllowed, NotNow, StaleMove
from pbm.domain.logs import EntryKind, Log, LogEntry, set_start
from pbm.domain.match import Ending, Match, Outcome, SealedChoice, seated
from pbm.domain.player import PlayerId
from pbm.engine import (
    SWAP,
    AnyGame,
    Draw,
    Position,
    Result,
    Seat,
    Turn,
    UnseenError,
    advance,
    counted,
    depart,
    frozen,
    is_swap,
    may_swap,
    replay,
    taken,
)
from pbm.engine.chance import unseen


@frozen
class Board:
    """A match together with its rules and its present position.

    `choosing` are the seats that may send a turn now, and `to_move` those of them that have not
    chosen yet: they have to. There are none once the match is over.
    """

    match: Match
    game: AnyGame
    position: Position[Any]
    choosing: tuple[Seat, ...] = field(init=False, compare=False, repr=False)
    to_move: tuple[Seat, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        seats = () if self.match.over else self.game.to_move(self.position.state)
        object.__setattr__(self, "choosing", seats)
        if chosen := self.match.sealed:
            seats = tuple([seat for seat in seats if seat not in chosen])
        object.__setattr__(self, "to_move", seats)

    @property
    def due(self) -> int:
        """The number of the ply that is due, counted from 1."""
        return self.position.ply + 1

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides by seat."""
        return self.game.sides(self.position.state)

    @property
    def may_swap(self) -> bool:
        """True while the player to move may use the pie rule."""
        return not self.match.over and may_swap(self.game, self.position)


class Turns(Protocol):
    """A board as far as clocks need it: a Board, or one as a reader sees it."""

    @property
    def match(self) -> Match:
        """The match."""

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that have to move."""


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
            past,
            log=Log(plies[:ply]),
            players=seated(past.starters, plies[:ply]),
            outcome=None,
            sealed={},
        )
    return Board(past, board.game, position)


def seat_of(board: Board, player: PlayerId) -> Seat:
    """Return the player's seat, the one to move if there are several; raise NotAllowed if none."""
    seats = board.match.seats_of(player)
    if not seats:
        raise NotAllowed(
            f"You do not play on board {board.match.number}.", f"show {board.match.number}"
        )
    return next(filter(board.to_move.__contains__, seats), seats[0])


def reading_seat(board: Board, player: PlayerId) -> Seat | None:
    """Return the seat as whose turn a text of `player` is read; None if nobody is to move.

    Where nothing is hidden, whoever is to move will do: the text is refused later.
    """
    seats = board.match.seats_of(player)
    own = [*filter(board.choosing.__contains__, seats)]
    others = seats if board.game.info.hidden else board.choosing
    return next(iter(own or others), None) if board.choosing else None


def check_open(board: Board) -> None:
    """Raise NotNow if the match is over."""
    if board.match.over:
        raise NotNow(f"Board {board.match.number} is over.", f"show {board.match.number}")


def play(
    board: Board,
    seat: Seat,
    text: str,
    *,
    due: int | None,
    comment: str,
    now: datetime,
    draw: Draw,
) -> Board:
    """Return the match after the turn `text` of `seat`, a swap included, and what is drawn then.

    It happens; `look` looks ahead. `due` is the ply that the player meant, if they or their reply
    token said so. Where several seats choose at a time, the turn is kept until all have chosen.
    Raises NotNow (not the player's turn, over), StaleMove, or the game's MoveError.
    """
    _check_turn(board, seat, due)
    if len(board.choosing) > 1:
        return _chosen(board, seat, text, comment, now, draw)
    position, turn = advance(board.game, board.position, seat, text, draw)
    return _taken(board, position, turn, text, comment, now)


def look(board: Board, seat: Seat, text: str, *, due: int | None = None) -> Board:
    """Return the match as it would be after a turn. Nothing happens, and nothing is drawn.

    Raises as `play` does, and NotNow where chance decides, or what is secret.
    """
    _check_turn(board, seat, due)
    if board.game.info.hidden:
        raise NotNow(
            f"In {board.game.info.title} something is hidden, so nobody can look ahead.",
            f"show {board.match.number}",
        )
    if len(board.choosing) > 1:
        raise NotNow(
            "All choose at the same time, and nobody can look ahead.", f"show {board.match.number}"
        )
    try:
        position, turn = advance(board.game, board.position, seat, text)
    except UnseenError as error:
        raise NotNow(
            "After that move chance decides, and nobody can look ahead so far.",
            f"show {board.match.number}",
        ) from error
    return _taken(board, position, turn, text, "", board.match.turn_since)


def _check_turn(board: Board, seat: Seat, due: int | None) -> None:
    """Raise NotNow unless it is the turn of `seat`, and StaleMove unless ply `due` is due."""
    check_open(board)
    check_ply_due(board, due)
    if seat not in board.choosing:
        sides = board.game.sides(board.position.state)
        whose = " and ".join(sides[seat] for seat in board.to_move)
        raise NotNow(
            f"It is not your turn on board {board.match.number}; move {board.due} is {whose}'s.",
            f"show {board.match.number}",
        )


def _taken(
    board: Board, position: Position[Any], turn: Turn, text: str, comment: str, now: datetime
) -> Board:
    """Return the match after a turn, which was typed as `text` and led to `position`."""
    seat = turn.seat
    swapped = board.game.info.swap_after is not None and turn.text == SWAP and is_swap(text)
    kind = EntryKind.SWAP if swapped else EntryKind.MOVE
    log = board.match.log.plus(LogEntry(kind, seat, turn.text, now, comment))
    match = _clock_started(board.match, now, log)
    if swapped:
        match = replace(match, players=match.seating(board.due))
    return _settled(Board(match, board.game, position), now)


def _chosen(board: Board, seat: Seat, text: str, comment: str, now: datetime, draw: Draw) -> Board:
    """Return the match after `seat` has chosen, perhaps again; once all have, it goes on.

    The words that were sent with an earlier choice stay.
    """
    _, notation, _ = taken(board.game, board.position, seat, text)
    sealed = dict(board.match.sealed)
    before = sealed.get(seat, SealedChoice("", now))
    words = "\n\n".join(filter(None, (before.comment, comment)))
    sealed[seat] = SealedChoice(notation, before.at, words)
    if len(sealed) < len(board.choosing):
        return replace(board, match=replace(board.match, sealed=sealed))
    position, log = board.position, board.match.log
    *_, last = sorted(sealed)
    for each, choice in sorted(sealed.items()):
        kind = EntryKind.MOVE if each == last else EntryKind.SEALED
        position, turn = advance(board.game, position, each, choice.text, draw)
        log = log.plus(LogEntry(kind, each, turn.text, choice.at, choice.comment))
    match = _clock_started(board.match, now, log)
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
    return replace(board, match=ended(board.match, outcome_by(result), now))


def outcome_by(result: Result) -> Outcome:
    """Return the outcome of a match that the rules end with this result."""
    outcome = Outcome(Ending.RULES, result.winners, result.reason, result.scores)
    return replace(outcome, places=result.places)


def resign(board: Board, seat: Seat, *, comment: str, now: datetime, draw: Draw = unseen) -> Board:
    """Return the match given up by `seat`, in or out of turn.

    Before the seat's first move this declines the match, which ends without a result. Of three or
    more, the others go on.
    """
    check_open(board)
    moved = any(entry.seat == seat for entry in board.match.plies)
    after = with_entry(board, LogEntry(EntryKind.RESIGN, seat, "", now, comment))
    if not moved:
        return replace(after, match=ended(after.match, Outcome(Ending.DECLINED), now))
    return left(after, seat, Ending.RESIGNED, now, draw)


def left(board: Board, seat: Seat, ending: Ending, now: datetime, draw: Draw) -> Board:
    """Return the match without the player at `seat`: the last one who stays wins by `ending`.

    Raises NotNow if they have left before.
    """
    match, gone = board.match, board.match.gone
    if seat in gone:
        raise NotNow(f"You have left board {match.number}.", f"show {match.number}")
    staying = tuple(s for s in range(len(match.players)) if s != seat and s not in gone)
    found = depart(board.game, board.position, seat, draw) if len(staying) > 1 else None
    if found is None:
        outcome = Outcome(ending, staying, places=places_by_leaving(match, seat))
        if len(staying) > 1:
            outcome = Outcome(Ending.ABANDONED)
        return replace(board, match=ended(match, outcome, now))
    position, turn = found
    match = _clock_started(
        match, now, match.log.plus(LogEntry(EntryKind.LEAVE, seat, turn.text, now))
    )
    return _settled(Board(match, board.game, position), now)


def places_by_leaving(match: Match, *last: Seat) -> tuple[int, ...] | None:
    """Return the places of a match of several in which all who stay tie; `last` leave just now.

    Who has left first is behind all others.
    """
    seats = range(len(match.players))
    left = [*(entry.seat for entry in match.plies if entry.kind is EntryKind.LEAVE), *last]
    if len(seats) == 2 or not left:
        return None
    return tuple(len(seats) - left.index(seat) if seat in left else 1 for seat in seats)


def undo(
    board: Board, *, plies: int = 1, by: Seat | None = None, comment: str = "", now: datetime
) -> Board:
    """Return the match with its last `plies`, and any outcome, taken back; by replay.

    `by` is the seat that has asked for it, None for the operator. Players who exchanged seats in
    one of these plies get their old seats back; of plies that were revealed together, none stays.
    Raises NotNow if there are fewer plies.
    """
    standing = len(board.match.plies)
    if standing < plies:
        raise NotNow(f"Board {board.match.number} has no move to take back.")
    plies = standing - set_start(board.match.plies, standing - plies)
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
    return replace(match, outcome=outcome, ended_at=now, sealed={})


def with_entry(board: Board, entry: LogEntry) -> Board:
    """Return the match with one more log entry, not a ply; position and clock stay."""
    return replace(board, match=_append(board.match, entry))


def _clock_started(match: Match, now: datetime, log: Log) -> Match:
    """Return `match` with this log, a new turn's clock running, no reminder and no choice yet."""
    return replace(match, log=log, turn_since=now, reminded={}, sealed={})


def _append(match: Match, entry: LogEntry) -> Match:
    return replace(match, log=match.log.plus(entry))


def chat(board: Board, player: PlayerId, *, comment: str, now: datetime) -> Board:
    """Return the match with a chat of a player."""
    seat = board.match.seats_of(player)[0]
    return with_entry(board, LogEntry(EntryKind.CHAT, seat, "", now, comment))
