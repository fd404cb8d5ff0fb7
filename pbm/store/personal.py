"""All that is stored of one person, and what is forgotten of everybody after a time.

Erasing deletes the rows of a person, and replaces their name in others. What they played stays,
under the number of their account, and so do bans and the wish to be left alone, which must go on
working. Only a mail of somebody else that waits in base64 is not searched.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    RowMapping,
    Table,
    bindparam,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    tuple_,
)

from pbm.domain.addresses import fold_address, mailbox
from pbm.domain.player import Player, fold_userid
from pbm.engine import from_json, frozen
from pbm.store.inbox import DONE, FORGOTTEN, SHUNTED, SILENCED
from pbm.store.outbox import DEAD, SENT, WAITING
from pbm.store.repository import Repository
from pbm.store.tables import (
    addresses,
    audit,
    blocks,
    errands,
    followers,
    former_userids,
    inbox,
    inbox_texts,
    log,
    metadata,
    notes,
    outbox,
    outbox_texts,
    players,
    questions,
    queued_moves,
    seats,
    seeks,
    sequels,
    signups,
    stances,
    submitted_moves,
    tallies,
)


@frozen
class Traces:
    """The names of a person: userid, all known addresses, and the name to put in their place."""

    player: Player
    addresses: tuple[str, ...]
    anonymous: str


_THEIRS = (
    addresses.c.player_id, blocks.c.player_id, blocks.c.blocked_id, errands.c.player_id,
    followers.c.player_id, former_userids.c.player_id, notes.c.player_id, questions.c.player_id,
    queued_moves.c.player_id, seeks.c.player_id, sequels.c.player_id, stances.c.player_id,
    submitted_moves.c.player_id,
)  # fmt: skip
"""Rows with the player in one of these columns are deleted. The others are part of matches."""

_BLANK = {"password_hash": "", "settings": "{}", "tokens_since": None}

_FORGOTTEN = {**FORGOTTEN, "state": DONE, "error": "", "shunted_at": None}

_TEXTS: Mapping[Table, Sequence[str]] = {
    inbox: ("error",),
    inbox_texts: ("content",),
    outbox: ("error", "words"),
    outbox_texts: ("content",),
    notes: ("text",),
    audit: ("subject", "before", "after", "why"),
    questions: ("choices",),
    sequels: ("facts",),
}
"""Columns that may name the player in rows that stay."""

_ADDRESSES = (
    errands.c.address, inbox.c.sender, inbox.c.source, outbox.c.recipient, signups.c.address_folded,
    tallies.c.key,
)  # fmt: skip
"""Columns that hold addresses, alone or as the members of a list, or behind the name of a count."""

_ADDRESS = re.compile(r"[^\s\"<>,:]++")

_FROM = re.compile(rb"(?mi)^from:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*")


class PersonalWords:
    """Finds a person's userid and addresses as whole words, in any case, and replaces them."""

    def __init__(self, traces: Traces) -> None:
        self._name = traces.anonymous
        names = sorted((*traces.addresses, traces.player.userid), key=len, reverse=True)
        self._text = re.compile(_whole("|".join(map(re.escape, names))), re.IGNORECASE)
        # Quoted-printable breaks a long line wherever it likes.
        broken = "|".join(r"(?:=\r?\n)?".join(map(re.escape, name)) for name in names)
        self._bytes = re.compile(_whole(broken).encode("ascii"), re.IGNORECASE)

    def replaced(self, found: str | bytes) -> str | bytes:
        """Return a text, or a raw mail, with the anonymous name in their place."""
        if isinstance(found, str):
            return self._text.sub(self._name, found)
        return self._bytes.sub(self._name.encode("ascii"), found)


def _whole(words: str) -> str:
    return rf"(?<![\w.+-])(?:{words})(?![\w-]|\.\w)"


def _is_from(content: bytes, theirs: Iterable[str]) -> bool:
    """Return whether a raw mail names one of these addresses as its author."""
    authors = b" ".join(_FROM.findall(content.partition(b"\r\n\r\n")[0])).lower()
    return any(address.encode() in authors for address in theirs)


_SECRET = frozenset({"password_hash"})

_IN_JSON = frozenset({"settings", "options", "terms", "line", "facts"})

_OTHERS = frozenset({blocks.c.blocked_id})
"""Columns that refer to a player in a row that belongs to somebody else."""

_CHAT = "chat"


