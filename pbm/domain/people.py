"""Who said what at a board, for those who do not want to hear it and for those who complain."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from pbm.domain.logs import Entry, EntryKind, Log, keep
from pbm.domain.match import Match, seated
from pbm.domain.player import People, fold_userid

MOST_BLOCKED = 200
"""Players that one player can block, and boards that they can mute."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words that `by`, a userid, wrote on board `number`."""

    by: str
    number: int
    at: datetime
    text: str


def words_of(match: Match, people: People) -> tuple[Said, ...]:
    """Return what was said at the board, the oldest first; `people` have all who had a seat."""
    return tuple(
        Said(by, match.number, entry.at, entry.comment)
        for entry, by in _authors(match, people)
        if entry.comment
    )


def without_words_of(match: Match, people: People, silent: Collection[str]) -> Match:
    """Return the match without what the userids `silent` said in it; what they did stays."""
    folded = set(map(fold_userid, silent))
    log = Log(
        replace(entry, comment="") if fold_userid(by) in folded else entry
        for entry, by in _authors(match, people)
    )
    return replace(match, log=log)


def _authors(match: Match, people: People) -> Iterator[tuple[Entry, str]]:
    """Yield each entry of the log with the userid of whoever made it, "" for the operator.

    A swap is made from the seat that its player had before it.
    """
    kept: list[Entry] = []
    players = match.starters
    for entry in match.log:
        if entry.seat is not None:
            yield entry, people[players[entry.seat]].userid
        else:
            yield entry, entry.text if entry.kind is EntryKind.CHAT else ""
        keep(kept, entry)
        if entry.kind in (EntryKind.SWAP, EntryKind.UNDO):
            players = seated(match.starters, kept)
