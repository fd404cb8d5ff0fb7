"""The slots of the inbox as they are stored: in the state of a mail, and in tallies.

The state of a mail that waits is the word for it and the mail's slot, such as waiting000000017,
so the index on state and id holds the mails in the order in which they are played. One without a
slot waits as well, and is the next. The next free round of each sender and lane is a tally; it
is forgotten when nothing waits. Its key is a hash, because a sender is an address.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, func, literal, select, union_all

from pbm.store.bulk import Bulk
from pbm.store.dialects import replaces
from pbm.store.prepared import Prepared, among
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

_AT_MOST = f"{_PREFIX}-mails"
"""The tally of what waits: so many mails, or fewer, because play does not count them down. When it
reaches the high-water mark they are counted, and it is right again; so a mail costs the same
however many wait."""

_NEXT = (
    select(inbox.c.state)
    .where(inbox.c.state > WAITING)
    .order_by(inbox.c.state, inbox.c.id)
    .limit(1)
    .subquery()
)

_QUEUE = Prepared(
    lambda dialect: union_all(
        select(tallies.c.key, tallies.c.events).where(
            among(dialect, tallies.c.key, "names"), tallies.c.began_at == _FOR_EVER
        ),
        select(_NEXT.c.state, literal(0)),
    ),
    "names",
)

_COUNTED = Prepared(
    lambda _: select(func.count()).select_from(
        select(inbox.c.id).where(WAITS).limit(bindparam("most")).subquery()
    ),
    "most",
)

_FORGET = Prepared(
    lambda _: delete(tallies).where(
        tallies.c.key >= _PREFIX, tallies.c.key < _AFTER_PREFIX, tallies.c.began_at == _FOR_EVER
    )
)

_KEEP = Bulk(tallies, "key", "began_at", "events", finish=replaces(tallies))

# Two processes that take mails at once would give the same slots; SQLite has one writer anyway.
_ONE_AT_A_TIME = Prepared(lambda _: select(func.pg_advisory_xact_lock(_INTAKE)))
_INTAKE = 7_061_726_303


def state_in(slot: int) -> str:
    """Return the state of a mail that waits in `slot`."""
    return f"{WAITING}{min(slot, _LAST_SLOT):09d}"


class SqlSchedule:
    """Gives slots to mails that are being stored, in the transaction that stores them.

    One schedule serves one transaction, in which it finds the inbox as it is.
    """

    def __init__(self, connection: Connection, arrivals: Sequence[Arrival]) -> None:
        self._connection = connection
        self._arrivals = [_hashed(arrival) for arrival in arrivals]
        if connection.dialect.name == "postgresql":
            _ONE_AT_A_TIME.ask(connection)
        self._queue = _QUEUE.ask(connection, [_AT_MOST, *sorted(names_of(self._arrivals))])

    @cached_property
    def _state(self) -> tuple[int | None, Mapping[str, int]]:
        """The round that is being played, None if nothing waits, and the tallies of the queue."""
        found: dict[str, int] = dict(self._queue.rows)
        present = [key for key in found if key.startswith(WAITING)]
        if not present:
            # What is left of a queue that has been played says nothing.
            return None, {}
        return round_of(int(present[0].removeprefix(WAITING))), found

    @cached_property
    def _tallied(self) -> int:
        return self._state[1].get(_AT_MOST, 0)

    def waiting(self, most: int) -> int:
        """Return how many mails wait: exactly if that may be `most`, otherwise perhaps too many.

        Mails without a slot, which are older than the slots or come back from the shunt, may be
        left out of it until then.
        """
        if self._tallied + len(self._arrivals) > most:
            self._tallied = int(_COUNTED.rows(self._connection, most)[0][0])
        return self._tallied

    def give(self, shares: Shares) -> tuple[int | None, ...]:
        """Return the slot of each arrival, None for one that is beyond a share."""
        present, found = self._state
        if present is None:
            _FORGET.ask(self._connection)
        planned = plan(self._arrivals, present or 0, found, shares)
        taken = sum(slot is not None for slot in planned.slots)
        self._keep({**planned.free, _AT_MOST: self._tallied + taken})
        return planned.slots

    def _keep(self, numbers: Mapping[str, int]) -> None:
        rows = [(name, _FOR_EVER, number) for name, number in sorted(numbers.items())]
        _KEEP.add(self._connection, rows)


def _hashed(arrival: Arrival) -> Arrival:
    """Return `arrival` with names that say nothing, and that no sender shares with a group."""
    return Arrival(_key("sender", arrival.sender), _key("group", arrival.group), arrival.octets)


def _key(kind: str, name: str) -> str:
    digest = sha256(f"{kind} {name}".encode("utf-8", "surrogateescape"))
    return f"{_PREFIX}{digest.hexdigest()[:32]}"
