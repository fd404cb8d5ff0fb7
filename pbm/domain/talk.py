"""Who said what at a board. A seat alone does not show it, because the pie rule exchanges seats."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from pbm.domain.logs import Entry, EntryKind, Log, keep
from pbm.domain.match import Match, seated
from pbm.domain.player import People, PlayerId, fold_userid

MOST_BLOCKED = 200
"""The most players that one player can block."""


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
        Said(_userid(entry, player, people), match.number, entry.at, entry.comment)
        for entry, player in _authors(match)
        if entry.comment
    )


def comments_of(match: Match, player: PlayerId) -> dict[int, Entry]:
    """Return the entries of the log, by position, in which `player` says something."""
    authors = enumerate(_authors(match))
    return {at: entry for at, (entry, author) in authors if entry.comment and author == player}


def without_words_of(match: Match, people: People, silent: Collection[str]) -> Match:
    """Return the match without the words of the userids `silent`; what they did stays."""
    folded = set(map(fold_userid, silent))
    log = Log(
        replace(entry, comment="")
        if fold_userid(_userid(entry, player, people)) in folded
        else entry
        for entry, player in _authors(match)
    )
    return replace(match, log=log)


def _userid(entry: Entry, player: PlayerId | None, people: People) -> str:
    """Return the userid of the author of an entry, or "" for the operator."""
    if player is not None:
        return people[player].userid
    return entry.text if entry.kind is EntryKind.CHAT else ""


def _authors(match: Match) -> Iterator[tuple[Entry, PlayerId | None]]:
    """Yield each entry of the log with its player, or None for a follower or the operator.

    A swap is made from the seat that its player had before it.
    """
    kept: list[Entry] = []
    players = match.starters
    for entry in match.log:
        yield entry, None if entry.seat is None else players[entry.seat]
        keep(kept, entry)
        if entry.kind in (EntryKind.SWAP, EntryKind.UNDO):
            players = seated(match.starters, kept)
