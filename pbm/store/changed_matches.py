"""Queries for web pages: what has changed, who plays, the latest matches."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select

from pbm.domain.player import PlayerId
from pbm.store.match_reading import BOARDS, MatchLists, MatchRow, boards_where
from pbm.store.tables import matches, seats


class Presence(NamedTuple):
    """When a player played first and last, and on how many boards.

    The `seal` is another number whenever one of their matches has changed.
    """

    since: date
    last: date
    boards: int
    seal: int = 0


_SEAL = func.sum(matches.c.version * (matches.c.number % 1000 + 1))
"""A sum that changes whenever a match does, whose version is then a higher one."""

_PRESENCE = (
    select(
        seats.c.player_id,
        func.min(matches.c.started_at).label("since"),
        func.max(func.coalesce(matches.c.ended_at, matches.c.turn_since)).label("last"),
        func.count(seats.c.match_number.distinct()).label("boards"),
        _SEAL.label("seal"),
    )
    .join_from(seats, matches, matches.c.number == seats.c.match_number)
    .group_by(seats.c.player_id)
)

_MOVED = func.coalesce(matches.c.ended_at, matches.c.turn_since)

_CHUNK = matches.c.number // 1000
"""A match is in the chunk of so many thousands as its number has."""


class ChangedMatches(MatchLists):
    """Lists of matches as web pages need them."""

    def latest(
        self, limit: int, game: str | None = None, players: Sequence[PlayerId] = (),
        *, over: bool | None = None,
    ) -> tuple[MatchRow, ...]:  # fmt: skip
        """Return matches of `game`, with any of `players`, those moved on last first."""
        found = boards_where(game, players, over=over, to_move=False).order_by(None)
        return self._first(found.order_by(_MOVED.desc(), matches.c.number.desc()).limit(limit))

    def newest(self, game: str, limit: int) -> tuple[MatchRow, ...]:
        """Return the matches of a game with the highest numbers, the highest first."""
        found = boards_where(game, (), over=None, to_move=False).order_by(None)
        return self._first(found.order_by(matches.c.number.desc()).limit(limit))

    def of_chunk(self, chunk: int) -> Iterator[MatchRow]:
        """Yield the matches of the `chunk`th thousand numbers."""
        within = matches.c.number.between(chunk * 1000, chunk * 1000 + 999)
        return self._of(BOARDS.where(within).order_by(matches.c.number))

    def ended(self, player: PlayerId) -> Sequence[tuple[int, int]]:
        """Return number and version of each finished match of a player, the first to end first."""
        theirs = select(seats.c.match_number).where(seats.c.player_id == player)
        found = select(matches.c.number, matches.c.version).where(
            matches.c.over.is_(True), matches.c.number.in_(theirs)
        )
        rows = self._unit.read(found.order_by(matches.c.ended_at, matches.c.number))
        return [(row.number, row.version) for row in rows]

    def seals(self) -> dict[int, tuple[int, int]]:
        """Return, for each thousand numbers, a pair that changes when one of its matches does."""
        found = select(_CHUNK.label("chunk"), func.count().label("boards"), _SEAL.label("seal"))
        rows = self._unit.read(found.group_by(_CHUNK))
        return {int(row.chunk): (row.boards, int(row.seal)) for row in rows}

    def finished_parts(self) -> dict[str, list[int]]:
        """Return, for each game, the thousands of numbers in which a match of it is over."""
        found = select(matches.c.game, _CHUNK.label("chunk")).where(matches.c.over.is_(True))
        parts = defaultdict[str, list[int]](list)
        for row in self._unit.read(found.distinct().order_by(matches.c.game, _CHUNK)):
            parts[row.game].append(int(row.chunk))
        return parts

    def met(self, those: Sequence[PlayerId]) -> frozenset[tuple[int, PlayerId]]:
        """Return the matches in which one of these players sits, each with each of its players."""
        theirs = select(seats.c.match_number).where(seats.c.player_id.in_(those))
        found = select(seats.c.match_number, seats.c.player_id)
        rows = self._unit.read(found.where(seats.c.match_number.in_(theirs)))
        return frozenset((row.match_number, row.player_id) for row in rows)

    def presences(self) -> dict[PlayerId, Presence]:
        """Return when players have played; those who never did are left out."""
        return {
            row.player_id: Presence(row.since.date(), row.last.date(), row.boards, int(row.seal))
            for row in self._unit.read(_PRESENCE)
        }
