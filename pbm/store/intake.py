"""Intake: where received mails are stored, each batch in one transaction.

How many octets wait is counted seldom, so that a mail costs the same however many there are.

The state of a mail that waits is the word for it and the mail's slot (pbm.domain.fair_queue), such
as waiting000000017, so the index on state and id holds the mails in the order in which they are
played: however many mails wait, to take the next one is a look at its beginning. One without a slot
waits as well, and is the next. The next free round of each sender and lane is a tally; it is
forgotten when nothing waits. Its key is a hash, because a sender is an address.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256

from sqlalchemy import Connection, Engine, bindparam, delete, func, literal, select, union_all
from sqlalchemy.exc import SQLAlchemyError

from pbm.domain.addresses import mailbox
from pbm.domain.fair_queue import Arrival, Shares, names_of, plan, round_of
from pbm.domain.mail import ReceivedMail, Source, message_key
from pbm.domain.observer import Observer, Taken
from pbm.engine import frozen, to_json
from pbm.store.driver.dialects import add_rows, adding, among, by_indexes, replaces
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.errors import Conflict, IntakeUnavailable, StoreUnavailable
from pbm.store.repository import Numbers
from pbm.store.tables import inbox, inbox_texts, tallies

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


MOST_OCTETS = 400 * 1024 * 1024
"""Waiting octets beyond which intake asks senders to come back later."""

_COUNTED_AGAIN = timedelta(seconds=10)

OCTETS = select(func.coalesce(func.sum(inbox.c.octets), 0)).where(WAITS)
"""The octets that wait, in one figure."""


class OctetsWaiting:
    """Knows whether there is room for more octets, and seldom adds up those that wait.

    It remembers a number that is not less, to which it adds what comes. Only when that fills the
    room is it counted anew; while there is no room, once in `_COUNTED_AGAIN`.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._at_most = most + 1
        self._counted_at: datetime | None = None

    def check(self, connection: Connection, mails: Sequence[ReceivedMail]) -> None:
        """Raise IntakeUnavailable if there is no room for `mails`, or else count them in."""
        now, coming = mails[-1].received_at, sum(len(mail.content) for mail in mails)
        if self._at_most + coming > self._most:
            self._count(connection, now)
        if self._at_most + coming > self._most:
            raise IntakeUnavailable(f"{self._at_most} octets wait to be played.")
        self._at_most += coming
        self._counted_at = None

    def _count(self, connection: Connection, now: datetime) -> None:
        if self._counted_at is None or abs(now - self._counted_at) >= _COUNTED_AGAIN:
            self._at_most = connection.scalar(OCTETS) or 0
            self._counted_at = now


_IDS = Numbers(inbox)

# A repeat is left out.
_ADD = adding(
    inbox,
    *("id", "state", "content_key", "sender", "recipients", "received_at", "error"),
    *("source", "octets", "network", "message_key", "listener"),
    finish=lambda start: start.on_conflict_do_nothing(index_elements=["content_key"]),
)

_ADD_TEXT = adding(inbox_texts, "id", "content")

_KEPT = select(inbox.c.id, inbox.c.content_key).where(among(inbox.c.content_key, "keys"))

ContentKey = Callable[[ReceivedMail], str | None]
"""Names a mail by its content, so that a repeat is recognised; None if every copy is new."""

SourceOf = Callable[[ReceivedMail], Source]
"""Says whom a mail is counted for."""

Beyond = Callable[[Sequence[ReceivedMail]], Iterable[int]]
"""Returns the places of the mails that must come again later, whatever room there is.

It is asked only about mails without the proof of a reply token."""

MessageIdOf = Callable[[ReceivedMail], bytes]
"""Returns the Message-ID of a mail as it stands there."""


def by_envelope(mail: ReceivedMail) -> Source:
    """Count every mail for its envelope sender, and that one's domain."""
    sender = mailbox(mail.sender)
    return Source(sender, sender.rpartition("@")[2])


@frozen
class _Coming:
    """A mail that comes in, with its row as far as that needs no lock."""

    mail: ReceivedMail
    source: Source
    message_id: bytes
    row: Mapping[str, object]

    @property
    def arrival(self) -> Arrival:
        return Arrival(self.source.sender, self.source.group, len(self.mail.content))


_Stored = tuple[_Coming, int, bool]
"""A mail, its number, and whether it was there before."""


