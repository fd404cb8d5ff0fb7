"""Matches: the terms in one row, a log that only grows, a snapshot that is replaced."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from pbm.domain.logs import Entry
from pbm.domain.match import Match, Outcome
from pbm.domain.player import PlayerId
from pbm.engine import to_json, to_plain
from pbm.service.ports import GameCounts, HistoryRow, MatchRow, RatedRow, Snapshot
from pbm.store.clocks import find_clocks
from pbm.store.listing import count_boards, count_games, find_boards, find_finished
from pbm.store.match_reading import MatchesAhead
from pbm.store.match_rows import entries_of
from pbm.store.match_saves import (
    MatchSaved,
    append,
    changing,
    next_version,
    save_matches,
    seat_rows,
    set_snapshots,
)
from pbm.store.rated import rated_after, set_outcome
from pbm.store.repository import Repository
from pbm.store.tables import log, matches, seats

_PAGE = 500

_EARLIER = (
    select(log.c.kind, log.c.seat, log.c.text, log.c.at, log.c.comment)
    .where(log.c.match_number == bindparam("wanted"), log.c.position < bindparam("end"))
    .order_by(log.c.position)
)

_ADD, _ADD_SEATS = insert(matches), insert(seats)

_LOOK_DUE = (
    select(matches.c.number)
    .where(matches.c.look_at <= bindparam("now"))
    .order_by(matches.c.look_at, matches.c.number)
    .limit(bindparam("most"))
)

_LOOK_DUE_OF = (
    select(matches.c.number)
    .join_from(matches, seats)
    .where(
        matches.c.look_at <= bindparam("now"),
        seats.c.player_id == bindparam("player"),
        seats.c.to_move.is_(True),
    )
    .order_by(matches.c.look_at, matches.c.number)
)

_SET_LOOK = update(matches).where(
    matches.c.number == bindparam("wanted"), matches.c.version == bindparam("expected")
)

_SKIP_LOOK = update(matches).where(
    matches.c.number == bindparam("wanted"), matches.c.over.is_(False)
)

_OF_PLAYER = matches.c.number.in_(
    select(seats.c.match_number).where(seats.c.player_id == bindparam("player"))
)

_LOOK_SOON = update(matches).where(matches.c.over.is_(False))

_NUMBERS = (
    select(matches.c.number)
    .where(matches.c.number > bindparam("last"))
    .order_by(matches.c.number)
    .limit(_PAGE)
)


class SqlMatches(Repository):
    """`pbm.service.ports.Matches`."""

    def get(self, number: int) -> tuple[Match, Snapshot | None] | None:
        return MatchesAhead(self._connection, (number,)).find(self.earlier)().get(number)

    def earlier(self, number: int, end: int) -> tuple[Entry, ...]:
        """Return the first entries of a log, up to position `end`; they never change."""
        rows = self._reader.execute(_EARLIER, {"wanted": number, "end": end})
        return entries_of((row.kind, row.seat, row.text, row.at, row.comment) for row in rows)

    def add(self, match: Match, snapshot: Snapshot, to_move: Sequence[int]) -> None:
        self._connection.execute(
            _ADD,
            {
                "number": match.number,
                "game": match.game,
                "rules_version": match.rules_version,
                "options": to_json(dict(match.setup.options)),
                "seed": match.setup.seed,
                "terms": to_json(to_plain(match.terms)),
                "started_at": match.started_at,
                **changing(match, snapshot),
            },
        )
        self._connection.execute(_ADD_SEATS, seat_rows(match, to_move))
        append(self._connection, [(match, 0)])
        set_snapshots(self._connection, [(match.number, snapshot)])

    def save(
        self, before: Match, after: Match, snapshot: Snapshot, to_move: Sequence[int]
    ) -> Match:
        saved = next_version(before, after)
        entry = MatchSaved(before, saved, snapshot, tuple(to_move))
        save_matches(self._connection, [entry])
        return saved

    def mend(self, number: int, snapshot: Snapshot) -> None:
        set_snapshots(self._connection, [(number, snapshot)])
        self._connection.execute(
            update(matches)
            .where(matches.c.number == number)
            .values(read_from=0, plies_before=0, undos_before=0)
        )

    def numbers(self) -> Iterator[int]:
        last = 0
        while True:
            page = self._connection.scalars(_NUMBERS, {"last": last}).all()
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1]

    def listing(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
        limit: int = 200,
    ) -> tuple[MatchRow, ...]:
        return find_boards(self._connection, game, players, over=over, to_move=to_move, limit=limit)

    def count(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
    ) -> int:
        return count_boards(self._connection, game, players, over=over, to_move=to_move)

    def history(
        self, game: str | None, players: Sequence[PlayerId], *, limit: int
    ) -> tuple[HistoryRow, ...]:
        return find_finished(self._connection, game, players, limit=limit)

    def rated_after(self, game: str, at: datetime, number: int) -> Iterator[RatedRow]:
        return rated_after(self._connection, game, at, number)

    def set_outcome(self, number: int, outcome: Outcome) -> None:
        set_outcome(self._connection, number, outcome)

    def clocks(self, numbers: Sequence[int]) -> dict[int, Match]:
        return find_clocks(self._connection, numbers)

    def look_due(self, now: datetime, limit: int) -> tuple[int, ...]:
        return tuple(self._connection.scalars(_LOOK_DUE, {"now": now, "most": limit}))

    def look_due_of(self, player: PlayerId, until: datetime) -> tuple[int, ...]:
        return tuple(self._connection.scalars(_LOOK_DUE_OF, {"now": until, "player": player}))

    def set_look(self, match: Match, at: datetime | None) -> None:
        stored = {"wanted": match.number, "expected": match.version}
        self._connection.execute(_SET_LOOK, {**stored, "look_at": at})

    def skip_look(self, number: int, at: datetime) -> None:
        self._connection.execute(_SKIP_LOOK, {"wanted": number, "look_at": at})

    def look_soon(self, player: PlayerId | None, now: datetime) -> None:
        if player is None:
            self._connection.execute(_LOOK_SOON, {"look_at": now})
        else:
            self._connection.execute(
                _LOOK_SOON.where(_OF_PLAYER), {"player": player, "look_at": now}
            )

    def census(self) -> dict[str, GameCounts]:
        return count_games(self._connection)
