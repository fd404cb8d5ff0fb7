"""What is said at a board: kept in the log, and no ply."""

from datetime import datetime

from pbm.domain.match import Entry, EntryKind
from pbm.domain.player import PlayerId
from pbm.domain.playing import LiveMatch, with_entry


def chat(
    table: LiveMatch, player: PlayerId, userid: str, *, comment: str, now: datetime
) -> LiveMatch:
    """Return the match with what a player or follower said; `text` names one without a seat."""
    seats = table.match.seats_of(player)
    seat = seats[0] if seats else None
    entry = Entry(EntryKind.CHAT, seat, "" if seats else userid, now, comment)
    return with_entry(table, entry)
