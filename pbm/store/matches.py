"""Matches: the terms in one row, a log that only grows, a snapshot that is replaced."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, Select, Update, bindparam, case, insert, or_, select, update

from pbm.domain.logs import Earlier
from pbm.domain.match import Match, Outcome, Reminded
from pbm.domain.player import PlayerId
from pbm.engine import to_json, to_plain
from pbm.store.driver.dialects import replaces
from pbm.store.driver.pipeline import Row
from pbm.store.driver.statements import Finish, Types, Value, adding, changing, writes
from pbm.store.errors import Conflict
from pbm.store.lists import MatchLists
from pbm.store.match_reading import Snapshot, find_clocks, find_matches
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
    "look_at",
)

_SAVED: Types = {
    "wanted": matches.c.number.type,
    "expected": matches.c.version.type,
    "look_before": matches.c.look_at.type,
    **{name: matches.c[name].type for name in _CHANGING},
}
"""The values of `_save`, in the order of `_saving`."""

_SEATED: Types = {
    "board": seats.c.match_number.type,
    "player_id": seats.c.player_id.type,
    "to_move": seats.c.to_move.type,
    "place": seats.c.seat.type,
}
"""The values of `_seat`, in the order of `_seating`."""


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
        .values({**{name: value(name) for name in _CHANGING}, "look_at": next_look})
    )


def _seat(value: Value) -> Update:
    """Return what stores who sits in a seat, and whether it is their turn."""
    return (
        update(seats)
        .where(seats.c.match_number == value("board"), seats.c.seat == value("place"))
        .values(player_id=value("player_id"), to_move=value("to_move"))
    )


SAVES = changing(_SAVED, _save, matches.c.number)

SEATS = changing(_SEATED, _seat, seats.c.match_number)

_ENTRY = ("match_number", "position", "kind", "seat", "text", "comment", "at")

_APPEND = adding(log, *_ENTRY)

_SET_SNAPSHOTS = adding(snapshots, "match_number", "ply", "state", finish=replaces(snapshots))


@dataclass(frozen=True, slots=True)
class MatchSaved:
    """A match that was `before` is `after`, whose version is one more."""

    before: Match
    after: Match
    snapshot: Snapshot
    to_move: tuple[int, ...]


@writes(matches, seats, log, snapshots)
def save_matches(connection: Connection, saves: Sequence[MatchSaved]) -> Finish:
    """Write these; raise Conflict if a match is not as it was before any more."""
    whole = list(_together(saves))
    rows = [_saving(each.before, each.after, each.snapshot) for each in whole]
    saved = SAVES.ask(connection, rows)

    def finish() -> None:
        if saved.changed != len(rows):
            raise Conflict("another worker has saved the same board")
        append(connection, [(each.after, len(each.before.log)) for each in whole])
        seats = [row for each in whole for row in _seating(each.after, each.to_move)]
        SEATS.ask(connection, seats)
        set_snapshots(connection, [(each.after.number, each.snapshot) for each in whole])

    return finish


def _together(saves: Iterable[MatchSaved]) -> Iterable[MatchSaved]:
    """Return one save for each match, from the first of it to the last."""
    found: dict[int, MatchSaved] = {}
    for each in saves:
        number = each.after.number
        if earlier := found.get(number):
            if each.before.version != earlier.after.version:
                raise Conflict(f"board {number} has been saved by another")
            found[number] = replace(each, before=earlier.before)
        else:
            found[number] = each
    return found.values()


def append(connection: Connection, logs: Iterable[tuple[Match, int]]) -> None:
    """Write the entries of the logs of these matches, of each from a position on."""
    _APPEND.ask(connection, [row for match, known in logs for row in _entry_rows(match, known)])


def set_snapshots(connection: Connection, positions: Iterable[tuple[int, Snapshot]]) -> None:
    """Store the positions of matches, by their numbers, in place of those stored before."""
    rows = [(number, snapshot.ply, snapshot.state) for number, snapshot in positions]
    _SET_SNAPSHOTS.ask(connection, rows)


def next_version(before: Match, after: Match) -> Match:
    """Return `after` under the version that comes after that of `before`, which it may have.

    Raises ValueError unless the log of `after` is that of `before`, or goes on from there.
    """
    if after.number != before.number or not after.log.continues(before.log):
        raise ValueError(f"board {before.number}: a log is appended to, never rewritten")
    version = before.version + 1
    return after if after.version == version else replace(after, version=version)


def _saving(before: Match, saved: Match, snapshot: Snapshot) -> Row:
    """Return the values of `_save` for a match as it was, and with its new version."""
    changed = changed_columns(saved, snapshot)
    return before.number, before.version, before.look_at, *map(changed.__getitem__, _CHANGING)


def _seating(match: Match, to_move: Sequence[int]) -> list[Row]:
    """Return the values of `_seat` for each seat: who sits there, and whose turn it is."""
    return [
        (match.number, player, seat in to_move, seat) for seat, player in enumerate(match.players)
    ]


def _entry_rows(match: Match, known: int) -> list[Row]:
    """Return the rows of the log from the position `known` on."""
    return [
        (match.number, position, e.kind.value, e.seat, e.text, e.comment, e.at)
        for position, e in enumerate(match.log.since(known), known)
    ]


def changed_columns(match: Match, snapshot: Snapshot) -> dict[str, object]:
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
    """Return what of the log the next move will not need; time saved up needs all of it."""
    return Earlier() if match.terms.is_saved_up else match.log.shortened().earlier


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


_PAGE = 500

_ADD_MATCH, _ADD_SEATS = insert(matches), insert(seats)

_NUMBERS = (
    select(matches.c.number)
    .where(matches.c.number > bindparam("last"))
    .order_by(matches.c.number)
    .limit(_PAGE)
)


class Matches(MatchLists):
    """Matches with their logs and snapshots."""

    def get(self, number: int) -> tuple[Match, Snapshot | None] | None:
        """Return the match of that board number with its whole log."""
        return self._unit.look(find_matches, [number]).get(number)

    def add(self, match: Match, snapshot: Snapshot, to_move: Sequence[int]) -> None:
        self._connection.execute(
            _ADD_MATCH,
            {
                "number": match.number,
                "game": match.game,
                "rules_version": match.rules_version,
                "options": to_json(dict(match.setup.options)),
                "seed": match.setup.seed,
                "terms": to_json(to_plain(match.terms)),
                "started_at": match.started_at,
                **changed_columns(match, snapshot),
            },
        )
        self._connection.execute(_ADD_SEATS, seat_rows(match, to_move))
        append(self._connection, [(match, 0)])
        set_snapshots(self._connection, [(match.number, snapshot)])

    def save(
        self, before: Match, after: Match, snapshot: Snapshot, to_move: Sequence[int]
    ) -> Match:
        """Write what changed: entries of the log past those of `before`, seats, outcome, clock.

        Pauses are read with a match and never written with it.

        Raises Conflict unless the stored version is `before.version`; stores one more, and returns
        `after` with that.
        """
        saved = next_version(before, after)
        self._unit.write(
            save_matches, MatchSaved(before, saved, snapshot, tuple(to_move)),
            change=(find_matches, before.number, lambda _: (saved, snapshot)),
        )  # fmt: skip
        return saved

    def mend(self, number: int, snapshot: Snapshot) -> None:
        """Replace what only saves time by what the log says, as `pbm verify --repair` does.

        That are the snapshot, and the counts of what comes before the end of the log.
        """
        set_snapshots(self._connection, [(number, snapshot)])
        self._connection.execute(
            update(matches)
            .where(matches.c.number == number)
            .values(read_from=0, plies_before=0, undos_before=0)
        )

    def numbers(self) -> Iterator[int]:
        """Yield every board number in order, few at a time."""
        last = 0
        while True:
            page = self._connection.scalars(_NUMBERS, {"last": last}).all()
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1]

    def set_outcome(self, number: int, outcome: Outcome) -> None:
        """Replace how a match ended; who has read it before cannot save it any more."""
        self._connection.execute(
            update(matches)
            .where(matches.c.number == number)
            .values(outcome=to_json(to_plain(outcome)), version=matches.c.version + 1)
        )

    def clocks(self, numbers: Sequence[int]) -> dict[int, Match]:
        """Return these matches with what their clocks need, by number; not for anything else.

        A log holds no words, and no plies unless time is saved up.
        """
        return find_clocks(self._unit, numbers)

    def look_due(self, now: datetime, limit: int) -> tuple[int, ...]:
        """Return the boards whose clocks are due for a look by `now`, the most urgent first."""
        return tuple(self._connection.scalars(_look_due(now).limit(limit)))

    def look_due_of(self, player: PlayerId, until: datetime) -> tuple[int, ...]:
        """Return the boards due for a look by `until` where `player` is to move."""
        theirs = seats.c.player_id == player, seats.c.to_move.is_(True)
        due = _look_due(until).join_from(matches, seats).where(*theirs)
        return tuple(self._connection.scalars(due))

    def set_look(self, match: Match, at: datetime | None) -> None:
        """Store when to look at the clock of a match next, unless it has been saved since."""
        unsaved = matches.c.number == match.number, matches.c.version == match.version
        self._connection.execute(update(matches).where(*unsaved).values(look_at=at))

    def skip_look(self, number: int, at: datetime) -> None:
        """Store when to look next at a board that cannot be loaded."""
        is_open = matches.c.number == number, matches.c.over.is_(False)
        self._connection.execute(update(matches).where(*is_open).values(look_at=at))

    def look_soon(self, player: PlayerId | None, now: datetime) -> None:
        """Make the clocks of all open boards of `player`, or everybody, due for a look at `now`."""
        soon = update(matches).where(matches.c.over.is_(False)).values(look_at=now)
        if player is not None:
            theirs = select(seats.c.match_number).where(seats.c.player_id == player)
            soon = soon.where(matches.c.number.in_(theirs))
        self._connection.execute(soon)


def _look_due(now: datetime) -> Select[tuple[int]]:
    """Return the query for the boards that are due for a look by `now`, the most urgent first."""
    due = select(matches.c.number).where(matches.c.look_at <= now)
    return due.order_by(matches.c.look_at, matches.c.number)
