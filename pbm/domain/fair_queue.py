"""The order in which waiting mails are played: rounds, in which nobody has more than a share.

A mail gets its slot when it is taken, so that play only has to take the least slot first. A round
has `LANES` slots. In one round a sender has one mail, and a group of senders has one in each slot.
A mail of a sender with none waiting goes into the round that is being played. The mails of one
sender keep their order, because each gets a later round than the one before. (The literature calls
this start-time fair queueing.)
"""

from collections.abc import Mapping, Sequence

from pbm.engine import frozen

LANES = 8
"""Mails of one group in a round. Each lane of a group fills up by itself, so a sender with a
thousand mails fills one, and another of the same group finds the next one empty. The first lanes
of all groups come before the second ones, so a group with many senders delays no other. The last
lane is for senders who have written nothing since the queue was empty."""

ROUND_OCTETS = 8 * 1024
"""A mail takes one round, and one more for each full measure of this: the share is of work."""


@frozen
class Shares:
    """The rounds, from the present one on, that one sender and one group may take."""

    of_sender: int = 12_500
    of_group: int = 25_000


@frozen
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


@frozen
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
