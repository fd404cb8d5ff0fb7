"""The slots of the inbox as they are stored: in the state of a mail, and in tallies.

The state of a mail that waits is the word for it and the mail's slot, such as waiting000000017,
so the index on state and id holds the mails in the order in which they are played. One without a
slot waits as well, and is the next. The next free round of each sender and lane is a tally; it
is forgotten when nothing waits. Its key is a hash, because a sender is an address.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, select, text

from pbm.store.dialects import replacing
from pbm.store.rounds import Arrival, Shares, names_of, plan, round_of
from pbm.store.tables import inbox, tallies

WAITING = "waiting"

WAITS = inbox.c.state >= WAITING
"""True of all that waits: no other state comes after this word, but with a slot behind it."""

_LAST_SLOT = 999_999_999
"""What the column has digits for. An inbox that is never empty takes weeks of a flood to get there;
from then on mails are played as they came."""

_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When the window of these tallies begins: no day's cleaning takes them."""

_PREFIX = "queue"
_AFTER_PREFIX = "queuf"

_NEXT = (
    select(inbox.c.state)
    .where(inbox.c.state > WAITING)
    .order_by(inbox.c.state, inbox.c.id)
    .limit(1)
)

_FREE = select(tallies.c.key, tallies.c.events).where(
    tallies.c.key.in_(bindparam("names", expanding=True)), tallies.c.began_at == _FOR_EVER
)

_FORGET = delete(tallies).where(
    tallies.c.key >= _PREFIX, tallies.c.key < _AFTER_PREFIX, tallies.c.began_at == _FOR_EVER
)

_KEEP = replacing(tallies)

# Two processes that take mails at once would give the same slots; SQLite has one writer anyway.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(:key)")
_INTAKE = 7_061_726_303


def state_in(slot: int) -> str:
    """Return the state of a mail that waits in `slot`."""
    return f"{WAITING}{min(slot, _LAST_SLOT):09d}"


class SqlSchedule:
    """Gives slots to mails that are being stored, in the transaction that stores them."""

    def __init__(self, connection: Connection, shares: Shares) -> None:
        self._connection = connection
        self._shares = shares

    def give(self, arrivals: Sequence[Arrival]) -> tuple[int | None, ...]:
        """Return the slot of each arrival, None for one that is beyond a share."""
        if self._connection.dialect.name == "postgresql":
            self._connection.execute(_ONE_AT_A_TIME, {"key": _INTAKE})
        hashed = [_hashed(arrival) for arrival in arrivals]
        present = self._connection.scalar(_NEXT)
        if present is None:
            self._connection.execute(_FORGET)
            planned = plan(hashed, 0, {}, self._shares)
        else:
            free = self._free(names_of(hashed))
            planned = plan(hashed, round_of(int(present.removeprefix(WAITING))), free, self._shares)
        self._keep(planned.free)
        return planned.slots

    def _free(self, names: Iterable[str]) -> Mapping[str, int]:
        rows = self._connection.execute(_FREE, {"names": sorted(names)})
        return {row.key: row.events for row in rows}

    def _keep(self, free: Mapping[str, int]) -> None:
        if free:
            self._connection.execute(
                _KEEP[self._connection.dialect.name],
                [
                    {"key": name, "began_at": _FOR_EVER, "events": number}
                    for name, number in sorted(free.items())
                ],
            )


def _hashed(arrival: Arrival) -> Arrival:
    """Return `arrival` with names that say nothing, and that no sender shares with a group."""
    return Arrival(_key("sender", arrival.sender), _key("group", arrival.group), arrival.octets)


def _key(kind: str, name: str) -> str:
    digest = sha256(f"{kind} {name}".encode("utf-8", "surrogateescape"))
    return f"{_PREFIX}{digest.hexdigest()[:32]}"
