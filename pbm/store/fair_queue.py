"""The order in which waiting mails are played: rounds, in which nobody has more than a share.

A mail gets its slot when it is taken, so that play only has to take the least slot first: however
many mails wait, that is a look at the beginning of an index. A round has `LANES` slots. In one
round a sender has one mail, and a group of senders has one in each slot. A mail of a sender with
none waiting goes into the round that is being played. The mails of one sender keep their order,
because each gets a later round than the one before. (The literature calls this start-time fair
queueing.)

The state of a mail that waits is the word for it and the mail's slot, such as waiting000000017,
so the index on state and id holds the mails in the order in which they are played. One without a
slot waits as well, and is the next. The next free round of each sender and lane is a tally; it
is forgotten when nothing waits. Its key is a hash, because a sender is an address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, func, literal, select, union_all

from pbm.store.driver.dialects import add_rows, adding, among, replaces
from pbm.store.tables import inbox, tallies

LANES = 8
"""Mails of one group in a round. Each lane of a group fills up by itself, so a sender with a
thousand mails fills one, and another of the same group finds the next one empty. The first lanes
of all groups come before the second ones, so a group with many senders delays no other. The last
lane is for senders who have written nothing since the queue was empty."""

ROUND_OCTETS = 8 * 1024
"""A mail takes one round, and one more for each full measure of this: the share is of work."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The rounds, from the present one on, that one sender and one group may take."""

    of_sender: int = 12_500
    of_group: int = 25_000


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail on its way in: `sender` and `group` are the names that its rounds are counted under.

    No sender may have the name of a lane.
    """

    sender: str
    group: str
    octets: int

    @property
    def rounds(self) -> int:
        """The number of rounds that it takes."""
        return 1 + self.octets // ROUND_OCTETS


@dataclass(frozen=True, slots=True)
class Plan:
    """The slots of some arrivals, in their order, None for one beyond a share.

    `free` says, for each name that they have changed, which round is its next free one.
    """

    slots: tuple[int | None, ...]
    free: Mapping[str, int]


def names_of(arrivals: Sequence[Arrival]) -> frozenset[str]:
    """Return all names that the slots of `arrivals` depend on."""
    senders = {arrival.sender for arrival in arrivals}
    groups = {arrival.group for arrival in arrivals}
    return frozenset(senders.union(*map(_lanes_of, groups)))


def round_of(slot: int) -> int:
    """Return the round that `slot` belongs to."""
    return slot // LANES


def plan(
    arrivals: Sequence[Arrival], present: int, free: Mapping[str, int], shares: Shares
) -> Plan:
    """Give each arrival its slot.

    `present` is the round that is being played (`round_of`). `free` is the next free round of
    each name; a name that is missing has none taken.
    """
    known = dict(free)
    changed: dict[str, int] = {}
    slots: list[int | None] = []
    for arrival in arrivals:
        placed = _place(arrival, present, known, shares)
        slots.append(None if placed is None else placed[0])
        if placed is not None:
            known.update(placed[1])
            changed.update(placed[1])
    return Plan(tuple(slots), changed)


def _place(
    arrival: Arrival, present: int, free: Mapping[str, int], shares: Shares
) -> tuple[int, Mapping[str, int]] | None:
    """Return the slot of `arrival` and what is free after it; None if it is beyond a share."""
    own = max(present, free.get(arrival.sender, present))
    lanes = [max(present, free.get(name, present)) for name in _lanes_of(arrival.group)]
    taken_by_group = sum(lanes) - LANES * present
    if own - present >= shares.of_sender or taken_by_group >= shares.of_group:
        return None
    lane = _lane_for(own, lanes[:-1] if arrival.sender in free else lanes)
    start = max(own, lanes[lane])
    after = {
        arrival.sender: start + arrival.rounds,
        f"{arrival.group}{lane}": lanes[lane] + arrival.rounds,
    }
    return start * LANES + lane, after


def _lanes_of(group: str) -> tuple[str, ...]:
    return tuple([f"{group}{lane}" for lane in range(LANES)])


def _lane_for(own: int, lanes: Sequence[int]) -> int:
    """Return the fullest lane that delays nothing, so that the emptier ones are left to others."""
    fitting = [free for free in lanes if free <= own]
    return lanes.index(max(fitting) if fitting else min(lanes))


WAITING = "waiting"

WAITS = inbox.c.state >= WAITING
"""True of all that waits: no other state comes after this word, but with a slot behind it."""

_LAST_SLOT = 999_999_999
"""The column has digits for no more. In a flood that never ends it takes weeks to get there; from
then on mails are played as they came."""

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

_QUEUE = union_all(
    select(tallies.c.key, tallies.c.events).where(
        among(tallies.c.key, "names"), tallies.c.began_at == _FOR_EVER
    ),
    select(_NEXT.c.state, literal(0)),
)

_COUNTED = select(func.count()).select_from(
    select(inbox.c.id).where(WAITS).limit(bindparam("most")).subquery()
)

_FORGET = delete(tallies).where(
    tallies.c.key >= _PREFIX, tallies.c.key < _AFTER_PREFIX, tallies.c.began_at == _FOR_EVER
)

_KEEP = adding(tallies, "key", "began_at", "events", finish=replaces(tallies))

# Two processes that take mails at once would give the same slots; SQLite has one writer anyway.
_INTAKE = 7_061_726_303
_ONE_AT_A_TIME = select(func.pg_advisory_xact_lock(_INTAKE))


def state_in(slot: int) -> str:
    """Return the state of a mail that waits in `slot`."""
    return f"{WAITING}{min(slot, _LAST_SLOT):09d}"


class SlotSchedule:
    """Gives slots to mails that are being stored, in the transaction that stores them.

    One schedule serves one transaction, in which it finds the inbox as it is.
    """

    def __init__(self, connection: Connection, arrivals: Sequence[Arrival]) -> None:
        self._connection = connection
        self._arrivals = [_hashed(arrival) for arrival in arrivals]
        if connection.dialect.name == "postgresql":
            connection.execute(_ONE_AT_A_TIME)
        names = [_AT_MOST, *sorted(names_of(self._arrivals))]
        self._queue = connection.execute(_QUEUE, {"names": names}).all()

    @cached_property
    def _state(self) -> tuple[int | None, Mapping[str, int]]:
        """The round that is being played, None if nothing waits, and the tallies of the queue."""
        found: dict[str, int] = dict(map(tuple, self._queue))
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
            self._tallied = self._connection.execute(_COUNTED, {"most": most}).scalar_one()
        return self._tallied

    def give(self, shares: Shares) -> tuple[int | None, ...]:
        """Return the slot of each arrival, None for one that is beyond a share."""
        present, found = self._state
        if present is None:
            self._connection.execute(_FORGET)
        planned = plan(self._arrivals, present or 0, found, shares)
        taken = sum(slot is not None for slot in planned.slots)
        self._keep({**planned.free, _AT_MOST: self._tallied + taken})
        return planned.slots

    def _keep(self, numbers: Mapping[str, int]) -> None:
        rows = [
            {"key": name, "began_at": _FOR_EVER, "events": number}
            for name, number in sorted(numbers.items())
        ]
        add_rows(self._connection, _KEEP, rows)


def _hashed(arrival: Arrival) -> Arrival:
    """Return `arrival` with names that say nothing, and that no sender shares with a group."""
    return Arrival(_key("sender", arrival.sender), _key("group", arrival.group), arrival.octets)


def _key(kind: str, name: str) -> str:
    digest = sha256(f"{kind} {name}".encode("utf-8", "surrogateescape"))
    return f"{_PREFIX}{digest.hexdigest()[:32]}"
