"""Who said what in a match: a seat alone does not tell, because the pie rule changes seats."""

from pbm.domain.logs import Entry, EntryKind, keep
from pbm.domain.match import Match, seated
from pbm.domain.player import PlayerId

_RESEATING = frozenset({EntryKind.SWAP, EntryKind.UNDO})


def comments_of(match: Match, player: PlayerId) -> dict[int, Entry]:
    """Return the entries of the log, by position, in which `player` says something."""
    kept: list[Entry] = []
    seats, said = match.starters, {}
    for position, entry in enumerate(match.log):
        if entry.comment and entry.seat is not None and seats[entry.seat] == player:
            said[position] = entry
        keep(kept, entry)
        if entry.kind in _RESEATING:
            seats = seated(match.starters, kept)
    return said
