"""What is deleted in the course of time; never the record: matches, seats, logs, ratings."""

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    Table,
    bindparam,
    delete,
    func,
    select,
    tuple_,
)

from pbm.service.ports import Cutoffs
from pbm.store.inbox import DONE, SHUNTED
from pbm.store.outbox_states import DEAD, SENT
from pbm.store.tables import errands, inbox, outbox, signups, tallies


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
_STATEMENTS = (
    delete(inbox).where(
        inbox.c.id.in_(select(_PLAYED.c.id).where(_PLAYED.c.received_at < bindparam("done")))
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
    _oldest(tallies, tallies.c.began_at, tallies.c.began_at < bindparam("counted")),
)  # fmt: skip


def prune(connection: Connection, before: Cutoffs, limit: int) -> int:
    """Delete at most `limit` rows by each of the rules; return how many were deleted in all."""
    times = {
        "done": before.done, "dead": before.dead,
        "asked": before.asked, "counted": before.counted,
    }  # fmt: skip
    return sum(
        connection.execute(statement, {**times, "most": limit}).rowcount
        for statement in _STATEMENTS
    )
