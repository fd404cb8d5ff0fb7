"""What a batch reads ahead: matches, people and more, of many mails in one statement each.

Each function asks, and returns what gives the answer by key; what is missing there does not exist.
So several questions are asked before the first answer is looked at, which on PostgreSQL makes them
one round trip.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, case, null, or_, select
from sqlalchemy.sql import Select

from pbm.domain.logs import Log
from pbm.domain.match import Match
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.plans import QueuedMove
from pbm.domain.player import Player, PlayerId
from pbm.engine import from_json
from pbm.service.ports import Snapshot
from pbm.store.asking import Row
from pbm.store.match_rows import Read, log_of, match_of
from pbm.store.pauses import of_match
from pbm.store.players import player_of
from pbm.store.prepared import Prepared, among
from pbm.store.tables import (
    addresses,
    bans,
    followers,
    log,
    matches,
    pauses,
    players,
    queued_moves,
    seats,
    snapshots,
)


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


class _PlayerRow(NamedTuple):
    """A player with one of their addresses."""

    id: PlayerId
    userid: str
    state: str
    created_at: datetime
    settings: str
    missing_since: datetime | None
    tokens_since: datetime | None
    kind: str
    address: str | None
    failures: int | None
    off_at: datetime | None


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

_PAUSES = Prepared(
    lambda dialect: (
        select(pauses.c.kind, pauses.c.began_at, pauses.c.until, pauses.c.player_id, pauses.c.id)
        .where(
            or_(among(dialect, pauses.c.player_id, "players"), pauses.c.player_id.is_(None)),
            or_(pauses.c.until.is_(None), pauses.c.until > bindparam("since")),
        )
        .order_by(pauses.c.began_at, pauses.c.id)
    ),
    "players",
    "since",
)


def _players(dialect: str) -> Select[Any]:
    own = [players.c[name] for name in _PlayerRow._fields if name in players.c]
    return (
        select(*own, addresses.c.address, addresses.c.failures, addresses.c.off_at)
        .outerjoin_from(players, addresses)
        .where(among(dialect, players.c.id, "ids"))
        .order_by(players.c.id, addresses.c.position)
    )


_PLAYERS = Prepared(_players, "ids")

_FOLLOWERS = Prepared(
    lambda dialect: select(followers.c.subject, followers.c.player_id, followers.c.only_end).where(
        among(dialect, followers.c.subject, "subjects")
    ),
    "subjects",
)

_QUEUES = Prepared(
    lambda dialect: (
        select(
            queued_moves.c.match_number,
            queued_moves.c.player_id,
            queued_moves.c.text,
            queued_moves.c.base,
            queued_moves.c.line,
        )
        .where(among(dialect, queued_moves.c.match_number, "numbers"))
        .order_by(queued_moves.c.match_number, queued_moves.c.player_id, queued_moves.c.position)
    ),
    "numbers",
)

_BANS = Prepared(
    lambda dialect: select(bans.c.pattern).where(among(dialect, bans.c.pattern, "patterns")),
    "patterns",
)

R = TypeVar("R", bound=Row)


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
        paused = _PAUSES.ask(self._connection, self.seated, since)
        return lambda: self._made([_pause(row) for row in paused.rows], read)

    def _made(self, there: Sequence[Pause], read: Read) -> dict[int, tuple[Match, Snapshot | None]]:
        logs = _by_first(self._logs.rows)
        found = _by_first(self._rows)
        return {
            number: (
                match_of(seats, _log(seats[0], logs.get(number, []), read), _during(seats, there)),
                _snapshot(seats[0]),
            )
            for number, seats in found.items()
        }


def find_players(
    connection: Connection, ids: Collection[PlayerId]
) -> Callable[[], dict[PlayerId, Player]]:
    """Ask for these players by id."""
    asked = _PLAYERS.ask(connection, ids)

    def found() -> dict[PlayerId, Player]:
        rows = _by_first(map(_PlayerRow._make, asked.rows))
        return {player: player_of(group) for player, group in rows.items()}

    return found


def find_followers(
    connection: Connection, subjects: Collection[str]
) -> Callable[[], dict[str, dict[PlayerId, bool]]]:
    """Ask who follows these boards and games, and whether only their ends, by subject."""
    asked = _FOLLOWERS.ask(connection, subjects)
    return lambda: {
        subject: {row[1]: bool(row[2]) for row in rows}
        for subject, rows in _by_first(asked.rows).items()
    }


def find_queues(
    connection: Connection, numbers: Collection[int]
) -> Callable[[], dict[int, dict[PlayerId, tuple[QueuedMove, ...]]]]:
    """Ask for the moves queued on these boards, by number and player."""
    asked = _QUEUES.ask(connection, numbers)

    def found() -> dict[int, dict[PlayerId, tuple[QueuedMove, ...]]]:
        queues: dict[int, dict[PlayerId, tuple[QueuedMove, ...]]] = {}
        for number, player, text, base, line in asked.rows:
            own = queues.setdefault(number, {})
            own[player] = (*own.get(player, ()), QueuedMove(text, base, tuple(from_json(line))))
        return queues

    return found


def find_bans(connection: Connection, patterns: Collection[str]) -> Callable[[], dict[str, bool]]:
    """Ask which of these patterns are banned; there is True for each of them."""
    asked = _BANS.ask(connection, patterns)
    return lambda: {row[0]: True for row in asked.rows}


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


def _pause(row: Row) -> Pause:
    kind, began_at, until, player, number = row
    return Pause(PauseKind(kind), began_at, until, player, number)


def _by_first(rows: Iterable[R]) -> dict[Any, list[R]]:
    found: dict[Any, list[R]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found
