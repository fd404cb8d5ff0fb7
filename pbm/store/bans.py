"""Addresses and domains that are kept out."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, delete, select

from pbm.service.ports import BanRow
from pbm.store.dialects import in_each_dialect
from pbm.store.prepared import Prepared, among
from pbm.store.repository import Repository
from pbm.store.tables import bans

_ADD = in_each_dialect(
    bans,
    lambda start: start.on_conflict_do_nothing(index_elements=["pattern"]).returning(
        bans.c.pattern
    ),
)
_REMOVE = delete(bans).where(bans.c.pattern == bindparam("unbanned"))
_ALL = select(bans).order_by(bans.c.pattern)

_AMONG = Prepared(
    lambda dialect: select(bans.c.pattern).where(among(dialect, bans.c.pattern, "patterns")),
    "patterns",
)


class SqlBans(Repository):
    """`pbm.service.ports.Bans`."""

    def add(self, row: BanRow) -> bool:
        added = self._connection.execute(_ADD[self._connection.dialect.name], asdict(row))
        return added.first() is not None

    def remove(self, pattern: str) -> bool:
        return self._connection.execute(_REMOVE, {"unbanned": pattern}).rowcount == 1

    def listing(self) -> tuple[BanRow, ...]:
        rows = self._connection.execute(_ALL)
        return tuple(BanRow(row.pattern, row.made_at, row.why) for row in rows)

    def any_of(self, patterns: Sequence[str]) -> bool:
        return bool(find_bans(self._reader, patterns)())


def find_bans(connection: Connection, patterns: Collection[str]) -> Callable[[], frozenset[str]]:
    """Ask which of these patterns are banned."""
    asked = _AMONG.ask(connection, patterns)
    return lambda: frozenset(row[0] for row in asked.rows)
