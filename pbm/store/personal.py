"""All that is stored of one person: every table that refers to them, and every text."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Column, RowMapping, Table, false, func, or_, select, update

from pbm.domain.addresses import fold_address
from pbm.domain.player import Player, fold_userid
from pbm.engine import from_json
from pbm.service.ports import Traces
from pbm.store.erasure import addresses_of, erase, reword_log
from pbm.store.inbox import DONE
from pbm.store.outbox_states import DEAD, WAITING
from pbm.store.repository import Repository
from pbm.store.tables import blocks, inbox, log, metadata, outbox, players, seats, signups, tallies

_SECRET = frozenset({"password_hash"})

_IN_JSON = frozenset({"settings", "options", "terms", "line", "further", "facts"})

_OTHERS = frozenset({blocks.c.blocked_id})
"""Columns that refer to a player in a row that belongs to somebody else."""

_CHAT = "chat"


class SqlPersonal(Repository):
    """`pbm.service.ports.Personal`."""

    def stored(self, player: Player) -> Mapping[str, Any]:
        addresses = [fold_address(address) for address in player.addresses]
        asked = or_(
            signups.c.address_folded.in_(addresses),
            func.lower(signups.c.userid) == fold_userid(player.userid),
        )
        counted = or_(*(tallies.c.key.contains(a, autoescape=True) for a in addresses), false())
        rows = {name: self._rows(table, of) for name, table, of in _belonging(player)}
        return {
            **rows,
            "signups": self._rows(signups, asked),
            "tallies": self._rows(tallies, counted),
            "mails": self._mails(addresses),
        }

    def last_move(self, player: Player) -> datetime | None:
        # Before the pie rule was used the seat was another's, whose turn was a moment ago as well.
        own = (seats.c.match_number == log.c.match_number) & (seats.c.seat == log.c.seat)
        latest = select(func.max(log.c.at)).join_from(seats, log, own)
        found: datetime | None = self._connection.scalar(
            latest.where(seats.c.player_id == player.id)
        )
        return found

    def rename(self, player: Player, userid: str) -> None:
        changed = {"userid": userid, "userid_folded": fold_userid(userid)}
        self._connection.execute(update(players).where(players.c.id == player.id).values(changed))

    def chats(self, userid: str) -> Mapping[int, Mapping[int, str]]:
        rows = self._connection.execute(
            select(log.c.match_number, log.c.position, log.c.comment)
            .where(
                log.c.kind == _CHAT,
                log.c.seat.is_(None),
                func.lower(log.c.text) == fold_userid(userid),
            )
            .order_by(log.c.match_number, log.c.position)
        )
        found: dict[int, dict[int, str]] = {}
        for row in rows:
            found.setdefault(row.match_number, {})[row.position] = row.comment
        return found

    def silence(self, number: int, entries: Collection[int]) -> None:
        theirs = log.c.match_number == number, log.c.position.in_(entries)
        self._connection.execute(update(log).where(*theirs).values(comment=""))

    def reword(self, number: int, traces: Traces) -> None:
        reword_log(self._connection, number, traces)

    def addresses_of(self, mailboxes: Collection[str]) -> frozenset[str]:
        return addresses_of(self._connection, mailboxes)

    def erase(self, traces: Traces) -> None:
        erase(self._connection, traces)

    def _rows(self, table: Table, condition: Any) -> list[dict[str, Any]]:
        shown = [column for column in table.columns if column.name not in _SECRET]
        query = select(*shown).where(condition).order_by(*table.primary_key)
        found = self._connection.execute(query)
        return [_plain(row) for row in found.mappings()]

    def _mails(self, addresses: Collection[str]) -> dict[str, int]:
        """Return how many mails to and from these addresses wait, and how many need the operator.

        Mails to them that were given up and mails from them that met a bug are counted as well.
        """
        to_them = (
            outbox.c.state.in_((WAITING, DEAD)),
            func.lower(outbox.c.recipient).in_(addresses),
        )
        from_them = inbox.c.state != DONE, func.lower(inbox.c.sender).in_(addresses)
        return {
            "waiting_to_go": self._count(outbox, *to_them),
            "waiting_to_be_read": self._count(inbox, *from_them),
        }

    def _count(self, table: Table, *conditions: Any) -> int:
        found = select(func.count()).select_from(table).where(*conditions)
        return int(self._connection.execute(found).scalar_one())


def _belonging(player: Player) -> list[tuple[str, Table, Any]]:
    """Return every table with rows of players, and what makes a row this player's."""
    found: list[tuple[str, Table, Any]] = [("account", players, players.c.id == player.id)]
    for table in metadata.sorted_tables:
        owners = [column for column in table.columns if _is_owner(column)]
        if owners:
            theirs = or_(*(column == player.id for column in owners))
            found.append((table.name, table, theirs))
    return found


def _is_owner(column: Column[Any]) -> bool:
    return column.references(players.c.id) and column not in _OTHERS


def _plain(row: RowMapping) -> dict[str, Any]:
    return {name: from_json(value) if name in _IN_JSON else value for name, value in row.items()}
