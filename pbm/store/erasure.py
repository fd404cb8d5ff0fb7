"""Nothing is left that names a person: rows of theirs are deleted, their name in others replaced.

What they played stays, under the number of their account, and so do bans and the wish to be left
alone: those must go on working. Only a mail of somebody else that waits in base64 is not searched.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Table, delete, false, func, or_, select, update

from pbm.domain.addresses import mailbox
from pbm.domain.player import fold_userid
from pbm.service.ports import Traces
from pbm.store.inbox import DONE
from pbm.store.tables import (
    addresses,
    audit,
    blocks,
    errands,
    followers,
    inbox,
    inbox_texts,
    log,
    outbox,
    outbox_texts,
    players,
    queued_moves,
    seeks,
    sequels,
    signups,
    stances,
    submitted_moves,
    tallies,
)

_THEIRS = (
    addresses.c.player_id, blocks.c.player_id, blocks.c.blocked_id, errands.c.player_id,
    followers.c.player_id, queued_moves.c.player_id, seeks.c.player_id,
    sequels.c.player_id, stances.c.player_id, submitted_moves.c.player_id,
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
    audit: ("subject", "before", "after", "why"),
    sequels: ("facts",),
}
"""What may name the player in rows that stay."""

_ADDRESSES = (
    errands.c.address, inbox.c.sender, inbox.c.source, outbox.c.recipient, signups.c.address_folded,
    signups.c.further, tallies.c.key,
)  # fmt: skip
"""What holds addresses, alone or as the members of a list, or behind the name of a count."""

_ADDRESS = re.compile(r"[^\s\"<>,:]++")

_FROM = re.compile(rb"(?mi)^from:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*")


class Words:
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
    words = Words(traces)
    for column in _THEIRS:
        connection.execute(delete(column.table).where(column == traces.player.id))
    connection.execute(update(players).where(players.c.id == traces.player.id).values(_BLANK))
    _erase_requests(connection, traces)
    _erase_mails(connection, traces)
    for table, columns in _TEXTS.items():
        _reword(connection, words, table, columns)


def reword_log(connection: Connection, number: int, traces: Traces) -> None:
    """Put the anonymous name in the comments of a match, and where it names a follower."""
    words, here = Words(traces), log.c.match_number == number
    named = here, log.c.seat.is_(None), func.lower(log.c.text) == fold_userid(traces.player.userid)
    connection.execute(update(log).where(*named).values(text=traces.anonymous))
    _reword(connection, words, log, ["comment"], here)


def _erase_requests(connection: Connection, traces: Traces) -> None:
    """Delete signups and errands that name the player, and counts by their addresses."""
    asked = or_(
        signups.c.address_folded.in_(traces.addresses),
        func.lower(signups.c.userid) == fold_userid(traces.player.userid),
    )
    connection.execute(delete(signups).where(asked))
    further = _mentions(signups.c.further, traces.addresses)
    connection.execute(update(signups).where(further).values(further="[]"))
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
    connection: Connection, words: Words, table: Table, names: Iterable[str], *conditions: Any
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
