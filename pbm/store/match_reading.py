"""Matches as they are read: several at once with their logs and pauses, or as rows of lists."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, case, func, null, or_, select

from pbm.domain.invitations import Terms
from pbm.domain.logs import Earlier, EntryKind, Log, LogEntry
from pbm.domain.match import Match, Outcome, Reminded, Reminder, SealedChoice
from pbm.domain.pages import board_path
from pbm.domain.pauses import Pause
from pbm.domain.player import PlayerId, PlayerKind
from pbm.engine import Seat, Setup, from_json, from_plain, frozen
from pbm.store.driver.dialects import AnyRow, among
from pbm.store.repository import Connected, Repository, by_first, columns_of
from pbm.store.tables import log, matches, players, seats, snapshots
from pbm.store.time import DURING, of_match, pauses_in


@frozen
class Snapshot:
    """A stored position: the state after `ply` plies, as canonical JSON. A cache, not the truth."""

    ply: int
    state: str


# A lookup by value is ten times quicker than EntryKind(value), and a log is long.
_KINDS = {kind.value: kind for kind in EntryKind}

_player, _starter = attrgetter("player_id"), attrgetter("starter_id")

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
        setup=Setup(_options(first.options), _dealt(first.dealt)),
        terms=_terms(first.terms),
        starters=tuple(map(_starter, rows)),
        players=tuple(map(_player, rows)),
        started_at=first.started_at,
        turn_since=first.turn_since,
        log=log,
        outcome=None if first.outcome is None else from_plain(Outcome, from_json(first.outcome)),
        ended_at=first.ended_at,
        reminded=_reminded(first.reminded),
        sealed=_sealed(first.sealed),
        pauses=pauses,
        look_at=first.look_at,
        version=first.version,
    )


def entries_of(rows: Iterable[Sequence[Any]]) -> tuple[LogEntry, ...]:
    """Return the entries of rows of kind, seat, text, time and comment."""
    return tuple(
        [LogEntry(_KINDS[kind], seat, text, at, comment) for kind, seat, text, at, comment in rows]
    )


# Most matches are played on the same few options and terms.
@lru_cache(1000)
def _options(text: str) -> Mapping[str, str]:
    options: Mapping[str, str] = from_json(text)
    return options


@lru_cache(1000)
def _dealt(text: str) -> tuple[str, ...]:
    return tuple(from_json(text))


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


def _sealed(text: str) -> dict[Seat, SealedChoice]:
    if text == "{}":
        return {}
    return {
        int(seat): SealedChoice(chosen, datetime.fromisoformat(at).astimezone(UTC), comment)
        for seat, (chosen, at, comment) in from_json(text).items()
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
    """Return the log of the match of `row`, of which `entries` are those from `read_from` on.

    What comes before is asked of `read`. Entries that are younger than the row are left out.
    """
    if entries and entries[0][1] > row.read_from:
        # It was shortened after the row of the match had been read.
        return Log(read(row.number, row.log_length))
    there = entries[: row.log_length - row.read_from]
    recent = entries_of([entry[2:] for entry in there])
    if not row.read_from:
        return Log(recent)
    head = partial(read, row.number, row.read_from)
    return Log(recent, Earlier(row.read_from, row.plies_before, row.undos_before, head))


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


class MatchRow(NamedTuple):
    """A match as lists have it, without its log.

    `ply` is the number of plies played, `stored_outcome` JSON or None, `stored_options` JSON.
    Players and their userids are by seat, `to_move` are seats. `robots` are those of the `userids`
    who are robots.
    """

    number: int
    game: str
    rules_version: int
    version: int
    ply: int
    started_at: datetime
    turn_since: datetime
    ended_at: datetime | None
    stored_outcome: str | None
    stored_options: str
    players: tuple[PlayerId, ...]
    userids: tuple[str, ...]
    to_move: tuple[int, ...]
    robots: tuple[str, ...]

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the game."""
        found: Mapping[str, str] = from_json(self.stored_options)
        return found

    @property
    def shown(self) -> tuple[str, ...]:
        """The players as lists show them."""
        return tuple(f"{each} (robot)" if each in self.robots else each for each in self.userids)

    @property
    def over(self) -> bool:
        """True once there is an outcome."""
        return self.stored_outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result."""
        return _outcome(self.stored_outcome) if self.stored_outcome else None

    @property
    def moved_at(self) -> datetime:
        """When the last move was made, or the match ended."""
        return self.ended_at or self.turn_since

    @property
    def moved_on(self) -> date:
        """The day of the last move, or of the end."""
        return self.moved_at.date()

    @property
    def path(self) -> str:
        """The address of its page below the root of the site."""
        return board_path(self.number)


# A list of results is made again when one is added.
@lru_cache(20_000)
def _outcome(text: str) -> Outcome:
    outcome: Outcome = from_plain(Outcome, from_json(text))
    return outcome


@frozen
class GameCounts:
    """Counts of a game: boards open and over, and players on the open ones."""

    open: int = 0
    over: int = 0
    players: int = 0


_BOARDS_OF_GAMES = select(
    matches.c.game,
    func.count().filter(matches.c.over.is_(False)),
    func.count().filter(matches.c.over.is_(True)),
).group_by(matches.c.game)

_PLAYERS_OF_GAMES = (
    select(matches.c.game, func.count(seats.c.player_id.distinct()))
    .join_from(matches, seats)
    .where(matches.c.over.is_(False))
    .group_by(matches.c.game)
)

BOARDS = select(
    *(matches.c[name] for name in MatchRow._fields if name in matches.c),
    matches.c.outcome,
    matches.c.options,
)
"""Rows of matches, without their players."""

_SITTERS = (
    select(seats, players.c.userid, players.c.kind)
    .join_from(seats, players, players.c.id == seats.c.player_id)
    .order_by(seats.c.match_number, seats.c.seat)
)


class MatchLists(Repository):
    """Lists and counts of matches."""

    def numbered(self, numbers: Collection[int]) -> Iterator[MatchRow]:
        """Yield the rows of these matches, in order of number."""
        return self._of(BOARDS.where(matches.c.number.in_(numbers)).order_by(matches.c.number))

    def listing(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
        limit: int = 200,
    ) -> tuple[MatchRow, ...]:
        """Return rows in order of number: of `game`, with any of `players`; `to_move`: at turn."""
        wanted = boards_where(game, players, over=over, to_move=to_move).limit(limit)
        return tuple(self._of(wanted))

    def count(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
    ) -> int:
        """Return how many rows `listing` would have without a limit."""
        wanted = boards_where(game, players, over=over, to_move=to_move)
        numbers = wanted.with_only_columns(matches.c.number).order_by(None).subquery()
        counted = self._unit.read(select(func.count()).select_from(numbers))
        return int(counted.scalar_one())

    def history(
        self, game: str | None, players: Sequence[PlayerId], *, limit: int
    ) -> tuple[MatchRow, ...]:
        """Return finished matches, of `game`, with any of `players`, the newest first."""
        finished = boards_where(game, players, over=True, to_move=False).order_by(None)
        newest = finished.order_by(matches.c.ended_at.desc(), matches.c.number.desc())
        return self._first(newest.limit(limit))

    def rated_with_others(self, those: Sequence[PlayerId]) -> frozenset[PlayerId]:
        """Return those players who have ended a rated match with somebody else."""
        own, other = seats.alias(), seats.alias()
        rated = (
            select(other.c.match_number)
            .join_from(own, other, own.c.match_number == other.c.match_number)
            .join(matches, matches.c.number == own.c.match_number)
            .where(
                own.c.player_id == players.c.id,
                other.c.player_id.not_in(those),
                matches.c.over.is_(True),
                matches.c.outcome.contains('"ratings":[{'),
            )
        )
        return frozenset(
            self._unit.read(
                select(players.c.id).where(players.c.id.in_(those), rated.exists())
            ).scalars()
        )

    def ended_after(self, game: str, at: datetime, number: int) -> Iterator[MatchRow]:
        """Yield the matches of a game that ended after match `number`, which did at `at`.

        They come in the order in which they ended.
        """
        after = or_(
            matches.c.ended_at > at, (matches.c.ended_at == at) & (matches.c.number > number)
        )
        ended = boards_where(game, (), over=True, to_move=False).where(after).order_by(None)
        return self._of(ended.order_by(matches.c.ended_at, matches.c.number))

    def census(self) -> dict[str, GameCounts]:
        """Return what is played of each game."""
        counted = self._unit.read(_BOARDS_OF_GAMES).all()
        playing: dict[str, int] = dict(map(tuple, self._unit.read(_PLAYERS_OF_GAMES)))
        found = defaultdict[str, GameCounts](GameCounts)
        for game, running, over in counted:
            found[game] = GameCounts(running, over, playing.get(game, 0))
        return found

    def _first(self, wanted: Select[Any]) -> tuple[MatchRow, ...]:
        """Return the first rows that are wanted. Sorting numbers alone is five times as fast."""
        found = self._unit.read(wanted.with_only_columns(matches.c.number))
        numbers = list(found.scalars())
        rows = {row.number: row for row in self.numbered(numbers)}
        return tuple([rows[number] for number in numbers])

    def _of(self, wanted: Select[Any]) -> Iterator[MatchRow]:
        """Yield the rows of the boards that are wanted."""
        numbers = wanted.with_only_columns(matches.c.number).subquery()
        return self._rows(wanted, _SITTERS.where(seats.c.match_number.in_(select(numbers))))

    def _rows(self, boards: Select[Any], sitters: Select[Any]) -> Iterator[MatchRow]:
        sitting = defaultdict[int, list[AnyRow]](list)
        for row in self._unit.read(sitters):
            sitting[row.match_number].append(row)
        for board in self._unit.read(boards):
            yield _row(board, sitting[board.number])


def boards_where(
    game: str | None, of: Sequence[PlayerId], *, over: bool | None, to_move: bool
) -> Select[Any]:
    """Return the query of the matches of `game`, with any of these players, in order of number."""
    boards = BOARDS
    if game is not None:
        boards = boards.where(matches.c.game == game).order_by(matches.c.game)
    if over is not None:
        boards = boards.where(matches.c.over.is_(over)).order_by(matches.c.over)
    if to_move:
        # Somebody is to move on every board that is not over: a game's contract says so.
        boards = boards.where(matches.c.over.is_(False)).order_by(matches.c.over)
    if of:
        theirs = select(seats.c.match_number).where(seats.c.player_id.in_(of))
        if to_move:
            theirs = theirs.where(seats.c.to_move.is_(True))
        boards = boards.where(matches.c.number.in_(theirs))
    # The columns ordered by above are the same in every row. Naming them makes PostgreSQL use the
    # index that begins with them, instead of walking past every old board to the open ones.
    return boards.order_by(matches.c.number)


def _row(board: AnyRow, sitting: Sequence[AnyRow]) -> MatchRow:
    there = (
        tuple([row.player_id for row in sitting]),
        tuple([row.userid for row in sitting]),
        tuple([seat for seat, row in enumerate(sitting) if row.to_move]),
        tuple([row.userid for row in sitting if row.kind == PlayerKind.ROBOT.value]),
    )
    return MatchRow._make((*board, *there))
