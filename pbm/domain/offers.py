"""Offers between players: a draw, a move taken back, a pause; pure steps as in pbm.domain.play.

An offer is agreed to once every other player has said yes, and off once one of them says no. Until
then it is open, unless somebody moves who has not agreed, moves are taken back, or somebody leaves.
The offerer's own move leaves it open, so that an offer can go with a move. An offer is not a turn:
the clock of the player to move runs on.
"""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from pbm.domain.errors import NotNow, StaleMove
from pbm.domain.logs import PLIES, EntryKind, LogEntry, keep, set_start
from pbm.domain.match import Ending, Match, Outcome
from pbm.domain.play import Board, check_open, ended, places_by_leaving, undo, with_entry
from pbm.engine import Seat, frozen, listing, spoken


class OfferKind(StrEnum):
    """The kinds of offers; the value begins the text of the entry in the log."""

    DRAW = "draw"
    UNDO = "undo"
    PAUSE = "pause"  # and the number of days


@frozen
class Offer:
    """An open offer: the present seat of its player, and the ply that was due when it was made.

    `agreed` are the seats of the players who have said yes so far, in that order. `days` is the
    length of a pause.
    """

    kind: OfferKind
    seat: Seat
    due: int
    agreed: tuple[Seat, ...] = ()
    days: int = 0

    @property
    def text(self) -> str:
        """The text of its entry in the log."""
        return f"{self.kind} {self.days}" if self.days else self.kind.value

    @property
    def willing(self) -> tuple[Seat, ...]:
        """The seats that want it: the offerer's, and those that have agreed."""
        return (self.seat, *self.agreed)


def read_offer(text: str, seat: Seat, due: int) -> Offer:
    """Return the offer of an entry in the log; raise ValueError for a text that is none."""
    kind, _, days = text.partition(" ")
    return Offer(OfferKind(kind), seat, due, days=int(days or 0))


def open_offer(match: Match) -> Offer | None:
    """Return the open offer, or None if there is none or the match is over."""
    log = match.log
    if match.over or all(entry.kind is not EntryKind.OFFER for entry in log.recent):
        return None
    offer: Offer | None = None
    # An open offer and the plies since then are always at hand.
    before, kept = log.earlier.plies, list[LogEntry]()
    for entry in log.recent:
        if entry.kind is EntryKind.OFFER and entry.seat is not None:
            offer = read_offer(entry.text, entry.seat, before + len(kept) + 1)
        elif entry.kind in (EntryKind.REJECT, EntryKind.UNDO, EntryKind.LEAVE):
            offer = None
        elif entry.kind is EntryKind.ACCEPT and offer and entry.seat is not None:
            offer = replace(offer, agreed=(*offer.agreed, entry.seat))
        elif entry.kind in PLIES and offer:
            offer = _after_ply(offer, entry, kept[-1].seat if kept else None)
        keep(kept, entry)
    return offer if offer and still_asked(match, offer) else None


def _after_ply(offer: Offer, entry: LogEntry, before: Seat | None) -> Offer | None:
    """Return an offer after a ply, or None if it ends; by the pie rule its player changes seats."""
    own = entry.seat
    if own is None or own not in offer.willing:
        return None
    if entry.kind is not EntryKind.SWAP or before is None:
        return offer
    now = {own: before, before: own}
    seat, *agreed = [now.get(seat, seat) for seat in offer.willing]
    return replace(offer, seat=seat, agreed=tuple(agreed))


def still_asked(match: Match, offer: Offer) -> tuple[Seat, ...]:
    """Return the seats of the players who have yet to answer an open offer."""
    willing = {match.players[seat] for seat in offer.willing}
    here = ((seat, p) for seat, p in enumerate(match.players) if seat not in match.gone)
    return tuple([seat for seat, player in here if player not in willing])


def plies_of_undo(match: Match, seat: Seat) -> int:
    """Return the number of plies that an undo by the player at `seat` takes back, or 0."""
    plies, player = match.plies, match.players[seat]
    for ply in range(len(plies) - 1, -1, -1):
        mover = plies[ply].seat
        if mover is not None and match.seating(ply)[mover] == player:
            return len(plies) - set_start(plies, ply)
    return 0


