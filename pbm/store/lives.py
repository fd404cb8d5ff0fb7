"""The way of mails, for `pbm trace`: no index leads there, because it is seldom asked for."""

from sqlalchemy import case, func, select

from pbm.service.ports import IncomingLife, OutgoingLife, Queues
from pbm.store import outbox_states as post
from pbm.store.inbox import SHUNTED
from pbm.store.repository import Repository
from pbm.store.schedule import WAITING, WAITS
from pbm.store.tables import inbox, outbox

_INCOMING = select(
    inbox.c.id, case((WAITS, WAITING), else_=inbox.c.state), inbox.c.received_at,
    inbox.c.listener, inbox.c.octets, inbox.c.played_at, inbox.c.outcome, inbox.c.shunted_at,
)  # fmt: skip

_OUTGOING = select(
    outbox.c.id, outbox.c.inbox_id, outbox.c.recipient, outbox.c.state, outbox.c.created_at,
    outbox.c.tries, outbox.c.next_try_at, outbox.c.owner.is_not(None), outbox.c.sent_at,
    outbox.c.words, outbox.c.error,
).order_by(outbox.c.id)  # fmt: skip


_WAITING = select(
    func.count(), func.coalesce(func.sum(inbox.c.octets), 0), func.min(inbox.c.received_at)
).where(WAITS)

_DUE = select(func.count(), func.min(outbox.c.next_try_at)).where(outbox.c.state == post.WAITING)

_SHUNTED = select(func.count()).where(inbox.c.state == SHUNTED)

_DEAD = select(func.count()).where(outbox.c.state == post.DEAD)


class SqlLives(Repository):
    """`pbm.service.ports.Lives`."""

    def incoming(self, mail: int) -> IncomingLife | None:
        row = self._connection.execute(_INCOMING.where(inbox.c.id == mail)).first()
        return None if row is None else IncomingLife(*row)

    def outgoing(self, mail: int) -> OutgoingLife | None:
        row = self._connection.execute(_OUTGOING.where(outbox.c.id == mail)).first()
        return None if row is None else OutgoingLife(*row)

    def led_to(self, mail: int) -> tuple[OutgoingLife, ...]:
        rows = self._connection.execute(_OUTGOING.where(outbox.c.inbox_id == mail))
        return tuple(OutgoingLife(*row) for row in rows)

    def queues(self) -> Queues:
        waiting, octets, oldest = self._connection.execute(_WAITING).one()
        outgoing, due = self._connection.execute(_DUE).one()
        shunted, dead = map(self._connection.scalar, (_SHUNTED, _DEAD))
        return Queues(waiting, int(octets), oldest, shunted or 0, outgoing, due, dead or 0)

    def known_as(self, key: int) -> tuple[tuple[IncomingLife, ...], tuple[OutgoingLife, ...]]:
        came = self._connection.execute(_INCOMING.where(inbox.c.message_key == key))
        went = self._connection.execute(_OUTGOING.where(outbox.c.message_key == key))
        return tuple(IncomingLife(*row) for row in came), tuple(OutgoingLife(*row) for row in went)
