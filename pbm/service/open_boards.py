"""The open boards of a player: those that wait for the player, and the opponents there."""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbm.domain.errors import Refusal
from pbm.domain.match import Match
from pbm.domain.play import LiveMatch
from pbm.domain.player import People, Player
from pbm.domain.timekeeping import time_ends_at
from pbm.engine import Seat
from pbm.service.budget import ENTRY_TIMED
from pbm.service.context import Context
from pbm.service.ports import MatchRow

MOST_TOLD = 30
"""Boards that wait for a player and are told of in one mail; for the others there is a list."""

_ALL = 1_000_000

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The boards that wait for a player, the most urgent first, and how many `more` do.

    `people` are those who play there.
    """

    boards: tuple[LiveMatch, ...] = ()
    more: int = 0
    people: People = field(default_factory=dict)


def waiting(context: Context, player: Player) -> Waiting:
    """Return the boards that wait for `player`, at most MOST_TOLD of them."""
    boards = waiting_boards(context, player, MOST_TOLD)
    people = context.people({p for board in boards for p in board.match.players})
    if len(boards) < MOST_TOLD:
        return Waiting(boards, 0, people)
    in_all = context.work.matches.count(None, [player.id], over=False, to_move=True)
    return Waiting(boards, in_all - len(boards), people)


def waiting_boards(context: Context, player: Player, most: int) -> tuple[LiveMatch, ...]:
    """Return the boards where `player` is to move, the most urgent first.

    Boards whose clock stands with no known end come last. Only the first `most` boards by number
    are looked at.
    """
    boards: list[LiveMatch] = []
    for row in _rows(context, player, to_move=True, most=most):
        with suppress(Refusal):  # a game that is no longer installed
            boards.append(context.boards.get(row.number))
    return tuple(sorted(boards, key=lambda t: time_ends_at(t.match, player.id) or _NEVER))


def deadlines_of(context: Context, rows: Iterable[MatchRow]) -> dict[int, datetime | None]:
    """Return when the time of the players to move is over, by board; None if a clock stands.

    Boards that are over are left out.
    """
    going_on = [row for row in rows if not row.over]
    matches = context.work.matches.clocks([row.number for row in going_on])
    context.budget.note(ENTRY_TIMED * sum(len(match.log) for match in matches.values()))
    return {row.number: _deadline(matches[row.number], row.to_move) for row in going_on}


def _deadline(match: Match, to_move: Iterable[Seat]) -> datetime | None:
    ends = [time_ends_at(match, match.players[seat]) for seat in to_move]
    return min((end for end in ends if end is not None), default=None)


def most_urgent_first(
    rows: Iterable[MatchRow], userids: Container[str], deadlines: Mapping[int, datetime | None]
) -> tuple[MatchRow, ...]:
    """Return the boards where one of `userids` is to move, others, and those that are over.

    Each in the order of their deadlines.
    """

    def urgency(row: MatchRow) -> tuple[bool, bool, datetime]:
        theirs = any(row.players[seat] in userids for seat in row.to_move)
        return row.over, not theirs, deadlines.get(row.number) or _NEVER

    return tuple(sorted(rows, key=urgency))


def opponents(context: Context, player: Player) -> Iterator[tuple[Player, tuple[int, ...]]]:
    """Yield each active player who has open boards with `player`, and their numbers."""
    boards: dict[str, list[int]] = {}
    for row in _rows(context, player, to_move=False, most=_ALL):
        for userid in dict.fromkeys(row.players):
            boards.setdefault(userid, []).append(row.number)
    for userid, numbers in boards.items():
        other = context.work.players.by_userid(userid)
        if other is not None and other.active and other.id != player.id:
            yield other, tuple(numbers)


def _rows(context: Context, player: Player, *, to_move: bool, most: int) -> tuple[MatchRow, ...]:
    return context.work.matches.listing(None, [player.id], over=False, to_move=to_move, limit=most)
