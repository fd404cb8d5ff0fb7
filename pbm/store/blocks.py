"""The players whose words other players do not want."""

from sqlalchemy import bindparam, delete, or_, select

from pbm.domain.player import PlayerId
from pbm.store.dialects import in_each_dialect
from pbm.store.repository import Repository
from pbm.store.tables import blocks

_BLOCK = in_each_dialect(
    blocks, lambda start: start.on_conflict_do_nothing().returning(blocks.c.player_id)
)
_UNBLOCK = delete(blocks).where(
    blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("blocked")
)
_BLOCKED = select(blocks.c.blocked_id).where(blocks.c.player_id == bindparam("player"))
_BLOCKERS = select(blocks.c.player_id).where(blocks.c.blocked_id == bindparam("player"))


class SqlBlocks(Repository):
    """`pbm.service.ports.Blocks`."""

    def block(self, player: PlayerId, blocked: PlayerId) -> bool:
        statement = _BLOCK[self._connection.dialect.name]
        row = {"player_id": player, "blocked_id": blocked}
        return self._connection.scalar(statement, row) is not None

    def unblock(self, player: PlayerId, blocked: PlayerId) -> bool:
        gone = self._connection.execute(_UNBLOCK, {"player": player, "blocked": blocked})
        return gone.rowcount == 1

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        return frozenset(self._reader.scalars(_BLOCKED, {"player": player}))

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        return frozenset(self._reader.scalars(_BLOCKERS, {"player": player}))

    def forget(self, player: PlayerId) -> None:
        either = or_(blocks.c.player_id == player, blocks.c.blocked_id == player)
        self._connection.execute(delete(blocks).where(either))
