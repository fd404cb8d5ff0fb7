"""Players from their rows, one for each address, and the statements that find those rows."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from pbm.domain.player import Player, PlayerId, PlayerKind, PlayerState, Trouble
from pbm.engine import from_json
from pbm.store.prepared import Prepared, among
from pbm.store.tables import addresses, players


class PlayerRow(NamedTuple):
    """A player with one of their addresses, or with none."""

    id: PlayerId
    userid: str
    state: str
    created_at: datetime
    settings: str
    tokens_since: datetime | None
    kind: str
    address: str | None
    failures: int | None
    off_at: datetime | None


ROWS = (
    select(
        *(players.c[name] for name in PlayerRow._fields if name in players.c),
        addresses.c.address,
        addresses.c.failures,
        addresses.c.off_at,
    )
    .outerjoin_from(players, addresses)
    .order_by(players.c.id, addresses.c.position)
)
"""The rows of all players, in the order that `players_of` needs; queries narrow it."""

_OWNING = players.c.id.in_(
    select(addresses.c.player_id).where(addresses.c.address_folded == bindparam("folded"))
)

_BY_IDS = Prepared(lambda dialect: ROWS.where(among(dialect, players.c.id, "ids")), "ids")

BY_USERID = Prepared(lambda _: ROWS.where(players.c.userid_folded == bindparam("folded")), "folded")

OWNERS = Prepared(lambda _: ROWS.where(_OWNING), "folded")

BY_ADDRESS = Prepared(
    lambda _: ROWS.where(_OWNING, players.c.state == PlayerState.ACTIVE.value), "folded"
)


def find_players(
    connection: Connection, ids: Collection[PlayerId]
) -> Callable[[], dict[PlayerId, Player]]:
    """Ask for these players by id."""
    asked = _BY_IDS.ask(connection, ids)
    return lambda: {player.id: player for player in players_of(asked.rows)}


def players_of(rows: Iterable[Sequence[Any]]) -> tuple[Player, ...]:
    """Return the players of rows with the values of a `PlayerRow`, in the order of `ROWS`."""
    return tuple(
        [_player(list(map(PlayerRow._make, group))) for _, group in groupby(rows, itemgetter(0))]
    )


def _player(rows: Sequence[PlayerRow]) -> Player:
    """Return the player described by rows that differ only in the address."""
    first = rows[0]
    return Player(
        id=first.id,
        userid=first.userid,
        addresses=tuple([row.address for row in rows if row.address is not None]),
        state=_STATES[first.state],
        created_at=first.created_at,
        settings=_settings(first.settings),
        troubles={
            row.address: Trouble(row.failures, row.off_at)
            for row in rows
            if row.address is not None and row.failures
        },
        tokens_since=first.tokens_since,
        kind=_KINDS[first.kind],
    )


# Most players have set the same few things.
@lru_cache(1000)
def _settings(text: str) -> Mapping[str, str]:
    settings: Mapping[str, str] = from_json(text)
    return settings


# A lookup by value is ten times quicker than PlayerState(value).
_STATES = {state.value: state for state in PlayerState}
_KINDS = {kind.value: kind for kind in PlayerKind}
