"""Lists of matches: boards, finished matches, and counts.

A list takes two queries, however many boards it has.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Select, bindparam, func, or_, select

from pbm.domain.match import Outcome
from pbm.domain.player import PlayerId, PlayerKind
from pbm.engine import from_json, from_plain
from pbm.service.ports import GameCounts, HistoryRow, MatchRow, RatedRow
from pbm.store.dialects import AnyRow
from pbm.store.statements import Repository
from pbm.store.tables import matches, players, seats

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


class MatchLists(Repository):
    """Lists and counts of matches."""

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
