"""What a save of matches writes, of one or of a batch: the statements, and the rows for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Update, case, or_, update

from pbm.domain.logs import Earlier
from pbm.domain.match import Match, Reminded
from pbm.domain.player import PlayerId
from pbm.engine import to_json, to_plain
from pbm.service.ports import Conflict, Snapshot
from pbm.store.asking import Row
from pbm.store.bulk import Bulk, Changes, Types, Value
from pbm.store.dialects import replaces
from pbm.store.tables import log, matches, seats, snapshots

_CHANGING = (
    "version",
    "turn_since",
    "ended_at",
    "outcome",
    "over",
    "ply",
    "log_length",
    "read_from",
    "plies_before",
    "undos_before",
    "reminded",
)

_SAVED: Types = {
    "wanted": matches.c.number.type,
    "expected": matches.c.version.type,
    "look_before": matches.c.look_at.type,
    "look_at": matches.c.look_at.type,
    **{name: matches.c[name].type for name in _CHANGING},
}
"""The values of `_save`, which are those of `_saving`."""

_SEATED: Types = {
    "board": seats.c.match_number.type,
    "player_id": seats.c.player_id.type,
    "to_move": seats.c.to_move.type,
    "place": seats.c.seat.type,
}
"""The values of `_seat`, which are those of `_seating`."""


def _save(value: Value) -> Update:
    """Return what stores what a save may change, unless the version is another than expected."""
    # When the server looks at a clock may have been changed since the match was read, because a
    # pause has begun or ended. Then the earlier moment counts, and a look too many does no harm.
    look, as_read = value("look_at"), value("look_before")
    next_look = case(
        (or_(look.is_(None), matches.c.look_at.is_not_distinct_from(as_read)), look),
        (matches.c.look_at < look, matches.c.look_at),
        else_=look,
    )
    return (
        update(matches)
        .where(matches.c.number == value("wanted"), matches.c.version == value("expected"))
        .values(**{name: value(name) for name in _CHANGING}, look_at=next_look)
    )


def _seat(value: Value) -> Update:
    """Return what stores who sits in a seat, and whether it is their turn."""
    return (
        update(seats)
        .where(seats.c.match_number == value("board"), seats.c.seat == value("place"))
        .values(player_id=value("player_id"), to_move=value("to_move"))
    )


SAVES = Changes(_SAVED, _save, matches.c.number)

SEATS = Changes(_SEATED, _seat, seats.c.match_number)

_ENTRY = ("match_number", "position", "kind", "seat", "text", "comment", "at")

_APPEND = Bulk(log, *_ENTRY)

_SET_SNAPSHOTS = Bulk(snapshots, "match_number", "ply", "state", finish=replaces(snapshots))


@dataclass(frozen=True, slots=True)
class MatchSaved:
    """A match that was `before` is `after`, whose version is one more."""

    before: Match
    after: Match
    snapshot: Snapshot
    to_move: tuple[int, ...]


def save_matches(connection: Connection, saves: Sequence[MatchSaved]) -> None:
    """Write these, one for each match; raise Conflict if one is not as it was before any more."""
    rows = [_saving(each.before, each.after, each.snapshot) for each in saves]
    if SAVES.make(connection, rows).changed != len(rows):
        raise Conflict("another worker has saved the same board")
    append(connection, [(each.after, len(each.before.log)) for each in saves])
    SEATS.make(connection, [row for each in saves for row in _seating(each.after, each.to_move)])
    set_snapshots(connection, [(each.after.number, each.snapshot) for each in saves])


def append(connection: Connection, logs: Iterable[tuple[Match, int]]) -> None:
    """Write the entries of the logs of these matches, of each from a position on."""
    _APPEND.add(connection, [row for match, known in logs for row in _entry_rows(match, known)])


def set_snapshots(connection: Connection, positions: Iterable[tuple[int, Snapshot]]) -> None:
    """Store the positions of matches, by their numbers, in place of those stored before."""
    rows = [(number, snapshot.ply, snapshot.state) for number, snapshot in positions]
    _SET_SNAPSHOTS.add(connection, rows)


def next_version(before: Match, after: Match) -> Match:
    """Return `after` under the version that comes after that of `before`, which it may have.

    Raises ValueError unless the log of `after` is that of `before`, or goes on from there.
    """
    if after.number != before.number or not after.log.continues(before.log):
        raise ValueError(f"board {before.number}: a log is appended to, never rewritten")
    version = before.version + 1
    return after if after.version == version else replace(after, version=version)


def _saving(before: Match, saved: Match, snapshot: Snapshot) -> dict[str, object]:
    """Return the values of `_save` for a match as it was, and with its new version."""
    return {
        "wanted": before.number,
        "expected": before.version,
        "look_before": before.look_at,
        **changing(saved, snapshot),
    }


def _seating(match: Match, to_move: Sequence[int]) -> list[dict[str, object]]:
    """Return the values of `_seat` for each seat: who sits there, and whose turn it is."""
    return [
        {
            "board": match.number,
            "place": seat,
            "player_id": player,
            "to_move": seat in to_move,
        }
        for seat, player in enumerate(match.players)
    ]


def _entry_rows(match: Match, known: int) -> list[Row]:
    """Return the rows of the log from the position `known` on."""
    return [
        (match.number, position, e.kind.value, e.seat, e.text, e.comment, e.at)
        for position, e in enumerate(match.log.since(known), known)
    ]


def changing(match: Match, snapshot: Snapshot) -> dict[str, object]:
    """Return the columns that a save may change."""
    outcome, before = match.outcome, _before_the_needed(match)
    return {
        "version": match.version,
        "turn_since": match.turn_since,
        "ended_at": match.ended_at,
        "outcome": None if outcome is None else to_json(to_plain(outcome)),
        "over": match.over,
        "ply": snapshot.ply,
        "log_length": len(match.log),
        "read_from": before.entries,
        "plies_before": before.plies,
        "undos_before": before.undos,
        "reminded": _reminded_text(match.reminded),
        "look_at": match.look_at,
    }


def _before_the_needed(match: Match) -> Earlier:
    """Return what of the log the next move will not need; a totaltime is made of all of it."""
    return Earlier() if match.terms.total_days is not None else match.log.shortened().earlier


def seat_rows(match: Match, to_move: Sequence[int]) -> list[dict[str, object]]:
    """Return the rows of the seats of a new match."""
    pairs = zip(match.players, match.starters, strict=True)
    return [
        {
            "match_number": match.number,
            "seat": seat,
            "player_id": player,
            "starter_id": starter,
            "to_move": seat in to_move,
        }
        for seat, (player, starter) in enumerate(pairs)
    ]


def _reminded_text(reminded: Mapping[PlayerId, Reminded]) -> str:
    """Return what players have been told as JSON: {"12": [2, "2026-02-01T09:30:00+00:00"]}."""
    if not reminded:
        return "{}"
    return to_json({str(p): [told.last, told.at.isoformat()] for p, told in reminded.items()})
