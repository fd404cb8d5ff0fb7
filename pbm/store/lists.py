"""Lists and counts of matches, open and finished."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, func, or_, select

from pbm.domain.match import Outcome
from pbm.domain.pages import board_path
from pbm.domain.player import PlayerId, PlayerKind
from pbm.engine import from_json, from_plain
from pbm.store.driver.dialects import AnyRow
from pbm.store.driver.statements import Repository
from pbm.store.tables import matches, players, seats


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A line of a table of boards; `ply` is the number of plies played, `to_move` are seats.

    `robots` are those of the `players` who are robots.
    """

    number: int
    game: str
    players: tuple[str, ...]
    ply: int
    to_move: tuple[int, ...]
    turn_since: datetime
    over: bool
    robots: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The players as lists show them."""
        return _marked(self.players, self.robots)


class BoardRow(NamedTuple):
    """A match as web pages list it; `players` by seat, `stored_outcome` is JSON or None."""

    number: int
    game: str
    rules_version: int
    version: int
    ply: int
    started_at: datetime
    turn_since: datetime
    ended_at: datetime | None
    stored_outcome: str | None
    players: tuple[PlayerId, ...]
    to_move: tuple[int, ...]

    @property
    def over(self) -> bool:
        """True once there is an outcome."""
        return self.stored_outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result."""
        return _outcome(self.stored_outcome) if self.stored_outcome else None

    @property
    def started_on(self) -> date:
        """The day of its beginning."""
        return self.started_at.date()

    @property
    def moved_on(self) -> date:
        """The day of the last move, or of the end."""
        return (self.ended_at or self.turn_since).date()

    @property
    def path(self) -> str:
        """The address of its page below the root of the site."""
        return board_path(self.number)


# A list of results is made again when one is added.
@lru_cache(20_000)
def _outcome(text: str) -> Outcome:
    outcome: Outcome = from_plain(Outcome, from_json(text))
    return outcome


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A finished match in a table; `players` by seat, `ply` the number of plies played.

    `robots` are those of the `players` who are robots.
    """

    number: int
    game: str
    players: tuple[str, ...]
    ply: int
    outcome: Outcome
    ended_at: datetime
    robots: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The players as lists show them."""
        return _marked(self.players, self.robots)


