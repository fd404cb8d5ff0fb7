"""Whom players do not want to hear, and on which boards they want no followers' talk."""

from sqlalchemy import bindparam, delete, or_, select

from pbm.domain.player import PlayerId
from pbm.store.dialects import in_each_dialect
from pbm.store.repository import Repository
from pbm.store.tables import blocks, mutes

_BLOCK = in_each_dialect(
    blocks, lambda start: start.on_conflict_do_nothing().returning(blocks.c.player_id)
)
_UNBLOCK = delete(blocks).where(
    blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("blocked")
)
_BLOCKED = select(blocks.c.blocked_id).where(blocks.c.player_id == bindparam("player"))
_BLOCKERS = select(blocks.c.player_id).where(blocks.c.blocked_id == bindparam("player"))

_MUTE = in_each_dialect(
    mutes, lambda start: start.on_conflict_do_nothing().returning(mutes.c.player_id)
)
_UNMUTE = delete(mutes).where(
    mutes.c.player_id == bindparam("player"), mutes.c.number == bindparam("board")
)
_MUTED = select(mutes.c.number).where(mutes.c.player_id == bindparam("player"))
_MUTERS = select(mutes.c.player_id).where(mutes.c.number == bindparam("board"))


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

    def mute(self, player: PlayerId, number: int) -> bool:
        statement = _MUTE[self._connection.dialect.name]
        row = {"player_id": player, "number": number}
        return self._connection.scalar(statement, row) is not None

    def unmute(self, player: PlayerId, number: int) -> bool:
        gone = self._connection.execute(_UNMUTE, {"player": player, "board": number})
        return gone.rowcount == 1

    def muted_by(self, player: PlayerId) -> frozenset[int]:
        return frozenset(self._reader.scalars(_MUTED, {"player": player}))

    def muters_of(self, number: int) -> frozenset[PlayerId]:
        return frozenset(self._reader.scalars(_MUTERS, {"board": number}))

    def forget(self, player: PlayerId) -> None:
        either = or_(blocks.c.player_id == player, blocks.c.blocked_id == player)
        self._connection.execute(delete(blocks).where(either))
        self._connection.execute(delete(mutes).where(mutes.c.player_id == player))
