"""How mails of the outbox are leased: on PostgreSQL in one statement, which also reads them."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Update, bindparam, func, select, update

from pbm.store.asking import Row
from pbm.store.outbox_states import WAITING
from pbm.store.prepared import Prepared, among
from pbm.store.tables import outbox, outbox_texts
from pbm.store.trips import BY_INDEXES, set_within

# The due mails that nobody else is claiming right now. A common table expression is computed once;
# PostgreSQL may run a plain subquery again and again, and lock other rows each time.
_DUE = (
    select(outbox.c.id)
    .where(outbox.c.state == WAITING, outbox.c.next_try_at <= bindparam("now"))
    .order_by(outbox.c.next_try_at, outbox.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    .cte("due")
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


def _lease_with_texts(_: str) -> Update:
    """Return what leases and reads mails in one statement of PostgreSQL.

    The limit is not known when it is planned. So the mails are an array, and their texts are not
    joined: it might read the whole table for either.
    """
    texts = [
        select(column).where(outbox_texts.c.id == outbox.c.id).scalar_subquery()
        for column in (outbox_texts.c.message_id, outbox_texts.c.content)
    ]
    ids = func.array(select(_DUE.c.id).scalar_subquery())
    return _leased(outbox.c.id == func.any(ids), *texts)


_SETTINGS = {**BY_INDEXES, "synchronous_commit": "off"}
"""The commit does not wait for the disk."""

_CLAIMING = ("most", "now", "by", "until")

_CLAIM = Prepared(lambda _: _leased(outbox.c.id.in_(select(_DUE.c.id))), *_CLAIMING)

_CLAIM_WITH_TEXTS = Prepared(_lease_with_texts, *_CLAIMING)

_READ = Prepared(
    lambda dialect: select(
        outbox_texts.c.id, outbox_texts.c.message_id, outbox_texts.c.content
    ).where(among(dialect, outbox_texts.c.id, "ids")),
    "ids",
)


def lease(connection: Connection, *claiming: Any) -> Callable[[], list[Row]]:
    """Lease mails, at the latest with the commit; return what gives them, each with its text.

    On PostgreSQL a lease may be forgotten in a crash of its server. Then these mails may go out
    twice, as those whose notes were forgotten (lifelines.py).
    """
    if connection.dialect.name == "postgresql":
        set_within(connection, _SETTINGS)
        leased = _CLAIM_WITH_TEXTS.ask(connection, *claiming)
        return lambda: leased.rows
    rows = _CLAIM.rows(connection, *claiming)
    texts = {text[0]: text[1:] for text in _READ.rows(connection, [row[0] for row in rows])}
    with_texts = [(*row, *texts[row[0]]) for row in rows]
    return lambda: with_texts
