"""All that is stored of one person: every table that refers to them, and every text.

Erasing deletes the rows of a person, and replaces their name in others. What they played stays,
under the number of their account, and so do bans and the wish to be left alone, which must go on
working. Only a mail of somebody else that waits in base64 is not searched.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    RowMapping,
    Table,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    update,
)

from pbm.domain.addresses import fold_address, mailbox
from pbm.domain.player import Player, fold_userid
from pbm.engine import from_json
from pbm.store.inbox import DONE
from pbm.store.outbox import DEAD, WAITING
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


@dataclass(frozen=True, slots=True)
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

_FORGOTTEN = {
    "state": DONE, "sender": "", "recipients": "[]", "source": "", "network": "",
    "error": "", "shunted_at": None,
}  # fmt: skip

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


def addresses_of(connection: Connection, mailboxes: Collection[str]) -> frozenset[str]:
    """Return every address of these mailboxes in `_ADDRESSES`, in small letters."""
    texts = (
        text
        for column in _ADDRESSES
        for text in connection.scalars(select(column).where(column.contains("@")).distinct())
    )
    words = {word.lower() for text in texts for word in _ADDRESS.findall(text)}
    return frozenset(word for word in words if mailbox(word) in mailboxes)


def erase(connection: Connection, traces: Traces) -> None:
    """Delete what belongs to the player alone, and put the anonymous name in all other texts."""
    words = PersonalWords(traces)
    for column in _THEIRS:
        connection.execute(delete(column.table).where(column == traces.player.id))
    connection.execute(update(players).where(players.c.id == traces.player.id).values(_BLANK))
    _erase_requests(connection, traces)
    _erase_mails(connection, traces)
    for table, columns in _TEXTS.items():
        _reword(connection, words, table, columns)


def reword_log(connection: Connection, number: int, traces: Traces) -> None:
    """Put the anonymous name in the comments of a match, and where it names a follower."""
    words, here = PersonalWords(traces), log.c.match_number == number
    named = here, log.c.seat.is_(None), func.lower(log.c.text) == fold_userid(traces.player.userid)
    connection.execute(update(log).where(*named).values(text=traces.anonymous))
    _reword(connection, words, log, ["comment"], here)


def _erase_requests(connection: Connection, traces: Traces) -> None:
    """Delete signups and requests that name the player, and counts by their addresses."""
    asked = or_(
        signups.c.address_folded.in_(traces.addresses),
        func.lower(signups.c.userid) == fold_userid(traces.player.userid),
        signups.c.inviter == traces.player.id,
    )
    connection.execute(delete(signups).where(asked))
    connection.execute(delete(errands).where(func.lower(errands.c.address).in_(traces.addresses)))
    connection.execute(delete(tallies).where(_mentions(tallies.c.key, traces.addresses)))


def _mentions(column: Column[Any], texts: Iterable[str]) -> Any:
    return or_(*(func.lower(column).contains(text, autoescape=True) for text in texts), false())


def _erase_mails(connection: Connection, traces: Traces) -> None:
    """Delete mails to the player, and forget those from them, even those that met a bug."""
    connection.execute(delete(outbox).where(func.lower(outbox.c.recipient).in_(traces.addresses)))
    for source in (inbox.c.sender, inbox.c.source):
        theirs = func.lower(source).in_(traces.addresses)
        connection.execute(update(inbox).where(theirs).values(_FORGOTTEN))
    for number in connection.scalars(select(inbox_texts.c.id)).all():
        content = connection.scalar(select(inbox_texts.c.content).where(inbox_texts.c.id == number))
        if _is_from(bytes(content or b""), traces.addresses):
            connection.execute(update(inbox).where(inbox.c.id == number).values(_FORGOTTEN))
    done = select(inbox.c.id).where(inbox.c.state == DONE)
    connection.execute(delete(inbox_texts).where(inbox_texts.c.id.in_(done)))


def _is_from(content: bytes, theirs: Iterable[str]) -> bool:
    """Return whether a raw mail names one of these addresses as its author."""
    authors = b" ".join(_FROM.findall(content.partition(b"\r\n\r\n")[0])).lower()
    return any(address.encode() in authors for address in theirs)


def _reword(
    connection: Connection,
    words: PersonalWords,
    table: Table,
    names: Iterable[str],
    *conditions: Any,
) -> None:
    """Replace what names the player in these columns of a table, a row at a time."""
    keys = tuple(table.primary_key)
    columns = [table.c[name] for name in names]
    for key in connection.execute(select(*keys).where(*conditions)).all():
        here = [column == value for column, value in zip(keys, key, strict=True)]
        row = connection.execute(select(*columns).where(*here)).mappings().one()
        after = {name: words.replaced(value) for name, value in row.items() if value}
        changed = {name: value for name, value in after.items() if value != row[name]}
        if changed:
            connection.execute(update(table).where(*here).values(changed))


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
        asked = or_(
            signups.c.address_folded.in_(addresses),
            func.lower(signups.c.userid) == fold_userid(player.userid),
            signups.c.inviter == player.id,
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
        reword_log(self._connection, number, traces)

    def addresses_of(self, mailboxes: Collection[str]) -> frozenset[str]:
        """Return every stored address of one of these mailboxes, in small letters.

        Those are meant that wrote or were written to, whether or not they belong to an account.
        """
        return addresses_of(self._connection, mailboxes)

    def erase(self, traces: Traces) -> None:
        """Delete what belongs to the player alone, and put the anonymous name in all else."""
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
            "waiting_to_go": self._count(*to_them),
            "waiting_to_be_read": self._count(*from_them),
        }


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
