"""Lists of matches: boards, finished matches, and counts.

A list takes two queries, however many boards it has.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select

from pbm.domain.match import Outcome
from pbm.domain.player import PlayerId, PlayerKind
from pbm.engine import from_json, from_plain
from pbm.service.ports import GameCounts, HistoryRow, MatchRow
from pbm.store.dialects import AnyRow
from pbm.store.tables import matches, players, seats


def find_boards(
    connection: Connection,
    game: str | None,
    of: Sequence[PlayerId],
    *,
    over: bool | None,
    to_move: bool,
    limit: int,
) -> tuple[MatchRow, ...]:
    """See `Matches.listing`."""
    wanted = _boards(game, of, over=over, to_move=to_move).limit(limit)
    boards = connection.execute(wanted).all()
    sitting = defaultdict(list)
    numbers = wanted.with_only_columns(matches.c.number).subquery()
    for row in connection.execute(_sitters(numbers)):
        sitting[row.match_number].append(row)
    return tuple(_row(board, sitting[board.number]) for board in boards)


def count_boards(
    connection: Connection,
    game: str | None,
    of: Sequence[PlayerId],
    *,
    over: bool | None,
    to_move: bool,
) -> int:
    """See `Matches.count`."""
    wanted = _boards(game, of, over=over, to_move=to_move).with_only_columns(matches.c.number)
    counted = select(func.count()).select_from(wanted.order_by(None).subquery())
    return int(connection.execute(counted).scalar_one())


def find_finished(
    connection: Connection, game: str | None, of: Sequence[PlayerId], *, limit: int
) -> tuple[HistoryRow, ...]:
    """See `Matches.history`."""
    wanted = _finished(game, of).limit(limit)
    boards = connection.execute(wanted).all()
    sitting = defaultdict(list)
    numbers = wanted.with_only_columns(matches.c.number).subquery()
    for row in connection.execute(_sitters(numbers)):
        sitting[row.match_number].append(row)
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


def _finished(game: str | None, of: Sequence[PlayerId]) -> Select[Any]:
    boards = select(
        matches.c.number, matches.c.game, matches.c.ply, matches.c.outcome, matches.c.ended_at
    ).where(matches.c.over.is_(True), matches.c.number.in_(_seated(of, to_move=False)))
    if game is not None:
        boards = boards.where(matches.c.game == game)
    return boards.order_by(matches.c.ended_at.desc(), matches.c.number.desc())


_BOARDS_OF_GAMES = select(matches.c.game, matches.c.over, func.count().label("boards")).group_by(
    matches.c.game, matches.c.over
)

_PLAYERS_OF_GAMES = (
    select(matches.c.game, func.count(seats.c.player_id.distinct()).label("players"))
    .join_from(matches, seats)
    .where(matches.c.over.is_(False))
    .group_by(matches.c.game)
)


def count_games(connection: Connection) -> dict[str, GameCounts]:
    """See `Matches.census`."""
    boards = {(row.game, row.over): row.boards for row in connection.execute(_BOARDS_OF_GAMES)}
    players = {row.game: row.players for row in connection.execute(_PLAYERS_OF_GAMES)}
    return {
        game: GameCounts(
            open=boards.get((game, False), 0),
            over=boards.get((game, True), 0),
            players=players.get(game, 0),
        )
        for game, _ in boards
    }


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