class Personal(Repository):
    """Everything that is stored of one person, to be handed out or erased."""

    def stored(self, player: Player) -> Mapping[str, Any]:
        """Return every row that belongs to the player, without secrets, by the name of its table.

        Mails to and from their addresses are counted.
        """
        addresses = [fold_address(address) for address in player.addresses]
        rows = {name: self._rows(table, of) for name, table, of in _belonging(player)}
        return {
            **rows,
            "signups": self._rows(signups, _is_requested(player, addresses)),
            "tallies": self._rows(tallies, _mentions(tallies.c.key, addresses)),
            "mails": self._mails(addresses),
        }

    def last_move(self, player: Player) -> datetime | None:
        """Return when the player last did anything on a board; None if they never did."""
        # Before the pie rule was used the seat was another's, whose turn was a moment ago as well.
        own = (seats.c.match_number == log.c.match_number) & (seats.c.seat == log.c.seat)
        latest = select(func.max(log.c.at)).join_from(seats, log, own)
        found: datetime | None = self._connection.scalar(
            latest.where(seats.c.player_id == player.id)
        )
        return found

    def rename(self, player: Player, userid: str) -> None:
        """Give the player another userid, which must be free; the present one stays theirs."""
        self._delete(former_userids, former_userids.c.userid_folded == fold_userid(userid))
        given_up = {"userid_folded": fold_userid(player.userid), "player_id": player.id}
        self._connection.execute(insert(former_userids).values(given_up))
        changed = {"userid": userid, "userid_folded": fold_userid(userid)}
        self._update(players, players.c.id == player.id, **changed)

    def chats(self, userid: str) -> Mapping[int, Mapping[int, str]]:
        """Return what `userid` said as a follower, by board and by position in its log.

        Earlier versions let followers chat.
        """
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
        """Blank the comments of these entries of a log."""
        self._update(log, log.c.match_number == number, log.c.position.in_(entries), comment="")

    def reword(self, number: int, traces: Traces) -> None:
        """Put the anonymous name in what others wrote, and where a follower is named, in a log."""
        userid, here = fold_userid(traces.player.userid), log.c.match_number == number
        named = here, log.c.seat.is_(None), func.lower(log.c.text) == userid
        self._update(log, *named, text=traces.anonymous)
        self._reword(PersonalWords(traces), log, ["comment"], here)

    def addresses_of(self, mailboxes: Collection[str]) -> frozenset[str]:
        """Return every stored address of one of these mailboxes, in small letters.

        Those are meant that wrote or were written to, whether or not they belong to an account.
        """
        texts = (
            text
            for column in _ADDRESSES
            for text in self._connection.scalars(
                select(column).where(column.contains("@")).distinct()
            )
        )
        words = {word.lower() for text in texts for word in _ADDRESS.findall(text)}
        return frozenset(word for word in words if mailbox(word) in mailboxes)

    def erase(self, traces: Traces) -> None:
        """Delete what belongs to the player alone, and put the anonymous name in all else."""
        player = traces.player
        for column in _THEIRS:
            self._delete(column.table, column == player.id)
        self._update(players, players.c.id == player.id, **_BLANK)
        self._delete(signups, _is_requested(player, traces.addresses))
        self._delete(errands, func.lower(errands.c.address).in_(traces.addresses))
        self._delete(tallies, _mentions(tallies.c.key, traces.addresses))
        self._erase_mails(traces.addresses)
        words = PersonalWords(traces)
        for table, columns in _TEXTS.items():
            self._reword(words, table, columns)

    def _erase_mails(self, theirs: Collection[str]) -> None:
        """Delete mails to these addresses, and forget those from them, even if they met a bug."""
        self._delete(outbox, func.lower(outbox.c.recipient).in_(theirs))
        for source in (inbox.c.sender, inbox.c.source):
            self._update(inbox, func.lower(source).in_(theirs), **_FORGOTTEN)
        content = select(inbox_texts.c.content)
        for number in self._connection.scalars(select(inbox_texts.c.id)).all():
            text = self._connection.scalar(content.where(inbox_texts.c.id == number))
            if _is_from(bytes(text or b""), theirs):
                self._update(inbox, inbox.c.id == number, **_FORGOTTEN)
        done = select(inbox.c.id).where(inbox.c.state == DONE)
        self._delete(inbox_texts, inbox_texts.c.id.in_(done))

    def _reword(
        self, words: PersonalWords, table: Table, names: Iterable[str], *conditions: Any
    ) -> None:
        """Replace what names the player in these columns of a table, a row at a time."""
        keys = tuple(table.primary_key)
        columns = [table.c[name] for name in names]
        for key in self._connection.execute(select(*keys).where(*conditions)).all():
            here = [column == value for column, value in zip(keys, key, strict=True)]
            row = self._connection.execute(select(*columns).where(*here)).mappings().one()
            after = {name: words.replaced(value) for name, value in row.items() if value}
            changed = {name: value for name, value in after.items() if value != row[name]}
            if changed:
                self._update(table, *here, **changed)

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
            "waiting_to_go": self._count(*to_them),
            "waiting_to_be_read": self._count(*from_them),
        }