class Letterbox:
    """The way into the inbox: mails are stored before anything else happens to them.

    Once `most_waiting` mails or `most_octets` of them wait, no more are taken until play has
    caught up. The `shares` are less than that, so no source can keep the others out.
    """

    def __init__(
        self,
        engine: Engine,
        content_key: ContentKey,
        most_waiting: int,
        most_octets: int = MOST_OCTETS,
        source_of: SourceOf = by_envelope,
        shares: Shares = Shares(),  # noqa: B008 - frozen
        message_id_of: MessageIdOf = lambda _: b"",
        observer: Observer = Observer(),  # noqa: B008 - it has no state
        beyond: Beyond = lambda _: (),
    ) -> None:
        self._beyond = beyond
        self._content_key = content_key
        self._most_waiting = most_waiting
        self._source_of = source_of
        self._shares = shares
        self._octets = OctetsWaiting(most_octets)
        self._message_id_of = message_id_of
        self._observer = observer
        self._engine = engine

    def put(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        if not mails:
            return frozenset()
        # All that needs no lock comes before the transaction.
        coming = [self._read(mail) for mail in mails]
        try:
            beyond = self._beyond_bounds(coming)
            with self._engine.begin() as connection:
                by_indexes(connection)
                schedule = SlotSchedule(connection, [each.arrival for each in coming])
                ids = _IDS.draw(connection, len(mails))
                self._check_mails(schedule)
                self._octets.check(connection, mails)
                given = schedule.give(self._shares)
                slots = [None if place in beyond else slot for place, slot in enumerate(given)]
                stored = _insert(connection, coming, slots, ids)
        except StoreUnavailable as outage:
            said = str(outage)
            raise IntakeUnavailable(f"{said[:1].upper()}{said[1:]}.") from outage
        except (Conflict, SQLAlchemyError, ValueError) as reason:
            raise IntakeUnavailable("The database cannot store mails now.") from reason
        self._observer.taken(
            [Taken(number, each.mail, each.message_id, repeat) for each, number, repeat in stored]
        )
        return frozenset(place for place, slot in enumerate(slots) if slot is None)

    def _read(self, mail: ReceivedMail) -> _Coming:
        source, message_id = self._source_of(mail), self._message_id_of(mail)
        row = _row(mail, source, self._content_key(mail), message_id)
        return _Coming(mail, source, message_id, row)

    def _beyond_bounds(self, coming: Sequence[_Coming]) -> frozenset[int]:
        unproven = [place for place, each in enumerate(coming) if not each.source.proven]
        beyond = self._beyond([coming[place].mail for place in unproven]) if unproven else ()
        return frozenset(unproven[place] for place in beyond)

    def _check_mails(self, schedule: SlotSchedule) -> None:
        if schedule.waiting(self._most_waiting) >= self._most_waiting:
            raise IntakeUnavailable(f"{self._most_waiting} mails or more wait to be played.")


def _insert(
    connection: Connection,
    coming: Sequence[_Coming],
    slots: Sequence[int | None],
    drawn: Iterable[int],
) -> list[_Stored]:
    """Store those that have a slot, each row with its text, but for repeats; ids are `drawn`."""
    taken = [(each, slot) for each, slot in zip(coming, slots, strict=True) if slot is not None]
    if not taken:
        return []
    makes_work(connection, Wakes.PLAY)
    numbered = list(zip(drawn, taken, strict=False))
    stored = [(each, number, False) for number, (each, _) in numbered]
    rows = [
        {"id": number, "state": state_in(slot), **each.row} for number, (each, slot) in numbered
    ]
    if add_rows(connection, _ADD, rows) < len(rows):
        stored = _with_repeats(connection, stored)
    texts = [(number, each.mail) for each, number, repeat in stored if not repeat]
    add_rows(
        connection, _ADD_TEXT, [{"id": number, "content": mail.content} for number, mail in texts]
    )
    return stored


def _with_repeats(connection: Connection, stored: Sequence[_Stored]) -> list[_Stored]:
    """Return each with the number that it has, and whether it was there before."""
    keys = [each.row["content_key"] for each, *_ in stored]
    found = connection.execute(_KEPT, {"keys": list(filter(None, keys))})
    known = {key: number for number, key in found}
    there = [known.get(key, number) for key, (_, number, _) in zip(keys, stored, strict=True)]
    return [
        (each, has, has != number) for (each, number, _), has in zip(stored, there, strict=True)
    ]


def _row(
    mail: ReceivedMail, source: Source, content_key: str | None, message_id: bytes
) -> dict[str, object]:
    """Return the row of a mail without id and state."""
    return {
        "content_key": content_key,
        "sender": mail.sender,
        "recipients": to_json(mail.recipients),
        "received_at": mail.received_at,
        "error": "",
        "source": source.sender,
        "octets": len(mail.content),
        "network": mail.network,
        "message_key": message_key(message_id),
        "listener": mail.listener,
    }
