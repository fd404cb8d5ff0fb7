"""The log of a match: its truth, of which a move needs only the end.

A match of 2,000 plies is played as quickly as a new one, because what happened long ago is only
read when somebody asks for it: to show all moves, to find an earlier position.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import overload

from pbm.engine import Seat, frozen


class EntryKind(StrEnum):
    """The kinds of entries in a log. Moves, sealed ones too, and swaps are plies."""

    MOVE = "move"
    SEALED = "sealed"  # a move that was kept secret until all had chosen; a MOVE ends their set
    SWAP = "swap"
    LEAVE = "leave"  # of three or more seats one is empty from now on
    RESIGN = "resign"
    UNDO = "undo"
    ADJUDICATE = "adjudicate"
    OFFER = "offer"
    ACCEPT = "accept"
    REJECT = "reject"
    CHAT = "chat"
    FORFEIT = "forfeit"  # of the seat whose time has run out
    EXTEND = "extend"  # by the operator or another player, by as many days as `text` says
    PAUSE = "pause"  # by the operator, or by all players for as many days as `text` says
    RESUME = "resume"


PLIES = (EntryKind.MOVE, EntryKind.SEALED, EntryKind.SWAP, EntryKind.LEAVE)
"""The kinds of entries that are plies. (Python hashes a member of an enumeration slowly.)"""

LAST_PLIES = 8
"""Plies at the end of a log that are always at hand; a mail shows the last six."""

_LASTING = (EntryKind.PAUSE, EntryKind.RESUME, EntryKind.EXTEND)
"""Changes to a clock, which count for the rest of the match and are always at hand."""


@frozen
class LogEntry:
    """One thing that happened in a match.

    `seat` None is the operator, or a follower in a chat: earlier versions let them. `text` is the
    canonical notation of a move, the count of plies taken back by an undo (0 if it takes back the
    end of the match alone), "draw", "undo" or "pause 5" for what is offered, the days by which a
    deadline is extended or for which players stop the clock, the userid of a follower who chats,
    and otherwise "".
    `comment` is the talk of the players.
    """

    kind: EntryKind
    seat: Seat | None
    text: str
    at: datetime
    comment: str = ""


@frozen
class Earlier:
    """The part of a log before the entries that are at hand.

    It has `entries` entries, among them `plies` plies that were not taken back and `undos` undos.
    `read` returns the entries.
    """

    entries: int = 0
    plies: int = 0
    undos: int = 0
    read: Callable[[], tuple[LogEntry, ...]] = tuple


_NOTHING = Earlier()


class Log(Sequence[LogEntry]):
    """The entries of a match in their order; those at the beginning are read on first use.

    A value: what is done in a match makes a new log.
    """

    def __init__(self, recent: Iterable[LogEntry] = (), earlier: Earlier = _NOTHING) -> None:
        self.recent = tuple(recent)
        self.earlier = earlier
        self.undos = earlier.undos + _undos_in(self.recent)
        """The number of undos."""
        self._valid = valid_plies(self.recent)
        """The plies at hand that no undo has taken back."""

    def plus(self, entry: LogEntry) -> "Log":
        """Return the log with one entry more.

        An undo that reaches back to plies that are not at hand puts all at hand. So the entries at
        hand always show which plies count.
        """
        if entry.kind is EntryKind.UNDO and int(entry.text) > len(self._valid):
            return Log((*self._all, entry))
        return Log((*self.recent, entry), self.earlier)

    def since(self, start: int) -> tuple[LogEntry, ...]:
        """Return the entries from position `start` on."""
        known = start - self.earlier.entries
        return self.recent[known:] if known >= 0 else self._all[start:]

    @property
    def ply(self) -> int:
        """The number of plies that no undo has taken back."""
        return self.earlier.plies + len(self._valid)

    @property
    def plies(self) -> tuple[LogEntry, ...]:
        """The moves and swaps that no undo has taken back."""
        return self._valid if not self.earlier.entries else valid_plies(self._all)

    def last_plies(self, count: int) -> tuple[LogEntry, ...]:
        """Return the last `count` plies that no undo has taken back, or all if there are fewer."""
        enough = len(self._valid) >= min(count, self.ply)
        plies = self._valid if enough else self.plies
        return plies[max(0, len(plies) - count) :]

    def continues(self, other: "Log") -> bool:
        """Return whether this is `other`, perhaps with more entries at the end."""
        if self.earlier.entries == other.earlier.entries:
            return self.recent[: len(other.recent)] == other.recent
        return self._all[: len(other)] == tuple(other)

    def shortened(self) -> "Log":
        """Return the log with as little at hand as the next moves need.

        These are the last plies with all that comes after them, what the operator did to the clock,
        and an offer that may still be open.
        """
        start = _needed_from(self.recent)
        if start is None and self.earlier.entries:
            return Log(self._all).shortened()
        if not start:
            return self
        gone = self.recent[:start]
        before = Earlier(
            self.earlier.entries + start,
            self.earlier.plies + len(valid_plies(gone)),
            self.earlier.undos + _undos_in(gone),
            lambda: self._all[: self.earlier.entries + start],
        )
        return Log(self.recent[start:], before)

    @cached_property
    def _all(self) -> tuple[LogEntry, ...]:
        if not self.earlier.entries:
            return self.recent
        return (*self.earlier.read(), *self.recent)

    def __len__(self) -> int:
        return self.earlier.entries + len(self.recent)

    @overload
    def __getitem__(self, place: int) -> LogEntry: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[LogEntry, ...]: ...
    def __getitem__(self, place: int | slice) -> LogEntry | tuple[LogEntry, ...]:
        if isinstance(place, int):
            known = place if place < 0 else place - self.earlier.entries
            if -len(self.recent) <= known < len(self.recent) and (place < 0 or known >= 0):
                return self.recent[known]
        return self._all[place]

    def __iter__(self) -> Iterator[LogEntry]:
        return iter(self._all)

    def __reversed__(self) -> Iterator[LogEntry]:
        yield from reversed(self.recent)
        if self.earlier.entries:
            yield from reversed(self._all[: self.earlier.entries])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Log):
            return len(self) == len(other) and self.continues(other)
        return tuple(self) == other

    def __hash__(self) -> int:
        return hash((len(self), self.recent[-1:]))

    def __repr__(self) -> str:
        return f"Log({self.recent!r}, {self.earlier!r})"


def _undos_in(entries: Iterable[LogEntry]) -> int:
    return len([entry for entry in entries if entry.kind is EntryKind.UNDO])


def valid_plies(entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """Return the moves and swaps among these entries of a log that no undo has taken back."""
    if not _undos_in(entries):
        return tuple([entry for entry in entries if entry.kind in PLIES])
    kept: list[LogEntry] = []
    for entry in entries:
        keep(kept, entry)
    return tuple(kept)


def keep(kept: list[LogEntry], entry: LogEntry) -> None:
    """Add a ply to those that are kept, or remove those that an undo takes back."""
    if entry.kind in PLIES:
        kept.append(entry)
    elif entry.kind is EntryKind.UNDO:
        del kept[max(0, len(kept) - int(entry.text)) :]


def set_start(plies: Sequence[LogEntry], place: int) -> int:
    """Return the place of the first ply that was revealed together with the one at `place`."""
    while place > 0 and plies[place - 1].kind is EntryKind.SEALED:
        place -= 1
    return place


def _needed_from(entries: Sequence[LogEntry]) -> int | None:
    """Return the place in `entries` from which on they are needed for the next moves.

    Return None if these are too few, because an older pbm may have cut them off.
    """
    plies: list[int] = []
    for place in range(len(entries) - 1, -1, -1):
        entry = entries[place]
        if entry.kind is EntryKind.UNDO:
            return 0
        if entry.kind in PLIES:
            plies.append(place)
        if len(plies) == LAST_PLIES:
            break
    else:
        return 0
    lasting = (n for n, entry in enumerate(entries) if entry.kind in _LASTING)
    start = min(plies[-1], next(lasting, len(entries)), _open_offer(entries))
    return _with_what_undos_take_back(entries, start)


def _open_offer(entries: Sequence[LogEntry]) -> int:
    """Return the place of the ply before the last offer if it may be open, else `len(entries)`.

    It is open while only those move who agree to it. A swap after it needs the ply before it.
    """
    willing, movers = set[Seat | None](), set[Seat | None]()
    for place in range(len(entries) - 1, -1, -1):
        entry = entries[place]
        if entry.kind in (EntryKind.REJECT, EntryKind.UNDO):
            break
        if entry.kind in PLIES:
            movers.add(entry.seat)
        elif entry.kind is EntryKind.ACCEPT:
            willing.add(entry.seat)
        elif entry.kind is EntryKind.OFFER and movers <= {*willing, entry.seat}:
            before = (n for n in range(place, -1, -1) if entries[n].kind in PLIES)
            return next(before, place)
        elif entry.kind is EntryKind.OFFER:
            break
    return len(entries)


def _with_what_undos_take_back(entries: Sequence[LogEntry], start: int) -> int | None:
    """Return the last place, at most `start`, from which no undo reaches further back.

    Return None if an undo reaches back beyond the first entry.

    An undo counts plies back from its own place. A ply that it takes back but that is not at hand
    would seem to be kept.
    """
    kept = missing = 0
    for entry in entries[start:]:
        if entry.kind in PLIES:
            kept += 1
        elif entry.kind is EntryKind.UNDO:
            missing += max(0, int(entry.text) - kept)
            kept = max(0, kept - int(entry.text))
    if not missing:
        return start
    before = valid_plies(entries[:start])
    if missing > len(before):
        return None
    return next(place for place, entry in enumerate(entries) if entry is before[-missing])
