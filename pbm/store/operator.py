"""The tables for the operator: audit, bans, keys, and the way of mails.

No index finds a mail by its Message-ID, because `pbm trace` is seldom asked for that.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    case,
    func,
    insert,
    select,
)

from pbm.engine import from_json, to_json
from pbm.store.driver.dialects import among, in_each_dialect
from pbm.store.fair_queue import WAITING, WAITS
from pbm.store.repository import Repository, columns_of
from pbm.store.tables import (
    audit,
    bans,
    inbox,
    outbox,
    token_keys,
)

Facts = Mapping[str, Any]
"""Facts about something, before or after, as plain values without secrets."""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One act of an operator: who did what to whom, what it was before and after, and why."""

    at: datetime
    operator: str
    act: str
    subject: str
    before: Facts
    after: Facts
    why: str


@dataclass(frozen=True, slots=True)
class BanRow:
    """A pattern of addresses that are kept out."""

    pattern: str
    made_at: datetime
    why: str


@dataclass(frozen=True, slots=True)
class IncomingLife:
    """A mail that came in: state is waiting, done, silenced or shunted.

    `outcome` says what became of it. A mail from before this was remembered has no listener and no
    outcome.
    """

    id: int
    state: str
    received_at: datetime
    listener: str
    octets: int
    played_at: datetime | None
    outcome: str
    shunted_at: datetime | None


@dataclass(frozen=True, slots=True)
class OutgoingLife:
    """A mail that went out: state is waiting, sent or dead.

    `answers` is the mail that led to it. `words` are the relay's, when it took the mail, and
    `error` is why the last try failed, or that the mail came back though it was sent. `held` says
    that a process is delivering it now.
    """

    id: int
    answers: int | None
    recipient: str
    state: str
    created_at: datetime
    tries: int
    next_try_at: datetime
    held: bool
    sent_at: datetime | None
    words: str
    error: str


_ADD_AUDIT = insert(audit)


class Audit(Repository):
    """The acts of operators."""

    def add(self, row: AuditRow) -> None:
        facts = {"before": to_json(row.before), "after": to_json(row.after)}
        self._connection.execute(_ADD_AUDIT, {**asdict(row), **facts})

    def listing(
        self, subject: str | None = None, act: str | None = None, limit: int = 200
    ) -> tuple[AuditRow, ...]:
        """Return the newest rows about `subject`, in any case, and of `act`; the newest last."""
        newest = select(*columns_of(AuditRow, audit)).order_by(audit.c.id.desc()).limit(limit)
        if subject is not None:
            newest = newest.where(func.lower(audit.c.subject) == subject.lower())
        if act is not None:
            newest = newest.where(audit.c.act == act)
        rows = self._connection.execute(newest).all()
        return tuple(
            AuditRow(at, operator, act, about, from_json(before), from_json(after), why)
            for at, operator, act, about, before, after, why in reversed(rows)
        )


_BAN = in_each_dialect(
    bans,
    lambda start: start.on_conflict_do_nothing(index_elements=["pattern"]).returning(
        bans.c.pattern
    ),
)
_BANS = select(*columns_of(BanRow, bans)).order_by(bans.c.pattern)

_BANS_AMONG = select(bans.c.pattern).where(among(bans.c.pattern, "patterns"))


class Bans(Repository):
    """Addresses and domains that are kept out (pbm.domain.addresses)."""

    def add(self, row: BanRow) -> bool:
        """Store it; return False if the pattern is banned already."""
        added = self._connection.execute(_BAN[self._connection.dialect.name], asdict(row))
        return added.first() is not None

    def remove(self, pattern: str) -> bool:
        """Take it away; return False if it was not there."""
        return self._delete(bans, bans.c.pattern == pattern) == 1

    def listing(self) -> tuple[BanRow, ...]:
        """Return all in order of their patterns."""
        return tuple(BanRow(*row) for row in self._connection.execute(_BANS))

    def any_of(self, patterns: Sequence[str]) -> bool:
        """Return whether one of these is banned."""
        return bool(self._unit.look(find_bans, patterns))


def find_bans(connection: Connection, patterns: Collection[str]) -> dict[str, bool]:
    """Return which of these patterns are banned."""
    return dict.fromkeys(connection.scalars(_BANS_AMONG, {"patterns": patterns}), True)


_KEYS = select(token_keys.c.fingerprint).order_by(token_keys.c.id)

_ADD_KEY = in_each_dialect(
    token_keys, lambda start: start.on_conflict_do_nothing(index_elements=["fingerprint"])
)


class TokenKeys(Repository):
    """The keys of reply tokens that have signed, by their fingerprints."""

    def all(self) -> tuple[str, ...]:
        """Return them in the order in which they began to sign."""
        return tuple(self._connection.scalars(_KEYS))

    def add(self, fingerprint: str, now: datetime) -> None:
        """Remember one; it may be there already."""
        row = {"fingerprint": fingerprint, "since": now}
        self._connection.execute(_ADD_KEY[self._connection.dialect.name], row)


_STATE = case((WAITS, WAITING), else_=inbox.c.state)

_INCOMING = select(*columns_of(IncomingLife, inbox, state=_STATE))

_OUTGOING = select(
    *columns_of(OutgoingLife, outbox, answers=outbox.c.inbox_id, held=outbox.c.owner.is_not(None))
).order_by(outbox.c.id)


class Lives(Repository):
    """Finds mails by what an operator has: a number, or a Message-ID."""

    def incoming(self, mail: int) -> IncomingLife | None:
        """Return the mail of that number in the inbox."""
        row = self._connection.execute(_INCOMING.where(inbox.c.id == mail)).first()
        return None if row is None else IncomingLife(*row)

    def outgoing(self, mail: int) -> OutgoingLife | None:
        """Return the mail of that number in the outbox."""
        row = self._connection.execute(_OUTGOING.where(outbox.c.id == mail)).first()
        return None if row is None else OutgoingLife(*row)

    def led_to(self, mail: int) -> tuple[OutgoingLife, ...]:
        """Return the mails that this one of the inbox led to. Reads the whole outbox."""
        rows = self._connection.execute(_OUTGOING.where(outbox.c.inbox_id == mail))
        return tuple(OutgoingLife(*row) for row in rows)

    def known_as(self, key: int) -> tuple[tuple[IncomingLife, ...], tuple[OutgoingLife, ...]]:
        """Return those whose Message-ID has this key. Reads the whole inbox and outbox."""
        came = self._connection.execute(_INCOMING.where(inbox.c.message_key == key))
        went = self._connection.execute(_OUTGOING.where(outbox.c.message_key == key))
        return tuple(IncomingLife(*row) for row in came), tuple(OutgoingLife(*row) for row in went)
