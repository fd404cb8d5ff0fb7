"""Ratings by game, and the rating lists of people."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, func, select, update

from pbm.domain.player import PlayerId, PlayerKind, PlayerState
from pbm.domain.ratings import Rating
from pbm.engine import frozen
from pbm.store.driver.dialects import in_each_dialect
from pbm.store.errors import Conflict
from pbm.store.repository import Repository, columns_of, writes
from pbm.store.tables import matches, players, ratings, seats, seeks, stances


@frozen
class StandingRow:
    """A line of a rating list of people; `active` counts open boards of the game."""

    player: PlayerId
    userid: str
    rating: Rating
    active: int
    limit: int | None
    seeking: int


_RATING = columns_of(Rating, ratings)


_OF = select(ratings.c.game, ratings.c.player_id, *_RATING).where(
    ratings.c.game.in_(bindparam("games", expanding=True)),
    ratings.c.player_id.in_(bindparam("players", expanding=True)),
)


_ALL_OF = (
    select(ratings.c.game, *_RATING)
    .where(ratings.c.player_id == bindparam("player"))
    .order_by(ratings.c.game)
)


_FIRST = in_each_dialect(
    ratings, lambda start: start.on_conflict_do_nothing().returning(ratings.c.player_id)
)


# Two matches of one player that end at the same time must both count: a rating is written only
# over the one that it was computed from.
_CHANGE = update(ratings).where(
    ratings.c.player_id == bindparam("player"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.rating == bindparam("rating_before"),
    ratings.c.updated_at == bindparam("updated_before"),
)


_LISTED = (
    select(players.c.id)
    .join_from(ratings, players, players.c.id == ratings.c.player_id)
    .where(
        ratings.c.game == bindparam("game"),
        players.c.state == PlayerState.ACTIVE.value,
        players.c.kind == PlayerKind.PERSON.value,
        # A rating that was restored may come from no match at all.
        ratings.c.won + ratings.c.lost + ratings.c.drawn > 0,
    )
    .order_by(ratings.c.rating.desc(), players.c.id)
    .limit(bindparam("most"))
)


_STANDINGS = (
    _LISTED.with_only_columns(
        players.c.id,
        players.c.userid,
        stances.c.most_boards,
        func.coalesce(seeks.c.boards, 0).label("seeking"),
        *_RATING,
    )
    .outerjoin(stances, (stances.c.player_id == players.c.id) & (stances.c.game == ratings.c.game))
    .outerjoin(seeks, (seeks.c.player_id == players.c.id) & (seeks.c.game == ratings.c.game))
)


# This goes through the open boards of the game once, not through the boards of each player, most
# of which are over or of other games. A player on both sides of a board has one board.
_ACTIVE = (
    select(seats.c.player_id, func.count(seats.c.match_number.distinct()).label("boards"))
    .join_from(matches, seats)
    .where(
        matches.c.game == bindparam("game"),
        matches.c.over.is_(False),
        seats.c.player_id.in_(_LISTED),
    )
    .group_by(seats.c.player_id)
)


class Ratings(Repository):
    """Ratings by game."""

    def of(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Rating]:
        """Return the stored ratings; players without one are left out."""
        found = self._unit.look(find_ratings, [(game, player) for player in sorted(set(players))])
        return {player: rating for (_, player), rating in found.items()}

    def everybody(self) -> dict[PlayerId, dict[str, Rating]]:
        """Return all ratings, by player and game."""
        found = defaultdict[PlayerId, dict[str, Rating]](dict)
        rows = select(ratings.c.player_id, ratings.c.game, *_RATING).order_by(ratings.c.game)
        for player, game, *rating in self._unit.read(rows):
            found[player][game] = Rating(*rating)
        return found

    def all_of(self, player: PlayerId) -> dict[str, Rating]:
        """Return a player's ratings by game."""
        rows = self._unit.read(_ALL_OF, {"player": player})
        return {game: Rating(*rating) for game, *rating in rows}

    def save(self, game: str, player: PlayerId, before: Rating | None, after: Rating) -> None:
        """Store `after`; raise Conflict unless `before` is stored, or nothing if that is None."""
        self._unit.write(
            store_ratings, (game, player, before, after),
            change=(find_ratings, (game, player), lambda _: after),
        )  # fmt: skip

    def standings(self, game: str, limit: int = 200) -> tuple[StandingRow, ...]:
        """Return the rated active players, the highest first, with all that the list shows."""
        rows = self._unit.read(_STANDINGS, {"game": game, "most": limit}).all()
        counted = self._unit.read(_ACTIVE, {"game": game, "most": limit})
        active = {row.player_id: int(row.boards) for row in counted}
        return tuple(
            StandingRow(player, userid, Rating(*rating), active.get(player, 0), limit, seeking)
            for player, userid, limit, seeking, *rating in rows
        )


def find_ratings(
    connection: Connection, keys: Collection[tuple[str, PlayerId]]
) -> dict[tuple[str, PlayerId], Rating]:
    """Return ratings by game and player."""
    games, players = {game for game, _ in keys}, {player for _, player in keys}
    rows = connection.execute(_OF, {"games": sorted(games), "players": sorted(players)}).all()
    found = {(game, player): Rating(*rating) for game, player, *rating in rows}
    return {key: rating for key, rating in found.items() if key in keys}


@writes(ratings)
def store_ratings(
    connection: Connection, saved: Sequence[tuple[str, PlayerId, Rating | None, Rating]]
) -> None:
    """Store ratings, each in place of the one that it was computed from; raise Conflict."""
    for game, player, before, after in saved:
        values = asdict(after)
        if before is None:
            first = {"player_id": player, "game": game, **values}
            # For an INSERT, SQLAlchemy reports the number of stored rows on SQLite only.
            added = connection.execute(_FIRST[connection.dialect.name], first)
            is_stored = added.first() is not None
        else:
            key = {"player": player, "of_game": game}
            known = {"rating_before": before.rating, "updated_before": before.updated_at}
            is_stored = connection.execute(_CHANGE, {**key, **known, **values}).rowcount == 1
        if not is_stored:
            raise Conflict("a rating has been changed by another match")
