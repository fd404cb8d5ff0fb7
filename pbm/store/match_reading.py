"""Matches as they are read: with their logs, positions and pauses, several at once."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import chain, islice
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, and_, bindparam, case, null, or_, select

from pbm.domain.invitations import Terms
from pbm.domain.logs import Earlier, EntryKind, Log, LogEntry
from pbm.domain.match import Match, Outcome, Reminded, Reminder
from pbm.domain.pauses import Pause
from pbm.domain.player import PlayerId
from pbm.engine import Setup, from_json, from_plain, frozen
from pbm.store.driver.dialects import AnyRow, among
from pbm.store.repository import Connected, by_first, columns_of
from pbm.store.tables import log, matches, seats, snapshots
from pbm.store.time import DURING, of_match, pauses_in


@frozen
class Snapshot:
    """A stored position: the state after `ply` plies, as canonical JSON. A cache, not the truth."""

    ply: int
    state: str


# A lookup by value is ten times quicker than EntryKind(value), and a log is long.
_KINDS = {kind.value: kind for kind in EntryKind}

_player, _starter = attrgetter("player_id"), attrgetter("starter_id")

EntryRow = tuple[str, int | None, str, datetime, str]
"""Kind, seat, text, time and comment of an entry."""

Read = Callable[[int, int], tuple[LogEntry, ...]]
"""Returns the first entries of the log of a match, given its number and how many."""


def match_of(rows: Sequence[Any], log: Log, pauses: tuple[Pause, ...] = ()) -> Match:
    """Return the match of one row for each seat, with this log and these pauses.

    A row has the columns of the match, and `player_id` and `starter_id` of the seat.
    """
    first = rows[0]
    return Match(
        number=first.number,
        game=first.game,
        rules_version=first.rules_version,
        setup=Setup(_options(first.options), first.seed),
        terms=_terms(first.terms),
        starters=tuple(map(_starter, rows)),
        players=tuple(map(_player, rows)),
        started_at=first.started_at,
        turn_since=first.turn_since,
        log=log,
        outcome=None if first.outcome is None else from_plain(Outcome, from_json(first.outcome)),
        ended_at=first.ended_at,
        reminded=_reminded(first.reminded),
        pauses=pauses,
        look_at=first.look_at,
        version=first.version,
    )


def log_of(row: Any, entries: Iterable[EntryRow], read: Read) -> Log:
    """Return the log of the match of `row`, of which `entries` are those from `read_from` on.

    What comes before is asked of `read`. Entries that are younger than the row are left out.
    """
    recent = entries_of(islice(entries, row.log_length - row.read_from))
    if not row.read_from:
        return Log(recent)
    head = partial(read, row.number, row.read_from)
    return Log(recent, Earlier(row.read_from, row.plies_before, row.undos_before, head))


def entries_of(rows: Iterable[EntryRow]) -> tuple[LogEntry, ...]:
    """Return the entries of these rows."""
    return tuple(
        [LogEntry(_KINDS[kind], seat, text, at, comment) for kind, seat, text, at, comment in rows]
    )


# Most matches are played on the same few options and terms.
@lru_cache(1000)
def _options(text: str) -> Mapping[str, str]:
    options: Mapping[str, str] = from_json(text)
    return options


@lru_cache(1000)
def _terms(text: str) -> Terms:
    terms: Terms = from_plain(Terms, from_json(text))
    return terms


def _reminded(text: str) -> dict[PlayerId, Reminded]:
    if text == "{}":
        return {}
    return {
        int(player): Reminded(Reminder(last), datetime.fromisoformat(at).astimezone(UTC))
        for player, (last, at) in from_json(text).items()
    }


Found = tuple[Match, Snapshot | None]
"""A match with its position."""


_SEATED = (
    select(matches, seats.c.player_id, seats.c.starter_id)
    .join_from(matches, seats)
    .where(among(matches.c.number, "numbers"))
    .order_by(matches.c.number, seats.c.seat)
)

# One statement for match, seats and snapshot: under READ COMMITTED each statement sees another
# moment. The snapshot comes with the first seat.
_MATCHES = _SEATED.add_columns(
    snapshots.c.ply.label("snapshot_ply"),
    case((seats.c.seat == 0, snapshots.c.state), else_=null()).label("state"),
).outerjoin(snapshots, snapshots.c.match_number == matches.c.number)

_ENTRY = columns_of(LogEntry, log)

# The numbers of entries come along: between two statements, another may have saved the match.
_LOGS = (
    select(log.c.match_number, log.c.position, *_ENTRY)
    .join_from(matches, log)
    .where(among(matches.c.number, "numbers"), log.c.position >= matches.c.read_from)
    .order_by(log.c.match_number, log.c.position)
)

_EARLIER = (
    select(*_ENTRY)
    .where(log.c.match_number == bindparam("wanted"), log.c.position < bindparam("end"))
    .order_by(log.c.position)
)


def find_matches(connection: Connection, numbers: Collection[int]) -> dict[int, Found]:
    """Return these matches, each with its position.

    Of the logs, they have what a move needs; the rest is read when it is asked for.
    """
    found = by_first(connection.execute(_MATCHES, {"numbers": numbers}).all())
    if not found:
        return {}
    logs = by_first(connection.execute(_LOGS, {"numbers": numbers}).all())
    there = _pauses_of(connection.execute, found)
    read = partial(_read_earlier, connection)
    return {
        number: (
            match_of(seats, _log_read(seats[0], logs.get(number, []), read), _during(seats, there)),
            _snapshot(seats[0]),
        )
        for number, seats in found.items()
    }


def _read_earlier(connection: Connection, number: int, end: int) -> tuple[LogEntry, ...]:
    """Return the first entries of a log, up to position `end`; they never change."""
    return entries_of(connection.execute(_EARLIER, {"wanted": number, "end": end}))


def _log_read(row: AnyRow, entries: Sequence[AnyRow], read: Read) -> Log:
    if entries and entries[0][1] > row.read_from:
        # It was shortened after the row of the match had been read.
        return Log(read(row.number, row.log_length))
    return log_of(row, [entry[2:] for entry in entries], read)


def _snapshot(row: AnyRow) -> Snapshot | None:
    if row.state is None or row.snapshot_ply is None:
        return None
    return Snapshot(row.snapshot_ply, row.state)


def _pauses_of(
    execute: Callable[..., Iterable[AnyRow]], found: Mapping[int, Sequence[AnyRow]]
) -> Sequence[Pause]:
    """Return the pauses that may concern these matches, by the rows of their seats."""
    since = min([seats[0].started_at for seats in found.values()])
    people = _seated(chain.from_iterable(found.values()))
    return pauses_in(execute(DURING, {"players": people, "since": since}))


def _during(rows: Sequence[AnyRow], there: Sequence[Pause]) -> tuple[Pause, ...]:
    return of_match(there, _seated(rows), rows[0].started_at) if there else ()


def _seated(rows: Iterable[AnyRow]) -> frozenset[PlayerId]:
    return frozenset(chain.from_iterable(map(_people, rows)))


_people = attrgetter("player_id", "starter_id")


_OF_CLOCKS = [kind.value for kind in (EntryKind.EXTEND, EntryKind.PAUSE, EntryKind.RESUME)]

_CLOCK_LOGS = (
    select(log.c.match_number, log.c.kind, log.c.seat, log.c.text, log.c.at)
    .where(
        or_(
            among(log.c.match_number, "whole"),
            and_(among(log.c.match_number, "numbers"), log.c.kind.in_(_OF_CLOCKS)),
        )
    )
    .order_by(log.c.match_number, log.c.position)
)


def find_clocks(unit: Connected, numbers: Sequence[int]) -> dict[int, Match]:
    """See `Matches.clocks`."""
    found = by_first(unit.read(_SEATED, {"numbers": numbers}))
    if not found:
        return {}
    whole = [number for number, rows in found.items() if _terms(rows[0].terms).is_saved_up]
    entries = by_first(unit.read(_CLOCK_LOGS, {"numbers": numbers, "whole": whole}))
    there = _pauses_of(unit.read, found)
    return {
        number: match_of(rows, _clock_log(rows[0], entries.get(number, ())), _during(rows, there))
        for number, rows in found.items()
    }


def _clock_log(match: AnyRow, entries: Iterable[AnyRow]) -> Log:
    """Return a log without the extensions of earlier turns, if their plies are not here."""
    partial = not _terms(match.terms).is_saved_up
    return Log(
        entries_of(
            (row.kind, row.seat, row.text, row.at, "")
            for row in entries
            if not (partial and row.kind == EntryKind.EXTEND.value and row.at < match.turn_since)
        )
    )
