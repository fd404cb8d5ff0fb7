"""Matches as they are read: with their logs, positions and pauses, several at once.

Each statement asks, and what it finds is looked at later: on PostgreSQL, statements that are asked
before the first answer is looked at are one round trip.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, null, select
from sqlalchemy.sql import Select

from pbm.domain.logs import Log
from pbm.domain.match import Match
from pbm.domain.pauses import Pause
from pbm.domain.player import PlayerId
from pbm.service.ports import Snapshot
from pbm.store.asking import Row
from pbm.store.match_rows import Read, log_of, match_of
from pbm.store.pauses import find_pauses, of_match
from pbm.store.prepared import Prepared, among, by_first
from pbm.store.tables import log, matches, seats, snapshots


class _MatchRow(NamedTuple):
    """A match as one of its seats shows it; the snapshot is with the first seat."""

    number: int
    version: int
    game: str
    rules_version: int
    options: str
    seed: int
    terms: str
    started_at: datetime
    turn_since: datetime
    ended_at: datetime | None
    outcome: str | None
    log_length: int
    read_from: int
    plies_before: int
    undos_before: int
    reminded: str
    look_at: datetime | None
    player_id: PlayerId
    starter_id: PlayerId
    snapshot_ply: int | None
    state: str | None


def _matches(dialect: str) -> Select[Any]:
    # One statement for match, seats and snapshot: under READ COMMITTED each statement sees
    # another moment.
    mine = [matches.c[name] for name in _MatchRow._fields if name in matches.c]
    first = seats.c.seat == 0
    return (
        select(
            *mine,
            seats.c.player_id,
            seats.c.starter_id,
            snapshots.c.ply,
            case((first, snapshots.c.state), else_=null()),
        )
        .join_from(matches, seats)
        .outerjoin(snapshots, snapshots.c.match_number == matches.c.number)
        .where(among(dialect, matches.c.number, "numbers"))
        .order_by(matches.c.number, seats.c.seat)
    )


_MATCHES = Prepared(_matches, "numbers")

# The numbers of entries come along: between two statements, another may have saved the match.
_LOGS = Prepared(
    lambda dialect: (
        select(
            log.c.match_number,
            log.c.position,
            log.c.kind,
            log.c.seat,
            log.c.text,
            log.c.at,
            log.c.comment,
        )
        .join_from(matches, log)
        .where(among(dialect, matches.c.number, "numbers"), log.c.position >= matches.c.read_from)
        .order_by(log.c.match_number, log.c.position)
    ),
    "numbers",
)


class MatchesAhead:
    """Matches that are being read: first all that their numbers name."""

    def __init__(self, connection: Connection, numbers: Collection[int]) -> None:
        self._connection = connection
        self._matches = _MATCHES.ask(connection, numbers)
        self._logs = _LOGS.ask(connection, numbers)

    @cached_property
    def _rows(self) -> list[_MatchRow]:
        return list(map(_MatchRow._make, self._matches.rows))

    @cached_property
    def seated(self) -> frozenset[PlayerId]:
        """Who sits at the boards, or did when they began."""
        return _seated(self._rows)

    def subjects(self) -> frozenset[str]:
        """Return what their followers follow: their numbers and games."""
        numbers = {str(row.number) for row in self._rows}
        return frozenset(numbers.union([row.game for row in self._rows]))

    def find(self, read: Read) -> Callable[[], dict[int, tuple[Match, Snapshot | None]]]:
        """Ask for the pauses, and return what gives the matches with their positions.

        Of the logs, they have what a move needs; the rest is asked of `read`.
        """
        if not self._rows:
            return dict
        since = min([row.started_at for row in self._rows])
        paused = find_pauses(self._connection, self.seated, since)
        return lambda: self._made(paused(), read)

    def _made(self, there: Sequence[Pause], read: Read) -> dict[int, tuple[Match, Snapshot | None]]:
        logs = by_first(self._logs.rows)
        found = by_first(self._rows)
        return {
            number: (
                match_of(seats, _log(seats[0], logs.get(number, []), read), _during(seats, there)),
                _snapshot(seats[0]),
            )
            for number, seats in found.items()
        }


def _log(row: _MatchRow, entries: Sequence[Row], read: Read) -> Log:
    if entries and entries[0][1] > row.read_from:
        # It was shortened after the row of the match had been read.
        return Log(read(row.number, row.log_length))
    return log_of(row, [entry[2:] for entry in entries], read)


def _snapshot(row: _MatchRow) -> Snapshot | None:
    if row.state is None or row.snapshot_ply is None:
        return None
    return Snapshot(row.snapshot_ply, row.state)


def _during(rows: Sequence[_MatchRow], there: Sequence[Pause]) -> tuple[Pause, ...]:
    return of_match(there, _seated(rows), rows[0].started_at) if there else ()


def _seated(rows: Iterable[_MatchRow]) -> frozenset[PlayerId]:
    return frozenset(chain.from_iterable(map(_people, rows)))


_people = attrgetter("player_id", "starter_id")
