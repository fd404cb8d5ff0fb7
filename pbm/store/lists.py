"""Lists and counts of matches, open and finished."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Select, func, or_, select

from pbm.domain.match import Outcome
from pbm.domain.pages import board_path
from pbm.domain.player import PlayerId, PlayerKind
from pbm.engine import from_json, from_plain
from pbm.store.driver.dialects import AnyRow
from pbm.store.repository import Repository
from pbm.store.tables import matches, players, seats


class MatchRow(NamedTuple):
    """A match as lists have it, without its log.

    `ply` is the number of plies played, `stored_outcome` JSON or None. Players and their userids
    are by seat, `to_move` are seats. `robots` are those of the `userids` who are robots.
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
    players: tuple[PlayerId, ...]
    userids: tuple[str, ...]
    to_move: tuple[int, ...]
    robots: tuple[str, ...]

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

_BOARDS = select(
    *(matches.c[name] for name in MatchRow._fields if name in matches.c), matches.c.outcome
)

_SITTERS = (
    select(seats, players.c.userid, players.c.kind)
    .join_from(seats, players, players.c.id == seats.c.player_id)
    .order_by(seats.c.match_number, seats.c.seat)
)


class MatchLists(Repository):
    """Lists and counts of matches."""

    def everything(self) -> Iterator[MatchRow]:
        """Yield a row for every match, in order of number."""
        return self._rows(_BOARDS.order_by(matches.c.number), _SITTERS)

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
        wanted = _boards(game, players, over=over, to_move=to_move)
        numbers = wanted.with_only_columns(matches.c.number).order_by(None).subquery()
        counted = self._unit.read(select(func.count()).select_from(numbers))
        return int(counted.scalar_one())

    def history(
        self, game: str | None, players: Sequence[PlayerId], *, limit: int
    ) -> tuple[MatchRow, ...]:
        """Return finished matches, of `game`, with any of `players`, the newest first."""
        finished = _boards(game, players, over=True, to_move=False).order_by(None)
        newest = finished.order_by(matches.c.ended_at.desc(), matches.c.number.desc())
        return tuple(self._of(newest.limit(limit)))

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
        ended = _boards(game, (), over=True, to_move=False).where(after).order_by(None)
        return self._of(ended.order_by(matches.c.ended_at, matches.c.number))

    def census(self) -> dict[str, GameCounts]:
        """Return what is played of each game; games never played are left out."""
        counted = self._unit.read(_BOARDS_OF_GAMES)
        boards = {(row.game, row.over): row.boards for row in counted}
        playing = {row.game: row.players for row in self._unit.read(_PLAYERS_OF_GAMES)}
        return {
            game: GameCounts(
                open=boards.get((game, False), 0),
                over=boards.get((game, True), 0),
                players=playing.get(game, 0),
            )
            for game, _ in boards
        }

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


def _boards(
    game: str | None, of: Sequence[PlayerId], *, over: bool | None, to_move: bool
) -> Select[Any]:
    boards = _BOARDS
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


def _row(board: AnyRow, sitting: Sequence[AnyRow]) -> MatchRow:
    there = (
        tuple([row.player_id for row in sitting]),
        tuple([row.userid for row in sitting]),
        tuple([seat for seat, row in enumerate(sitting) if row.to_move]),
        tuple([row.userid for row in sitting if row.kind == PlayerKind.ROBOT.value]),
    )
    return MatchRow._make((*board, *there))