def moves_of_undo(match: Match, seat: Seat) -> tuple[str, ...]:
    """Return the moves that go if `seat` takes its last one back, as they are told to all."""
    plies = match.plies
    gone = plies[len(plies) - plies_of_undo(match, seat) :]
    return tuple(spoken(entry.text)[1] for entry in gone)


def offer(
    board: Board, seat: Seat, kind: OfferKind, *, days: int = 0, comment: str, now: datetime
) -> Board:
    """Return the match with an open offer by `seat`, of a pause of so many `days` for one.

    Raises NotNow if the match is over, an offer is already open, or there is no move to take back.
    """
    check_open(board)
    number = board.match.number
    offered = open_offer(board.match)
    if offered and offered.seat != seat:
        raise NotNow("The other player has made an offer: accept or reject that first.", "accept")
    if offered and offered.kind is kind:
        raise NotNow("You have offered that already; it waits for an answer.", f"show {number}")
    if kind is OfferKind.UNDO and not plies_of_undo(board.match, seat):
        raise NotNow(f"You have no move on board {number} to take back.", f"show {number}")
    if seat in board.match.gone:
        raise NotNow(f"You have left board {number}.", f"show {number}")
    gone = board.match.plies[-plies_of_undo(board.match, seat) :]
    if kind is OfferKind.UNDO and any(entry.kind is EntryKind.LEAVE for entry in gone):
        raise NotNow("Somebody has left since your last move, so it stays.", f"show {number}")
    made = Offer(kind, seat, board.due, days=days)
    return with_entry(board, LogEntry(EntryKind.OFFER, seat, made.text, now, comment))


def accept(board: Board, seat: Seat, *, seen: int | None, comment: str, now: datetime) -> Board:
    """Return the match after `seat` accepts the open offer.

    Once everybody has agreed it is a draw, moves are taken back, or the clock is stopped; before,
    the offer stays open.
    `seen` is the ply that was due in the mail replied to, so that an old mail cannot answer a
    new offer. Raises NotNow if no offer waits for this seat, StaleMove if the mail is too old.
    """
    offered = _answerable(board, seat, seen)
    asked = still_asked(board.match, offered)
    if seat not in asked:
        sides = board.game.sides(board.position.state)
        others = listing(sides[seat] for seat in asked)
        raise NotNow(
            f"You have agreed to that already; {others} has yet to answer.",
            f"show {board.match.number}",
        )
    entry = LogEntry(EntryKind.ACCEPT, seat, offered.kind.value, now, comment)
    agreed = with_entry(board, entry)
    if open_offer(agreed.match):
        return agreed
    if offered.kind is OfferKind.UNDO:
        plies = plies_of_undo(board.match, offered.seat)
        return undo(agreed, plies=plies, by=offered.seat, now=now)
    if offered.kind is OfferKind.PAUSE:
        return with_entry(agreed, LogEntry(EntryKind.PAUSE, seat, str(offered.days), now))
    outcome = Outcome(Ending.AGREED, places=places_by_leaving(board.match))
    return replace(agreed, match=ended(agreed.match, outcome, now))


def reject(board: Board, seat: Seat, *, seen: int | None, comment: str, now: datetime) -> Board:
    """Return the match after `seat` rejects the open offer, or no longer agrees to it.

    Raises as `accept` does.
    """
    offered = _answerable(board, seat, seen)
    return with_entry(board, LogEntry(EntryKind.REJECT, seat, offered.kind.value, now, comment))


def _answerable(board: Board, seat: Seat, seen: int | None) -> Offer:
    check_open(board)
    number = board.match.number
    offered = open_offer(board.match)
    if offered is None or offered.seat == seat:
        raise NotNow(f"Nothing is offered to you on board {number}.", f"show {number}")
    if seen is not None and seen < offered.due:
        raise StaleMove(
            "You answered a mail that is older than the offer. Answer this one.", "accept"
        )
    return offered