def _is_requested(player: Player, addresses: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a signup names the player, or an address of theirs."""
    return or_(
        signups.c.address_folded.in_(addresses),
        func.lower(signups.c.userid) == fold_userid(player.userid),
        signups.c.inviter == player.id,
    )


def _mentions(column: Column[str], texts: Iterable[str]) -> ColumnElement[bool]:
    return or_(*(func.lower(column).contains(text, autoescape=True) for text in texts), false())


def _belonging(player: Player) -> list[tuple[str, Table, Any]]:
    """Return every table with rows of players, and what makes a row this player's."""
    found: list[tuple[str, Table, Any]] = [("account", players, players.c.id == player.id)]
    for table in metadata.sorted_tables:
        owners = [c for c in table.columns if c.references(players.c.id) and c not in _OTHERS]
        if owners:
            found.append((table.name, table, or_(*(column == player.id for column in owners))))
    return found


def _plain(row: RowMapping) -> dict[str, Any]:
    return {name: from_json(value) if name in _IN_JSON else value for name, value in row.items()}


@frozen
class Cutoffs:
    """The moments up to which rows are forgotten.

    Mails are forgotten that were played and sent before `done`, silenced before `silenced`, shunted
    or given up before `dead`.
    Signups, requests and questions made before `asked` are forgotten, and counts from before
    `counted`. The newest request and signup are kept.
    """

    done: datetime
    silenced: datetime
    dead: datetime
    asked: datetime
    counted: datetime


def _oldest(table: Table, by: Column[object], *conditions: ColumnElement[bool]) -> Delete:
    """Return a DELETE of `most` of the rows that meet the conditions, the lowest `by` first."""
    key = tuple(table.primary_key)
    found = select(*key).where(*conditions).order_by(by).limit(bindparam("most"))
    return delete(table).where((key[0] if len(key) == 1 else tuple_(*key)).in_(found))


# Mails are stored in the order in which they came, so this looks at no more than it must.
_PLAYED = (
    select(inbox.c.id, inbox.c.received_at)
    .where(inbox.c.state == DONE)
    .order_by(inbox.c.id)
    .limit(bindparam("most"))
    .subquery()
)


def _not_last(table: Table) -> ColumnElement[bool]:
    """Return a condition that keeps the newest row.

    SQLite would reuse its number, and old mails hold tokens with such numbers.
    """
    return table.c.id < select(func.max(table.c.id)).scalar_subquery()


# A mail that is sent or dead keeps the end of its last lease, a little later than that, so the
# index on what is due finds the old ones.
_PRUNING = (
    delete(inbox).where(
        inbox.c.id.in_(select(_PLAYED.c.id).where(_PLAYED.c.received_at < bindparam("done")))
    ),
    _oldest(
        inbox, inbox.c.id, inbox.c.state == SILENCED, inbox.c.received_at < bindparam("silenced")
    ),
    _oldest(inbox, inbox.c.id, inbox.c.state == SHUNTED, inbox.c.shunted_at < bindparam("dead")),
    _oldest(
        outbox, outbox.c.next_try_at, outbox.c.state == SENT,
        outbox.c.next_try_at < bindparam("done"), outbox.c.sent_at < bindparam("done"),
    ),
    _oldest(
        outbox, outbox.c.next_try_at, outbox.c.state == DEAD,
        outbox.c.next_try_at < bindparam("dead"),
    ),
    _oldest(errands, errands.c.id, errands.c.made_at < bindparam("asked"), _not_last(errands)),
    _oldest(signups, signups.c.id, signups.c.made_at < bindparam("asked"), _not_last(signups)),
    _oldest(questions, questions.c.made_at, questions.c.made_at < bindparam("asked")),
    _oldest(tallies, tallies.c.began_at, tallies.c.began_at < bindparam("counted")),
)  # fmt: skip


def prune(connection: Connection, before: Cutoffs, limit: int) -> int:
    """Delete at most `limit` rows by each of the rules; return how many were deleted in all."""
    values = {**asdict(before), "most": limit}
    return sum(connection.execute(statement, values).rowcount for statement in _PRUNING)
