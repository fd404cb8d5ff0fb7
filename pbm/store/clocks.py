"""The clocks of many matches, found with three statements however many they are."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection, bindparam, or_, select

from pbm.domain.logs import EntryKind, Log
from pbm.domain.match import Match
from pbm.domain.pauses import Pause
from pbm.store.dialects import AnyRow
from pbm.store.match_rows import EntryRow, entries_of, match_of
from pbm.store.pauses import find_pauses, of_match
from pbm.store.prepared import by_first
from pbm.store.tables import log, matches, seats

_OF_CLOCKS = [kind.value for kind in (EntryKind.EXTEND, EntryKind.PAUSE, EntryKind.RESUME)]

_MATCHES = (
    select(matches, seats.c.player_id, seats.c.starter_id)
    .join_from(matches, seats)
    .where(matches.c.number.in_(bindparam("numbers", expanding=True)))
    .order_by(matches.c.number, seats.c.seat)
)

_LOGS = (
    select(log.c.match_number, log.c.kind, log.c.seat, log.c.text, log.c.at)
    .where(
        or_(
            log.c.match_number.in_(bindparam("whole", expanding=True)),
            log.c.match_number.in_(bindparam("numbers", expanding=True))
            & log.c.kind.in_(_OF_CLOCKS),
        )
    )
    .order_by(log.c.match_number, log.c.position)
)


def find_clocks(connection: Connection, numbers: Sequence[int]) -> dict[int, Match]:
    """Return what `pbm.service.ports.Matches.clocks` promises."""
    found = by_first(connection.execute(_MATCHES, {"numbers": numbers}))
    bare = {number: match_of(rows, Log()) for number, rows in found.items()}
    whole = [number for number, match in bare.items() if match.terms.total_days is not None]
    entries = by_first(connection.execute(_LOGS, {"numbers": numbers, "whole": whole}))
    pauses = _pauses(connection, bare.values())
    return {
        number: replace(
            match_of(found[number], Log(entries_of(_of_this_turn(match, entries.get(number, ()))))),
            pauses=of_match(pauses, (*match.players, *match.starters), match.started_at),
        )
        for number, match in bare.items()
    }


def _of_this_turn(match: Match, rows: Iterable[AnyRow]) -> list[EntryRow]:
    """Return the entries without the extensions of earlier turns, if their plies are not here."""
    partial = match.terms.total_days is None
    return [
        (row.kind, row.seat, row.text, row.at, "")
        for row in rows
        if not (partial and row.kind == EntryKind.EXTEND.value and row.at < match.turn_since)
    ]


def _pauses(connection: Connection, found: Iterable[Match]) -> tuple[Pause, ...]:
    known = tuple(found)
    if not known:
        return ()
    players = {player for match in known for player in (*match.players, *match.starters)}
    return find_pauses(connection, players, min(match.started_at for match in known))()
