"""Matches: the terms in one row, a log that only grows, a snapshot that is replaced."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, Select, bindparam, case, func, insert, or_, select, update

from pbm.domain.logs import Earlier
from pbm.domain.match import Match, Outcome, Reminded, SealedChoice
from pbm.domain.player import PlayerId
from pbm.engine import Seat, frozen, to_json, to_plain
from pbm.store.changed_matches import ChangedMatches
from pbm.store.driver.dialects import add_rows, adding, replaces
from pbm.store.errors import Conflict
from pbm.store.match_reading import Snapshot, find_clocks, find_matches
from pbm.store.repository import writes
from pbm.store.tables import log, matches, seats, snapshots

_LOOK = bindparam("look", type_=matches.c.look_at.type)
_LOOK_AS_READ = bindparam("look_before", type_=matches.c.look_at.type)

# When the server looks at a clock may have been changed since the match was read, because a pause
# has begun or ended. Then the earlier moment counts, and a look too many does no harm.
_NEXT_LOOK = case(
    (or_(_LOOK.is_(None), matches.c.look_at.is_not_distinct_from(_LOOK_AS_READ)), _LOOK),
    (matches.c.look_at < _LOOK, matches.c.look_at),
    else_=_LOOK,
)

SAVE = (
    update(matches)
    .where(matches.c.number == bindparam("wanted"), matches.c.version == bindparam("expected"))
    .values(look_at=_NEXT_LOOK)
)
"""Stores what a save may change (`_saving`), unless the version is another than expected."""

TURNS = (
    update(seats)
    .where(seats.c.match_number == bindparam("board"))
    .values(to_move=func.substr(bindparam("turns"), seats.c.seat + 1, 1) == "1")
)
"""Stores whose turn it is: a "1" for each seat that is to move, and a "0" for each other one."""

SEAT = update(seats).where(
    seats.c.match_number == bindparam("board"), seats.c.seat == bindparam("place")
)
"""Stores who sits in a seat."""

_APPEND = adding(log, "match_number", "position", "kind", "seat", "text", "comment", "at")

_SET_SNAPSHOT = adding(snapshots, "match_number", "ply", "state", finish=replaces(snapshots))


@frozen
class MatchSaved:
    """A match that was `before` is `after`, whose version is one more."""

    before: Match
    after: Match
    snapshot: Snapshot
    to_move: tuple[int, ...]


@writes(matches, seats, log, snapshots)
def save_matches(connection: Connection, saves: Sequence[MatchSaved]) -> None:
    """Write these; raise Conflict if a match is not as it was before any more."""
    whole = list(_together(saves))
    saved = connection.execute(SAVE, [_saving(each) for each in whole])
    if saved.rowcount != len(whole):
        raise Conflict("another worker has saved the same board")
    append(connection, [(each.after, len(each.before.log)) for each in whole])
    connection.execute(TURNS, [_turns(each) for each in whole])
    if swapped := [row for each in whole for row in _seating(each)]:
        connection.execute(SEAT, swapped)
    set_snapshots(connection, [(each.after.number, each.snapshot) for each in whole])


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
    rows = [row for match, known in logs for row in _entry_rows(match, known)]
    add_rows(connection, _APPEND, rows)


def set_snapshots(connection: Connection, positions: Iterable[tuple[int, Snapshot]]) -> None:
    """Store the positions of matches, by their numbers, in place of those stored before."""
    rows = [
        {"match_number": number, "ply": snapshot.ply, "state": snapshot.state}
        for number, snapshot in positions
    ]
    add_rows(connection, _SET_SNAPSHOT, rows)


def next_version(before: Match, after: Match) -> Match:
    """Return `after` under the version that comes after that of `before`, which it may have.

    Raises ValueError unless the log of `after` is that of `before`, or goes on from there.
    """
    if after.number != before.number or not after.log.continues(before.log):
        raise ValueError(f"board {before.number}: a log is appended to, never rewritten")
    version = before.version + 1
    return after if after.version == version else replace(after, version=version)


def _saving(saved: MatchSaved) -> dict[str, object]:
    """Return the values of `SAVE` for a match as it was, and with its new version."""
    changed, before = changed_columns(saved.after, saved.snapshot), saved.before
    return {
        "wanted": before.number,
        "expected": before.version,
        "look_before": before.look_at,
        "look": changed.pop("look_at"),
        **changed,
    }


def _turns(saved: MatchSaved) -> dict[str, object]:
    """Return the values of `TURNS`."""
    match = saved.after
    turns = "".join(["01"[seat in saved.to_move] for seat in range(len(match.players))])
    return {"board": match.number, "turns": turns}


def _seating(saved: MatchSaved) -> list[dict[str, object]]:
    """Return the values of `SEAT` for each seat, if the players have exchanged theirs."""
    match = saved.after
    if match.players == saved.before.players:
        return []
    return [
        {"board": match.number, "place": seat, "player_id": player}
        for seat, player in enumerate(match.players)
    ]


def _entry_rows(match: Match, known: int) -> list[dict[str, object]]:
    """Return the rows of the log from the position `known` on."""
    return [
        {
            "match_number": match.number,
            "position": position,
            "kind": e.kind.value,
            "seat": e.seat,
            "text": e.text,
            "comment": e.comment,
            "at": e.at,
        }
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
        "sealed": _sealed_text(match.sealed),
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


def _sealed_text(sealed: Mapping[Seat, SealedChoice]) -> str:
    """Return what was chosen in secret as JSON, by seat: text, time and words."""
    if not sealed:
        return "{}"
    return to_json({str(s): [c.text, c.at.isoformat(), c.comment] for s, c in sealed.items()})


_PAGE = 500

_ADD_MATCH, _ADD_SEATS = insert(matches), insert(seats)

_NUMBERS = (
    select(matches.c.number)
    .where(matches.c.number > bindparam("last"))
    .order_by(matches.c.number)
    .limit(_PAGE)
)


class Matches(ChangedMatches):
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
                "dealt": to_json(list(match.setup.dealt)),
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
        counts = {"read_from": 0, "plies_before": 0, "undos_before": 0}
        self._update(matches, matches.c.number == number, **counts)

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
        values = {"outcome": to_json(to_plain(outcome)), "version": matches.c.version + 1}
        self._update(matches, matches.c.number == number, **values)

    def clocks(self, numbers: Sequence[int]) -> dict[int, Match]:
        """Return these matches with what their clocks need, by number; not for anything else.

        A log holds no words, and no plies unless time is saved up.
        """
        return find_clocks(self._unit, numbers)

    def check_due(self, now: datetime, limit: int) -> tuple[int, ...]:
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
        self._update(matches, *unsaved, look_at=at)

    def skip_look(self, number: int, at: datetime) -> None:
        """Store when to look next at a board that cannot be loaded."""
        self._update(matches, matches.c.number == number, matches.c.over.is_(False), look_at=at)

    def look_soon(self, player: PlayerId | None, now: datetime) -> None:
        """Make the clocks of all open boards of `player`, or everybody, due for a look at `now`."""
        theirs = select(seats.c.match_number).where(seats.c.player_id == player)
        which = [] if player is None else [matches.c.number.in_(theirs)]
        self._update(matches, matches.c.over.is_(False), *which, look_at=now)


def _look_due(now: datetime) -> Select[tuple[int]]:
    """Return the query for the boards that are due for a look by `now`, the most urgent first."""
    due = select(matches.c.number).where(matches.c.look_at <= now)
    return due.order_by(matches.c.look_at, matches.c.number)
