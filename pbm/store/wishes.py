"""Standing answers to invitations, and seeks."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, func, select, update

from pbm.domain.invitations import Answer, Seek, Stance, Terms
from pbm.domain.player import PlayerId, PlayerState
from pbm.engine import Setup, from_json, from_plain, to_json, to_plain
from pbm.service.ports import Conflict
from pbm.store.dialects import AnyRow, replacing
from pbm.store.repository import Repository
from pbm.store.tables import matches, players, seats, seeks, stances

_STANCES = select(stances.c.player_id, stances.c.answer, stances.c.most_boards).where(
    stances.c.game == bindparam("game"),
    stances.c.player_id.in_(bindparam("players", expanding=True)),
)

_SET_STANCE = replacing(stances)

_ACTIVE_BOARDS = select(func.count()).where(
    matches.c.game == bindparam("game"),
    matches.c.over.is_(False),
    matches.c.number.in_(
        select(seats.c.match_number).where(seats.c.player_id == bindparam("player"))
    ),
)

_SEEKS = (
    select(seeks)
    .join_from(seeks, players)
    .where(players.c.state == PlayerState.ACTIVE.value)
    .order_by(seeks.c.made_at, seeks.c.player_id, seeks.c.game)
)

_SEEKS_OF_GAME = _SEEKS.where(seeks.c.game == bindparam("game"))

_SEEKS_OF = select(seeks).where(seeks.c.player_id == bindparam("player")).order_by(seeks.c.game)

_SEEKS_SINCE = (
    select(seeks)
    .where(seeks.c.made_at <= bindparam("until"))
    .order_by(seeks.c.made_at, seeks.c.player_id, seeks.c.game)
    .limit(bindparam("most"))
)

_SEEK = _SEEKS.where(seeks.c.number == bindparam("wanted"))

_SET_SEEK = replacing(seeks)

_AS_SEEN = (seeks.c.number == bindparam("wanted")) & (seeks.c.boards == bindparam("seen"))
_TAKE_ONE = update(seeks).where(_AS_SEEN).values(boards=seeks.c.boards - 1)
_TAKE_LAST = delete(seeks).where(_AS_SEEN)

_END_SEEK = delete(seeks).where(
    seeks.c.player_id == bindparam("player"), seeks.c.game == bindparam("game")
)


class SqlWishes(Repository):
    """`pbm.service.ports.Wishes`."""

    def stances(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Stance]:
        wanted = sorted(set(players))
        rows = self._reader.execute(_STANCES, {"game": game, "players": wanted})
        return {row.player_id: Stance(Answer(row.answer), row.most_boards) for row in rows}

    def set_stance(self, game: str, player: PlayerId, stance: Stance) -> None:
        self._connection.execute(
            _SET_STANCE[self._connection.dialect.name],
            {
                "player_id": player,
                "game": game,
                "answer": stance.answer.value,
                "most_boards": stance.limit,
            },
        )

    def active_boards(self, game: str, player: PlayerId) -> int:
        counted = self._connection.execute(_ACTIVE_BOARDS, {"game": game, "player": player})
        return int(counted.scalar_one())

    def seeks(self, game: str | None = None) -> tuple[Seek, ...]:
        if game is None:
            return tuple(map(_seek, self._connection.execute(_SEEKS)))
        return tuple(map(_seek, self._connection.execute(_SEEKS_OF_GAME, {"game": game})))

    def seeks_of(self, player: PlayerId) -> tuple[Seek, ...]:
        return tuple(map(_seek, self._reader.execute(_SEEKS_OF, {"player": player})))

    def seeks_since(self, until: datetime, limit: int) -> tuple[Seek, ...]:
        wanted = {"until": until, "most": limit}
        return tuple(map(_seek, self._connection.execute(_SEEKS_SINCE, wanted)))

    def seek(self, number: int) -> Seek | None:
        row = self._reader.execute(_SEEK, {"wanted": number}).first()
        return _seek(row) if row else None

    def take_seek(self, seek: Seek) -> None:
        taking = _TAKE_ONE if seek.count > 1 else _TAKE_LAST
        taken = self._connection.execute(taking, {"wanted": seek.number, "seen": seek.count})
        if taken.rowcount != 1:
            raise Conflict(f"somebody else has taken a match of seek {seek.number}")

    def set_seek(self, seek: Seek) -> None:
        if seek.count == 0:
            self._connection.execute(_END_SEEK, {"player": seek.player, "game": seek.game})
            return
        self._connection.execute(
            _SET_SEEK[self._connection.dialect.name],
            {
                "player_id": seek.player,
                "game": seek.game,
                "options": to_json(dict(seek.setup.options)),
                "seed": seek.setup.seed,
                "terms": to_json(to_plain(seek.terms)),
                "boards": seek.count,
                "made_at": seek.made_at,
                "number": seek.number,
                "seat": seek.seat,
            },
        )


def _seek(row: AnyRow) -> Seek:
    return Seek(
        number=row.number,
        player=row.player_id,
        game=row.game,
        setup=Setup(from_json(row.options), row.seed),
        terms=from_plain(Terms, from_json(row.terms)),
        count=row.boards,
        made_at=row.made_at,
        seat=row.seat,
    )
