"""Players with their addresses and settings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy import insert as plain_insert

from pbm.domain.addresses import beginning_of_all, fold_address, in_ascii, mailbox
from pbm.domain.errors import NotAllowed
from pbm.domain.player import (
    Player,
    PlayerId,
    PlayerKind,
    PlayerState,
    Trouble,
    alike,
    beginnings,
    fold_userid,
)
from pbm.engine import from_json, quote, to_json
from pbm.store.driver.dialects import AnyRow, among, insert
from pbm.store.repository import Repository
from pbm.store.tables import addresses, former_userids, players
from pbm.store.tables import addresses as address_table

ROWS = (
    select(
        *(column for column in players.c if column is not players.c.password_hash),
        *(addresses.c.address, addresses.c.failures, addresses.c.off_at),
    )
    .outerjoin_from(players, addresses)
    .order_by(players.c.id, addresses.c.position)
)
"""The rows of all players, in the order that `players_of` needs; queries narrow it."""

_OWNING = players.c.id.in_(
    select(addresses.c.player_id).where(addresses.c.address_folded == bindparam("folded"))
)

_BY_IDS = ROWS.where(among(players.c.id, "ids"))

_BY_USERID = ROWS.where(players.c.userid_folded == bindparam("folded"))

_OWNERS = ROWS.where(_OWNING)

_BY_ADDRESS = ROWS.where(_OWNING, players.c.state == PlayerState.ACTIVE.value)


def find_players(connection: Connection, ids: Collection[PlayerId]) -> dict[PlayerId, Player]:
    """Return these players by id."""
    rows = connection.execute(_BY_IDS, {"ids": ids}).all()
    return {player.id: player for player in players_of(rows)}


def players_of(rows: Iterable[AnyRow]) -> tuple[Player, ...]:
    """Return the players of these `ROWS`, in their order."""
    return tuple([_player_of(list(group)) for _, group in groupby(rows, itemgetter(0))])


def _player_of(rows: Sequence[AnyRow]) -> Player:
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


_PAGE = 500

_SIMILAR = 200

_PASSWORD_HASH = select(players.c.password_hash).where(players.c.id == bindparam("player"))

_COUNT_FAILURE = (
    update(address_table)
    .where(address_table.c.address_folded == bindparam("folded"), address_table.c.off_at.is_(None))
    .values(failures=address_table.c.failures + 1)
    .returning(address_table.c.player_id, address_table.c.failures)
)


class Players(Repository):
    """Players, their addresses and password hashes."""

    def by_userid(self, userid: str) -> Player | None:
        """Return the player of that name in any case."""
        found = players_of(self._unit.read(_BY_USERID, {"folded": fold_userid(userid)}))
        return found[0] if found else None

    def by_ids(self, ids: Iterable[PlayerId]) -> dict[PlayerId, Player]:
        """Return the players by id, in one query."""
        return self._unit.look(find_players, sorted(set(ids)))

    def by_address(self, address: str) -> tuple[Player, ...]:
        """Return the active players who have confirmed `address` (in any case)."""
        return players_of(self._unit.read(_BY_ADDRESS, {"folded": fold_address(address)}))

    def owners(self, address: str) -> tuple[Player, ...]:
        """Return the players in any state who have confirmed `address` (in any case)."""
        return players_of(self._unit.read(_OWNERS, {"folded": fold_address(address)}))

    def of_mailbox(self, address: str, state: PlayerState) -> frozenset[PlayerId]:
        """Return the players in `state` with an address of the same mailbox as `address`."""
        folded = address_table.c.address_folded
        near = self._unit.read(
            select(folded, players.c.id)
            .join_from(address_table, players)
            .where(*near_mailbox(folded, address), players.c.state == state.value)
        )
        return frozenset(row.id for row in near if mailbox(row[0]) == mailbox(address))

    def similar(self, userid: str) -> tuple[str, ...]:
        """Return at most 200 userids with the same first letter, to look for near ones.

        Players who have left are not among them.
        """
        letter = fold_userid(userid)[:1]
        if not letter.isascii() or not letter:
            return ()
        folded = players.c.userid_folded
        rows = self._unit.read(
            select(players.c.userid)
            .where(
                folded >= letter,
                folded < chr(ord(letter) + 1),
                players.c.state != PlayerState.GONE.value,
            )
            .order_by(folded)
            .limit(_SIMILAR)
        )
        return tuple(row.userid for row in rows)

    def lookalike(self, userid: str, mine: PlayerId = 0) -> str | None:
        """Return a userid that looks like this one, or is it; None if there is none.

        The userids of those who have left stay on their matches, and count. So does a userid that a
        player has given up, except for the player `mine`: mail to it must not reach a new owner.
        """
        present, former = players.c.userid_folded, former_userids.c.userid_folded
        others = former_userids.c.player_id != mine
        rows = self._unit.read(
            union_all(
                select(players.c.userid).where(_begins_like(present, userid)),
                select(former).where(_begins_like(former, userid), others),
            )
        ).scalars()
        return next((found for found in rows if alike(found, userid)), None)

    def now_called(self, userid: str) -> str | None:
        """Return the present userid of the player who has given this one up."""
        former = former_userids.c.userid_folded == fold_userid(userid)
        found = select(players.c.userid).join_from(former_userids, players).where(former)
        return self._unit.read(found).scalar()

    def listing(self) -> Iterator[Player]:
        """Yield every player in order of userid."""
        folded = players.c.userid_folded
        last = ""
        while True:
            page = select(players.c.id).where(folded > last).order_by(folded).limit(_PAGE)
            found = self._those(page)
            yield from sorted(found, key=lambda player: fold_userid(player.userid))
            if len(found) < _PAGE:
                return
            last = max(fold_userid(player.userid) for player in found)

    def add(
        self,
        userid: str,
        password_hash: str,
        addresses: Sequence[str],
        now: datetime,
        kind: PlayerKind = PlayerKind.PERSON,
    ) -> Player:
        """Store an active player; raise NotAllowed if the userid is taken."""
        statement = (
            insert(self._connection, players)
            .values(
                userid=userid,
                userid_folded=fold_userid(userid),
                password_hash=password_hash,
                state=PlayerState.ACTIVE.value,
                created_at=now,
                kind=kind.value,
            )
            .on_conflict_do_nothing(index_elements=["userid_folded"])
            .returning(players.c.id)
        )
        player: PlayerId | None = self._connection.scalar(statement)
        if player is None:
            raise NotAllowed(f"The userid {quote(userid)} is taken.")
        self.set_addresses(player, addresses)
        return self.by_ids([player])[player]

    def password_hash(self, player: PlayerId) -> str:
        """Return the argon2 hash."""
        return str(self._unit.read(_PASSWORD_HASH, {"player": player}).scalar_one())

    def set_password_hash(self, player: PlayerId, password_hash: str) -> None:
        self._set(player, password_hash=password_hash)

    def void_tokens(self, player: PlayerId, now: datetime) -> None:
        """Make all reply tokens worthless that were made for `player` until now."""
        self._set(player, tokens_since=now)

    def set_addresses(self, player: PlayerId, addresses: Sequence[str]) -> None:
        """Replace the addresses; mails go to the first. Kept addresses keep their failures."""
        # Of two spellings of one address, the first is kept.
        once: dict[str, str] = {}
        for address in addresses:
            once.setdefault(fold_address(address), in_ascii(address.strip()))
        troubles = self._troubles(player)
        self._delete(address_table, address_table.c.player_id == player)
        if once:
            self._connection.execute(
                plain_insert(address_table),
                [
                    {
                        "player_id": player,
                        "position": position,
                        "address": address,
                        "address_folded": folded,
                        "failures": troubles[folded].days if folded in troubles else 0,
                        "off_at": troubles[folded].off_at if folded in troubles else None,
                    }
                    for position, (folded, address) in enumerate(once.items())
                ],
            )

    def count_failure(self, address: str) -> dict[PlayerId, int]:
        """Count one more day on which mails to `address` (in any case) came back.

        Returns the days by account; an account where it is already off is left out.
        """
        rows = self._connection.execute(_COUNT_FAILURE, {"folded": fold_address(address)})
        return {row.player_id: row.failures for row in rows}

    def switch_off(self, player: PlayerId, address: str, now: datetime) -> None:
        """Send no more mails to `player` at this address."""
        self._update(address_table, *_of(player, address), off_at=now)

    def switch_on(self, player: PlayerId, address: str) -> None:
        """Send mails there again, and count its failures from zero."""
        self._update(address_table, *_of(player, address), off_at=None, failures=0)

    def set_state(self, player: PlayerId, state: PlayerState) -> None:
        self._set(player, state=state.value)

    def set_setting(self, player: PlayerId, name: str, value: str | None) -> None:
        """Store one setting; None takes it back."""
        # Locked on PostgreSQL: two changes at the same time must not undo each other.
        stored = select(players.c.settings).where(players.c.id == player).with_for_update()
        settings = from_json(self._connection.execute(stored).scalar_one())
        if value is None:
            settings.pop(name, None)
        else:
            settings[name] = value
        self._set(player, settings=to_json(settings))

    def all_active(self, *, after: PlayerId, limit: int) -> tuple[Player, ...]:
        """Return the first `limit` active players whose id is above `after`, in order."""
        active = select(players.c.id).where(players.c.state == PlayerState.ACTIVE.value)
        return self._page(active, after, limit)

    def with_setting(
        self, name: str, value: str, *, after: PlayerId, limit: int
    ) -> tuple[Player, ...]:
        """Return active players with this setting, such as those who want broadcasts.

        They are the first `limit` whose id is above `after`, in order.
        """
        found = self._page(_with_setting(name, value), after, limit)
        return tuple(player for player in found if player.settings.get(name) == value)

    def with_any_setting(
        self, beginning: str, *, after: PlayerId, limit: int
    ) -> tuple[Player, ...]:
        """Return active players with a setting whose name begins so.

        They are the first `limit` whose id is above `after`, in order.
        """
        found = self._page(_with_written(f'"{beginning}'), after, limit)
        return tuple(p for p in found if any(name.startswith(beginning) for name in p.settings))

    def count_with_setting(self, name: str, value: str) -> int:
        """Return how many active players have this setting."""
        counted = select(func.count()).select_from(_with_setting(name, value).subquery())
        return int(self._unit.read(counted).scalar_one())

    def _page(self, ids: Select[Any], after: PlayerId, limit: int) -> tuple[Player, ...]:
        """Return the first `limit` of the players with these `ids`, above `after`."""
        page = ids.where(players.c.id > after).order_by(players.c.id).limit(limit)
        return self._those(page)

    def _troubles(self, player: PlayerId) -> dict[str, Trouble]:
        """Return the troubles of a player's addresses by their folded forms."""
        found = self.by_ids([player]).get(player)
        troubles = found.troubles if found else {}
        return {fold_address(address): trouble for address, trouble in troubles.items()}

    def _set(self, player: PlayerId, **values: object) -> None:
        self._update(players, players.c.id == player, **values)

    def _those(self, ids: Select[Any]) -> tuple[Player, ...]:
        """Return the players with these `ids`, in their order."""
        return players_of(self._unit.read(ROWS.where(players.c.id.in_(ids))))


def near_mailbox(folded: ColumnElement[str], address: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that an address of the same mailbox meets, and a few others."""
    start = beginning_of_all(address)
    # DEL sorts after everything that an address can hold.
    return folded >= start, folded < f"{start}\x7f"


def _begins_like(folded: ColumnElement[str], userid: str) -> ColumnElement[bool]:
    # "~" sorts after everything that a userid can hold.
    return or_(*(and_(folded >= start, folded <= f"{start}~") for start in beginnings(userid)))


def _with_setting(name: str, value: str) -> Select[Any]:
    """Return the query for the ids of active players with a setting.

    In canonical JSON one setting is always the same text. LIKE ignores case on SQLite.
    """
    return _with_written(to_json({name: value})[1:-1])


def _with_written(written: str) -> Select[Any]:
    """Return the query for the ids of active players with these letters in their settings."""
    return select(players.c.id).where(
        players.c.settings.contains(written, autoescape=True),
        players.c.state == PlayerState.ACTIVE.value,
    )


def _of(player: PlayerId, address: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of one address of a player."""
    folded = address_table.c.address_folded == fold_address(address)
    return address_table.c.player_id == player, folded
