"""Ratings by game, and the rating list."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, func, select

from pbm.domain.player import PlayerId, PlayerState
from pbm.domain.rating import Rating
from pbm.service.ports import StandingRow
from pbm.store.columns import AnyRow
from pbm.store.tables import matches, players, ratings, seats, seeks, stances
from pbm.store.upsert import replacing

_RATING = (
    ratings.c.rating,
    ratings.c.deviation,
    ratings.c.volatility,
    ratings.c.won,
    ratings.c.lost,
    ratings.c.drawn,
    ratings.c.updated_at,
)

_OF = select(ratings.c.player_id, *_RATING).where(
    ratings.c.game == bindparam("game"),
    ratings.c.player_id.in_(bindparam("players", expanding=True)),
)

_ALL_OF = (
    select(ratings.c.game, *_RATING)
    .where(ratings.c.player_id == bindparam("player"))
    .order_by(ratings.c.game)
)

_SAVE = replacing(ratings)

_STANDINGS = (
    select(
        players.c.id,
        players.c.userid,
        stances.c.most_boards,
        func.coalesce(seeks.c.boards, 0).label("seeking"),
        *_RATING,
    )
    .join_from(ratings, players, players.c.id == ratings.c.player_id)
    .outerjoin(stances, (stances.c.player_id == players.c.id) & (stances.c.game == ratings.c.game))
    .outerjoin(seeks, (seeks.c.player_id == players.c.id) & (seeks.c.game == ratings.c.game))
    .where(ratings.c.game == bindparam("game"), players.c.state == PlayerState.ACTIVE.value)
    .order_by(ratings.c.rating.desc(), players.c.id)
    .limit(bindparam("most"))
)

# All open boards of the game are counted at once, and not those of each player: a player has
# far more boards that are over, and of other games, than open ones of this game. Who sits on
# both sides of a board has one board.
_ACTIVE = (
    select(seats.c.player_id, func.count(seats.c.match_number.distinct()).label("boards"))
    .join_from(matches, seats)
    .where(matches.c.game == bindparam("game"), matches.c.over.is_(False))
    .group_by(seats.c.player_id)
)


class SqlRatings:
    """`pbm.service.ports.Ratings`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Rating]:
        wanted = sorted(set(players))
        rows = self._connection.execute(_OF, {"game": game, "players": wanted})
        return {row.player_id: _rating(row) for row in rows}

    def all_of(self, player: PlayerId) -> dict[str, Rating]:
        rows = self._connection.execute(_ALL_OF, {"player": player})
        return {row.game: _rating(row) for row in rows}

    def save(self, game: str, player: PlayerId, rating: Rating) -> None:
        self._connection.execute(
            _SAVE[self._connection.dialect.name],
            {
                "player_id": player,
                "game": game,
                "rating": rating.rating,
                "deviation": rating.deviation,
                "volatility": rating.volatility,
                "won": rating.won,
                "lost": rating.lost,
                "drawn": rating.drawn,
                "updated_at": rating.updated_at,
            },
        )

    def standings(self, game: str, limit: int = 200) -> tuple[StandingRow, ...]:
        rows = self._connection.execute(_STANDINGS, {"game": game, "most": limit}).all()
        counted = self._connection.execute(_ACTIVE, {"game": game})
        active = {row.player_id: int(row.boards) for row in counted}
        return tuple(
            StandingRow(
                player=row.id,
                userid=row.userid,
                rating=_rating(row),
                active=active.get(row.id, 0),
                limit=row.most_boards,
                seeking=row.seeking,
            )
            for row in rows
        )


def _rating(row: AnyRow) -> Rating:
    return Rating(
        rating=row.rating,
        deviation=row.deviation,
        volatility=row.volatility,
        won=row.won,
        lost=row.lost,
        drawn=row.drawn,
        updated_at=row.updated_at,
    )
