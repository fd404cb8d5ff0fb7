"""The outbox: mails that were composed and that the relay has not taken yet.

A lease is a postponement: claiming a mail records its owner and makes it due again only when the
lease ends. So one index says what is due, and when, whether a mail has just been composed, has
been deferred, or was left behind by a worker that died. On PostgreSQL one statement leases mails
and reads them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Update,
    and_,
    any_,
    bindparam,
    case,
    column,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)

from pbm.domain.mail import JOIN_WITHIN, Joinable, OutgoingMail, message_key
from pbm.engine import frozen
from pbm.store.driver.database import not_overwriting
from pbm.store.driver.dialects import BY_INDEXES, UtcTime, add_rows, adding, among, set_within
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.repository import Numbers, Repository, columns_of, writes
from pbm.store.tables import outbox, outbox_texts

NO_WORDS: Mapping[int, str] = MappingProxyType({})


@frozen
class WaitingDelivery:
    """A row of the outbox that has been claimed; `tries` counts the earlier tries."""

    id: int
    mail: OutgoingMail
    tries: int
    created_at: datetime
    answers: int | None = None
    """The mail of the inbox that it came from; None if time or the operator made it."""


@frozen
class OutboxRow:
    """A line of `pbm outbox list`: state is waiting, sent or dead.

    `owner` is the process that leases it, "host:pid:word"; None if none does.
    """

    id: int
    recipient: str
    state: str
    tries: int
    created_at: datetime
    next_try_at: datetime
    error: str
    owner: str | None = None


WAITING, SENT, DEAD = "waiting", "sent", "dead"
"""It is due at its next try or leased; the relay has it; it was given up."""


# The recipients to whom a mail is on its way: the next one waits, so that they keep their order.
# Leases end in the future, so an index finds them among the mails that were put off.
_LEASED = outbox.alias()
_BUSY = select(_LEASED.c.recipient).where(
    _LEASED.c.state == WAITING,
    _LEASED.c.next_try_at > bindparam("now"),
    _LEASED.c.owner.is_not(None),
)

# The due mails that nobody else is claiming right now. A common table expression is computed once;
# PostgreSQL may run a plain subquery again and again, and lock other rows each time.
_DUE = (
    select(outbox.c.id, outbox.c.recipient, outbox.c.next_try_at)
    .where(outbox.c.state == WAITING, outbox.c.next_try_at <= bindparam("now"))
    .where(outbox.c.recipient.not_in(_BUSY))
    .order_by(outbox.c.next_try_at, outbox.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    .cte("due")
)

# The recipients of mails that another transaction is claiming right now: those that come before
# the last due one, and are not among them.
_BEFORE = outbox.alias()
_LAST_AT = select(func.max(_DUE.c.next_try_at)).scalar_subquery()
_LAST = select(func.max(_DUE.c.id)).where(_DUE.c.next_try_at == _LAST_AT).scalar_subquery()
_CLAIMED = (
    select(_BEFORE.c.recipient)
    .where(_BEFORE.c.state == WAITING, _BEFORE.c.next_try_at <= _LAST_AT)
    .where(or_(_BEFORE.c.next_try_at < _LAST_AT, _BEFORE.c.id < _LAST))
    .where(_BEFORE.c.id.not_in(select(_DUE.c.id)))
)


def _leased(is_due: ColumnElement[bool], *texts: ColumnElement[Any]) -> Update:
    """Return what leases the mails of which `is_due` is true."""
    return (
        update(outbox)
        .where(is_due)
        .values(owner=bindparam("by"), next_try_at=bindparam("until"))
        .returning(
            outbox.c.id,
            outbox.c.sender,
            outbox.c.recipient,
            outbox.c.tries,
            outbox.c.created_at,
            outbox.c.inbox_id,
            *texts,
        )
    )


def _lease_with_texts() -> Update:
    """Return what leases and reads mails in one statement of PostgreSQL.

    The limit is not known when it is planned. So the mails are an array, and their texts are not
    joined: it might read the whole table for either.
    """
    texts = [
        select(column).where(outbox_texts.c.id == outbox.c.id).scalar_subquery()
        for column in (outbox_texts.c.message_id, outbox_texts.c.content)
    ]
    leasable = select(_DUE.c.id).where(_DUE.c.recipient.not_in(_CLAIMED))
    ids = func.array(leasable.scalar_subquery())
    return _leased(outbox.c.id == any_(ids), *texts)


_LEASE_SETTINGS = {**BY_INDEXES, "synchronous_commit": "off"}
"""The commit does not wait for the disk."""

_CLAIM = _leased(outbox.c.id.in_(select(_DUE.c.id)))

_CLAIM_WITH_TEXTS = _lease_with_texts()

_READ_TEXTS = select(outbox_texts.c.id, outbox_texts.c.message_id, outbox_texts.c.content).where(
    among(outbox_texts.c.id, "ids")
)


def lease(connection: Connection, claiming: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    """Lease mails; return them, each with its text.

    On PostgreSQL a lease may be forgotten in a crash of its server. Then these mails may go out
    twice, as those whose notes were forgotten (liveness.py).
    """
    if connection.dialect.name == "postgresql":
        set_within(connection, _LEASE_SETTINGS)
        return connection.execute(_CLAIM_WITH_TEXTS, claiming).all()
    rows = connection.execute(_CLAIM, claiming).all()
    found = connection.execute(_READ_TEXTS, {"ids": [row.id for row in rows]}).all()
    texts = {text[0]: text[1:] for text in found}
    return [(*row, *texts[row.id]) for row in rows]


_IDS = Numbers(outbox)

_ADD = adding(
    outbox,
    *("id", "state", "sender", "recipient", "tries", "created_at", "next_try_at", "error"),
    *("message_key", "inbox_id", "board", "ply"),
)

_ADD_TEXT = adding(outbox_texts, "id", "message_id", "content")

_LISTED = select(*columns_of(OutboxRow, outbox)).where(outbox.c.state.in_((WAITING, DEAD)))
"""The mails that still need the relay, or the operator."""


# A report on one may have come first.
SENT_WITH_WORDS = (
    update(outbox)
    .where(outbox.c.id == bindparam("mail"), outbox.c.state != SENT)
    .values(state=SENT, owner=None, error="")
)
"""Marks a mail sent that is not yet, with the words of the relay."""

_WIPE = delete(outbox_texts).where(among(outbox_texts.c.id, "ids"))


_TOLD = (
    func.unnest(
        bindparam("ids", type_=ARRAY(BigInteger)),
        bindparam("said", type_=ARRAY(outbox.c.words.type)),
    )
    .table_valued(column("id", BigInteger), column("words", outbox.c.words.type))
    .render_derived("told")
)

# By the join alone it would read the whole table, of which nearly all rows are done.
_TAKEN = (
    update(outbox)
    .where(among(outbox.c.id, "ids"), outbox.c.id == _TOLD.c.id, outbox.c.state != SENT)
    .values(state=SENT, owner=None, error="", words=_TOLD.c.words, sent_at=bindparam("now"))
    .returning(outbox.c.id)
    .cte("taken")
)

_TAKEN_IDS = func.array(select(_TAKEN.c.id).scalar_subquery())

NOTE_SENT = delete(outbox_texts).where(outbox_texts.c.id == any_(_TAKEN_IDS))
"""`mark_sent` in one statement of PostgreSQL, for a few mails."""


def mark_sent(connection: Connection, words: Mapping[int, str], now: datetime) -> None:
    """Mark mails sent, each with the words of the relay, and delete their texts."""
    rows = [{"mail": mail, "words": said, "sent_at": now} for mail, said in words.items()]
    connection.execute(SENT_WITH_WORDS, rows)
    with not_overwriting(connection):
        connection.execute(_WIPE, {"ids": words})


@writes(outbox, outbox_texts)
def post(
    connection: Connection, mails: Sequence[tuple[OutgoingMail, datetime, int | None]]
) -> None:
    """Add mails, each composed at its moment and because of a mail of the inbox, in this order."""
    ids = _IDS.draw(connection, len(mails))
    makes_work(connection, Wakes.DELIVER)
    numbered = [(number, *each) for number, each in zip(ids, mails, strict=True)]
    add_rows(connection, _ADD, [_row(*each) for each in numbered])
    add_rows(
        connection,
        _ADD_TEXT,
        [
            {"id": number, "message_id": mail.message_id, "content": mail.content}
            for number, mail, *_ in numbered
        ],
    )


class Outbox(Repository):
    """Mails composed and not yet taken by the relay."""

    def add(self, mails: Sequence[OutgoingMail], now: datetime, answers: int | None = None) -> None:
        """Add mails; `answers` is the number of the mail in the inbox that they came from."""
        self._unit.write(post, *((mail, now, answers) for mail in mails))

    def claim(
        self, limit: int, owner: str, now: datetime, until: datetime
    ) -> tuple[WaitingDelivery, ...]:
        """Lease up to `limit` mails due at `now`, oldest first, to `owner` until `until`.

        A crash of the database may forget the lease, with all else that this unit of work has
        written.
        """
        claiming = {"most": limit, "now": now, "by": owner, "until": until}
        # RETURNING promises no order; by id, the mails of one recipient keep theirs.
        return tuple(map(_waiting, sorted(lease(self._connection, claiming), key=itemgetter(0))))

    def take_back(self, recipient: str, number: int, now: datetime) -> Joinable | None:
        """Drop the mail that waits for the next one about board `number`; return what it reports.

        None is returned if there is no such mail, or if it is on its way already.
        """
        waits = outbox.c.next_try_at.between(now - JOIN_WITHIN, now + JOIN_WITHIN)
        unleased = outbox.c.state == WAITING, outbox.c.owner.is_(None), waits
        taken = self._connection.execute(
            delete(outbox)
            .where(*unleased, outbox.c.recipient == recipient, outbox.c.board == number)
            .returning(outbox.c.board, outbox.c.ply, outbox.c.inbox_id)
        ).all()
        return min((Joinable(*row) for row in taken), key=lambda each: each.ply, default=None)

    def release(self, owner: str, among: Sequence[int] | None = None) -> None:
        """Give up the leases of an owner, on all its mails or on some."""
        which = [] if among is None else [outbox.c.id.in_(among)]
        # A mail is due from the moment it was made.
        theirs = outbox.c.state == WAITING, outbox.c.owner == owner, *which
        self._make_due(*theirs, owner=None, next_try_at=outbox.c.created_at)

    def leased(self, owner: str, among: Sequence[int]) -> tuple[int, ...]:
        """Return those of these mails that `owner` leases."""
        held = select(outbox.c.id).where(
            outbox.c.state == WAITING, outbox.c.owner == owner, outbox.c.id.in_(among)
        )
        return tuple(self._connection.scalars(held))

    def owners(self) -> tuple[str, ...]:
        """Return the owners that hold leases."""
        held = select(outbox.c.owner).where(outbox.c.state == WAITING, outbox.c.owner.is_not(None))
        return tuple(self._connection.scalars(held.distinct().order_by(outbox.c.owner)))

    def sent(
        self, deliveries: Sequence[int], now: datetime, words: Mapping[int, str] = NO_WORDS
    ) -> None:
        """Mark them sent and delete their bytes; `words` is what the relay said to some."""
        if deliveries:
            said = {number: words.get(number, "") for number in deliveries}
            mark_sent(self._connection, said, now)

    def deferred(self, delivery: int, error: str, next_try_at: datetime) -> None:
        self._tried(delivery, error=error, next_try_at=next_try_at)

    def dead(self, delivery: int, error: str) -> None:
        """Give one up; it stays listed for the operator."""
        self._tried(delivery, error=error, state=DEAD)

    def returned(self, sender: str, error: str, now: datetime) -> tuple[str, datetime] | None:
        """Remember once that the mail with this envelope `sender` came back.

        Returns its recipient and when it was made, or None if no such mail is out.

        A mail not yet marked as sent counts as sent, or it could not have come back.
        """
        not_yet = or_(outbox.c.state == WAITING, and_(outbox.c.state == SENT, outbox.c.error == ""))
        found = self._connection.execute(
            update(outbox)
            .where(outbox.c.sender == sender, not_yet)
            .values(state=SENT, owner=None, sent_at=now, error=error)
            .returning(outbox.c.id, outbox.c.recipient, outbox.c.created_at)
        ).first()
        if found is None:
            return None
        self._connection.execute(_WIPE, {"ids": [found.id]})
        return found.recipient, found.created_at

    def sent_since(self, moment: datetime) -> int:
        """Return how many mails the relay has taken since `moment`."""
        return self._count(outbox.c.state == SENT, outbox.c.sent_at > moment)

    def hurry(self, now: datetime) -> int:
        """Make all due that were put off and that nobody delivers now; return how many."""
        put_off = outbox.c.state == WAITING, outbox.c.next_try_at > now, outbox.c.owner.is_(None)
        return self._make_due(*put_off, next_try_at=now)

    def has_sent_since(self, moment: datetime) -> bool:
        """Return whether a mail was sent after `moment`."""
        # An index finds them, because the leases under which they were sent end in the future.
        later = outbox.c.state == SENT, outbox.c.next_try_at > moment, outbox.c.sent_at > moment
        return self._connection.scalar(select(outbox.c.id).where(*later).limit(1)) is not None

    def next_due(self) -> datetime | None:
        """Return when the earliest waiting mail is due."""
        statement = select(func.min(outbox.c.next_try_at)).where(outbox.c.state == WAITING)
        due: datetime | None = self._connection.scalar(statement)
        return due

    def not_after(self, now: datetime) -> int:
        """Make mails due that were made after `now`; return how many.

        There are such mails if time was put back, or after a drill.
        """
        later = outbox.c.state == WAITING, outbox.c.created_at > now, outbox.c.owner.is_(None)
        return self._make_due(*later, created_at=now, next_try_at=now)

    def listing(self, limit: int = 200) -> tuple[OutboxRow, ...]:
        """Return what waits or is dead, oldest first."""
        rows = self._connection.execute(_LISTED.order_by(outbox.c.id).limit(limit))
        return tuple(OutboxRow(*row) for row in rows)

    def get(self, delivery: int) -> OutboxRow | None:
        """Return one that waits or is dead."""
        row = self._connection.execute(_LISTED.where(outbox.c.id == delivery)).first()
        return None if row is None else OutboxRow(*row)

    def retry(self, delivery: int, now: datetime) -> bool:
        """Make one due at once that nobody leases; return False if there is none.

        A dead one counts from now, so that it has days again before it is given up.
        """
        return self._retry(now, outbox.c.id == delivery) == 1

    def retry_all(self, now: datetime) -> int:
        """Make all due at once that nobody leases, as `retry` does; return how many."""
        return self._retry(now)

    def _retry(self, now: datetime, *which: ColumnElement[bool]) -> int:
        # A mail that is being delivered right now stays with its owner, or it would go out twice.
        dead = outbox.c.state == DEAD
        return self._make_due(
            *(outbox.c.state.in_((WAITING, DEAD)), outbox.c.owner.is_(None), *which),
            state=WAITING,
            next_try_at=now,
            created_at=case((dead, literal(now, UtcTime)), else_=outbox.c.created_at),
            tries=case((dead, 0), else_=outbox.c.tries),
        )

    def seize(self, delivery: int, owner: str) -> None:
        """Take one from an `owner` that is known to be dead."""
        theirs = outbox.c.id == delivery, outbox.c.state == WAITING, outbox.c.owner == owner
        self._update(outbox, *theirs, owner=None)

    def drop(self, delivery: int) -> bool:
        """Forget one; return False if there is none."""
        listed = outbox.c.id == delivery, outbox.c.state.in_((WAITING, DEAD))
        return self._delete(outbox, *listed) == 1

    def _tried(self, delivery: int, **values: object) -> None:
        waits = outbox.c.id == delivery, outbox.c.state == WAITING
        self._update(outbox, *waits, owner=None, tries=outbox.c.tries + 1, **values)

    def _make_due(self, *which: ColumnElement[bool], **values: object) -> int:
        """Change mails so that they are due, and wake delivery; return how many they were."""
        makes_work(self._connection, Wakes.DELIVER)
        return self._update(outbox, *which, **values)


def _waiting(row: Sequence[Any]) -> WaitingDelivery:
    number, sender, to, tries, made, answers, message_id, content = row
    mail = OutgoingMail(sender, to, message_id, bytes(content))
    return WaitingDelivery(number, mail, tries, made, answers)


def _row(number: int, mail: OutgoingMail, now: datetime, answers: int | None) -> dict[str, Any]:
    """Return the row of a mail that was composed at `now`."""
    board, ply = (mail.waits.number, mail.waits.ply) if mail.waits else (None, None)
    return {
        "id": number,
        "state": WAITING,
        "sender": mail.sender,
        "recipient": mail.recipient,
        "tries": 0,
        "created_at": now,
        "next_try_at": now + JOIN_WITHIN if mail.waits else now,
        "error": "",
        "message_key": message_key(mail.message_id),
        "inbox_id": answers,
        "board": board,
        "ply": ply,
    }