def _marked(players: tuple[str, ...], robots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{each} (robot)" if each in robots else each for each in players)


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A finished match that was rated; `players` by seat."""

    number: int
    players: tuple[PlayerId, ...]
    outcome: Outcome
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class GameCounts:
    """Counts of a game: boards open and over, and players on the open ones."""

    open: int
    over: int
    players: int


_BOARDS_OF_GAMES = select(matches.c.game, matches.c.over, func.count().label("boards")).group_by(
    matches.c.game, matches.c.over
)

_PLAYERS_OF_GAMES = (
    select(matches.c.game, func.count(seats.c.player_id.distinct()).label("players"))
    .join_from(matches, seats)
    .where(matches.c.over.is_(False))
    .group_by(matches.c.game)
)

_RATED_AFTER = (
    select(matches.c.number, matches.c.outcome, matches.c.ended_at, seats.c.player_id)
    .join_from(matches, seats)
    .where(
        matches.c.game == bindparam("game"),
        matches.c.over.is_(True),
        or_(
            matches.c.ended_at > bindparam("at"),
            (matches.c.ended_at == bindparam("at")) & (matches.c.number > bindparam("number")),
        ),
    )
    .order_by(matches.c.ended_at, matches.c.number, seats.c.seat)
)


_EVERYTHING = select(
    matches.c.number,
    matches.c.game,
    matches.c.rules_version,
    matches.c.version,
    matches.c.ply,
    matches.c.started_at,
    matches.c.turn_since,
    matches.c.ended_at,
    matches.c.outcome,
).order_by(matches.c.number)

_SEATED = select(seats.c.match_number, seats.c.player_id, seats.c.to_move).order_by(
    seats.c.match_number, seats.c.seat
)


class MatchLists(Repository):
    """Lists and counts of matches."""

    def everything(self) -> Iterator[BoardRow]:
        """Yield a row for every match, in order of number."""
        sitting = defaultdict[int, list[AnyRow]](list)
        for row in self._connection.execute(_SEATED):
            sitting[row.match_number].append(row)
        for board in self._connection.execute(_EVERYTHING):
            there = sitting[board.number]
            yield BoardRow(
                *board,
                tuple([row.player_id for row in there]),
                tuple([seat for seat, row in enumerate(there) if row.to_move]),
            )

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
        wanted = _boards(game, players, over=over, to_move=to_move).limit(limit)
        boards, sitting = self._with_sitters(wanted)
        return tuple(_row(board, sitting[board.number]) for board in boards)

    def count(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
    ) -> int:
        """Return how many rows `listing` would have without a limit."""
        wanted = _boards(game, players, over=over, to_move=to_move)
        numbers = wanted.with_only_columns(matches.c.number).order_by(None).subquery()
        counted = self._connection.execute(select(func.count()).select_from(numbers))
        return int(counted.scalar_one())

    def history(
        self, game: str | None, players: Sequence[PlayerId], *, limit: int
    ) -> tuple[HistoryRow, ...]:
        """Return finished matches, of `game`, with any of `players`, the newest first."""
        boards, sitting = self._with_sitters(_finished(game, players).limit(limit))
        return tuple(
            HistoryRow(
                number=board.number,
                game=board.game,
                players=tuple(row.userid for row in sitting[board.number]),
                ply=board.ply,
                outcome=from_plain(Outcome, from_json(board.outcome)),
                ended_at=board.ended_at,
                robots=_robots(sitting[board.number]),
            )
            for board in boards
        )

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
            self._reader.scalars(
                select(players.c.id).where(players.c.id.in_(those), rated.exists())
            )
        )

    def rated_after(self, game: str, at: datetime, number: int) -> Iterator[RatedRow]:
        """Yield the rated matches of a game that ended after match `number`, which did at `at`.

        They come in the order in which they ended.
        """
        after = {"game": game, "at": at, "number": number}
        rows = self._connection.execute(_RATED_AFTER, after).all()
        for found, of_seats in groupby(rows, attrgetter("number")):
            seated = tuple(of_seats)
            outcome = from_plain(Outcome, from_json(seated[0].outcome))
            if outcome.ratings:
                players = tuple(row.player_id for row in seated)
                yield RatedRow(found, players, outcome, seated[0].ended_at)

    def census(self) -> dict[str, GameCounts]:
        """Return what is played of each game; games never played are left out."""
        counted = self._connection.execute(_BOARDS_OF_GAMES)
        boards = {(row.game, row.over): row.boards for row in counted}
        playing = {row.game: row.players for row in self._connection.execute(_PLAYERS_OF_GAMES)}
        return {
            game: GameCounts(
                open=boards.get((game, False), 0),
                over=boards.get((game, True), 0),
                players=playing.get(game, 0),
            )
            for game, _ in boards
        }

    def _with_sitters(
        self, wanted: Select[Any]
    ) -> tuple[Sequence[AnyRow], Mapping[int, list[AnyRow]]]:
        """Return the boards that are wanted, and by number the players who sit there."""
        sitting = defaultdict(list)
        numbers = wanted.with_only_columns(matches.c.number).subquery()
        boards = self._connection.execute(wanted).all()
        for row in self._connection.execute(_sitters(numbers)):
            sitting[row.match_number].append(row)
        return boards, sitting


def _finished(game: str | None, of: Sequence[PlayerId]) -> Select[Any]:
    boards = select(
        matches.c.number, matches.c.game, matches.c.ply, matches.c.outcome, matches.c.ended_at
    ).where(matches.c.over.is_(True), matches.c.number.in_(_seated(of, to_move=False)))
    if game is not None:
        boards = boards.where(matches.c.game == game)
    return boards.order_by(matches.c.ended_at.desc(), matches.c.number.desc())


def _boards(
    game: str | None, of: Sequence[PlayerId], *, over: bool | None, to_move: bool
) -> Select[Any]:
    boards = select(
        matches.c.number, matches.c.game, matches.c.ply, matches.c.turn_since, matches.c.over
    )
    if game is not None:
        boards = boards.where(matches.c.game == game).order_by(matches.c.game)
    if over is not None:
        boards = boards.where(matches.c.over.is_(over)).order_by(matches.c.over)
    if to_move:
        # Somebody is to move on every board that is not over: a game's contract says so.
        boards = boards.where(matches.c.over.is_(False)).order_by(matches.c.over)
    if of:
        boards = boards.where(matches.c.number.in_(_seated(of, to_move=to_move)))
    # The columns ordered by above are the same in every row. Naming them makes PostgreSQL use the
    # index that begins with them, instead of walking past every old board to the open ones.
    return boards.order_by(matches.c.number)


def _seated(of: Sequence[PlayerId], *, to_move: bool) -> Select[Any]:
    found = select(seats.c.match_number).where(seats.c.player_id.in_(of))
    return found.where(seats.c.to_move.is_(True)) if to_move else found


def _sitters(numbers: Any) -> Select[Any]:
    return (
        select(
            seats.c.match_number, seats.c.seat, seats.c.to_move, players.c.userid, players.c.kind
        )
        .join_from(seats, players, players.c.id == seats.c.player_id)
        .where(seats.c.match_number.in_(select(numbers.c.number)))
        .order_by(seats.c.match_number, seats.c.seat)
    )


def _row(board: AnyRow, sitting: Sequence[AnyRow]) -> MatchRow:
    return MatchRow(
        number=board.number,
        game=board.game,
        players=tuple(row.userid for row in sitting),
        ply=board.ply,
        to_move=tuple(row.seat for row in sitting if row.to_move),
        turn_since=board.turn_since,
        over=board.over,
        robots=_robots(sitting),
    )


def _robots(sitting: Sequence[AnyRow]) -> tuple[str, ...]:
    return tuple(row.userid for row in sitting if row.kind == PlayerKind.ROBOT.value)
