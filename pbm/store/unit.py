"""The unit of work: one transaction, with every repository."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import cached_property
from typing import Any, Self

from sqlalchemy import Connection, Engine, Executable, bindparam, select, text

from pbm.domain.match import FIRST_NUMBER
from pbm.store.driver.database import reading
from pbm.store.driver.dialects import AnyResult, among, in_each_dialect
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.inbox import Inbox, Shunt
from pbm.store.leagues import Leagues
from pbm.store.matches import Matches
from pbm.store.operator import Audit, Lives, Statistics, TokenKeys
from pbm.store.outbox import Outbox
from pbm.store.people import (
    Bans,
    Blocks,
    Confirmations,
    FollowerRows,
    LeftAlone,
    Questions,
    Signups,
)
from pbm.store.personal import Cutoffs, Personal, prune
from pbm.store.plans import Invitations, Plans, Wishes
from pbm.store.players import Players
from pbm.store.ratings import Ratings
from pbm.store.repository import Change, K, Look, T, V, Write, writes
from pbm.store.robots import Robots, Thoughts
from pbm.store.tables import counters, tallies
from pbm.store.time import Announcements, FollowUps, Pauses, Pulses, UndeliveredMail

# On PostgreSQL the row stays locked until the end of the transaction, so a second process has to
# wait, and a number that is rolled back is given out again.
_NEXT_NUMBER = in_each_dialect(
    counters,
    lambda start: (
        start.values(name="board", value=FIRST_NUMBER)
        .on_conflict_do_update(index_elements=["name"], set_={"value": counters.c.value + 1})
        .returning(counters.c.value)
    ),
)

_COUNTED = in_each_dialect(
    tallies,
    lambda start: start.on_conflict_do_update(
        index_elements=["key", "began_at"],
        set_={"events": tallies.c.events + start.excluded.events},
    ).returning(tallies.c.events),
)

_TALLIED = select(tallies.c.key, tallies.c.began_at, tallies.c.events).where(
    among(tallies.c.key, "keys"), tallies.c.began_at >= bindparam("since")
)

Count = tuple[str, datetime]
"""A key that is counted under, and when its window begins."""

_SCHEDULER = 7_061_726_302
"""Names the lock under which one process at a time sends reminders on PostgreSQL."""

_SCHEDULER_LOCK = text("SELECT pg_advisory_xact_lock(:key)")


class UnitOfWork:
    """One transaction. Leaving the `with` block without `commit` rolls everything back.

    With `write=False` it is for reading only: then it takes no write lock, so it never waits for a
    writer on SQLite; it sees one state of the database throughout, and cannot commit. The
    repositories live from their first use in the `with` block to the commit, and belong to the
    thread that entered it.
    """

    # Each is made on first use, because most units use few of them.
    players = cached_property(Players)
    signups = cached_property(Signups)
    left_alone = cached_property(LeftAlone)
    matches = cached_property(Matches)
    invitations = cached_property(Invitations)
    plans = cached_property(Plans)
    confirmations = cached_property(Confirmations)
    questions = cached_property(Questions)
    ratings = cached_property(Ratings)
    wishes = cached_property(Wishes)
    followers = cached_property(FollowerRows)
    blocks = cached_property(Blocks)
    inbox = cached_property(Inbox)
    shunt = cached_property(Shunt)
    outbox = cached_property(Outbox)
    lives = cached_property(Lives)
    pauses = cached_property(Pauses)
    undelivered = cached_property(UndeliveredMail)
    pulses = cached_property(Pulses)
    announcements = cached_property(Announcements)
    statistics = cached_property(Statistics)
    audit = cached_property(Audit)
    bans = cached_property(Bans)
    personal = cached_property(Personal)
    follow_ups = cached_property(FollowUps)
    token_keys = cached_property(TokenKeys)
    robots = cached_property(Robots)
    thoughts = cached_property(Thoughts)
    leagues = cached_property(Leagues)

    def __init__(self, engine: Engine, *, write: bool = True) -> None:
        self._engine = engine
        self._write = write
        self._connection: Connection | None = None

    @classmethod
    def within(cls, engine: Engine, connection: Connection) -> Self:
        """Return the unit of work of a transaction that somebody else has begun, and commits."""
        unit = cls(engine)
        unit._connection = connection
        return unit

    def __enter__(self) -> Self:
        self._connection = self._begun(writing=self._write)
        return self

    def __exit__(self, *details: object) -> None:
        if self._connection is None:
            return
        try:
            if not any(details) and not self._has_changes:
                # What has only read ends well too.
                self._connection.commit()
        finally:
            # Closing rolls back what has not been committed.
            self._connection.close()
            self._connection = None

    @property
    def _has_changes(self) -> bool:
        """Whether there may be something that is lost without a commit."""
        return self._write

    def _begun(self, *, writing: bool) -> Connection:
        """Return a connection with a transaction, which the caller keeps."""
        connection = self._engine.connect()
        try:
            connection = connection if writing else reading(connection)
            connection.begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def savepoint(self) -> AbstractContextManager[None]:
        """Open a part that can fail alone: an exception rolls back to its start and propagates.

        After a Conflict or StoreUnavailable the whole unit of work is lost; leave it.
        """
        return self._part()

    @contextmanager
    def _part(self) -> Iterator[None]:
        # In SQL, and not by begin_nested, which costs three times as much. One name will do for
        # nested savepoints too: both databases use the innermost.
        connection = self.connection
        connection.exec_driver_sql("SAVEPOINT part")
        try:
            yield
        except (Conflict, StoreUnavailable):
            # The whole unit of work is lost, and perhaps its transaction already is.
            raise
        except BaseException:
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT part")
            connection.exec_driver_sql("RELEASE SAVEPOINT part")
            raise
        connection.exec_driver_sql("RELEASE SAVEPOINT part")

    def next_number(self) -> int:
        """Return the next board number of the server, from 101; each is given once."""
        connection = self.connection
        return int(connection.execute(_NEXT_NUMBER[connection.dialect.name]).scalar_one())

    def tally(self, key: str, window: datetime, amount: int = 1) -> int:
        """Count `amount` more under `key`, in the window from `window` on; return the count."""
        return _count(self.connection, key, window, amount)

    def add_to_tally(self, key: str, window: datetime, amount: int) -> None:
        """Count `amount` more, without asking what the count is then."""
        count = key, window
        self.write(
            add_to_tallies, (count, amount),
            change=(find_tallies, count, lambda before: (before or 0) + amount),
        )  # fmt: skip

    def tallied(self, key: str, window: datetime) -> int:
        """Return the count under `key` in that window without adding to it."""
        return self.look(find_tallies, [(key, window)]).get((key, window), 0)

    def be_only_scheduler(self) -> None:
        """Wait until nobody else is reminding; nobody else can until this unit of work ends."""
        connection = self.connection
        # SQLite has one writer at a time, and that is this one.
        if connection.dialect.name == "postgresql":
            connection.execute(_SCHEDULER_LOCK, {"key": _SCHEDULER})

    def prune(self, before: Cutoffs, limit: int) -> int:
        """Forget up to `limit` rows of each kind; return how many in all, 0 once all are gone.

        It never forgets what was played: matches with their logs, and ratings.
        """
        return prune(self.connection, before, limit)

    def commit(self) -> None:
        connection = self.connection
        if not self._write:
            raise RuntimeError("a unit of work for reading has nothing to commit")
        connection.commit()
        # A second transaction in the same block would be rolled back silently.
        connection.close()
        self._connection = None

    @property
    def connection(self) -> Connection:
        """The open connection; raises RuntimeError outside of the `with` block."""
        if self._connection is None:
            raise RuntimeError("the unit of work is not open: it ends with its commit")
        return self._connection

    def read(self, query: Executable, values: Mapping[str, Any] | None = None) -> AnyResult:
        """Return what a query finds."""
        return self.connection.execute(query, values)

    def look(self, find: Look[K, V], keys: Iterable[K]) -> dict[K, V]:
        """Return what `find` finds of these keys."""
        wanted = list(keys)
        return dict(find(self.connection, wanted)) if wanted else {}

    def write(self, store: Write[T], *things: T, change: Change[K, V] | None = None) -> None:
        """Write these things."""
        del change
        if things:
            store(self.connection, things)


OpenUnit = Callable[[], UnitOfWork]
"""Returns a new unit of work, which its caller enters."""


def find_tallies(connection: Connection, counts: Collection[Count]) -> dict[Count, int]:
    """Return these counts."""
    since = min(window for _, window in counts)
    found = connection.execute(_TALLIED, {"keys": {key for key, _ in counts}, "since": since})
    return {(key, at): events for key, at, events in found if (key, at) in counts}


@writes(tallies)
def add_to_tallies(connection: Connection, added: Sequence[tuple[Count, int]]) -> None:
    """Count so many more of each."""
    sums: dict[Count, int] = {}
    for count, amount in added:
        sums[count] = sums.get(count, 0) + amount
    for (key, window), amount in sorted(sums.items()):
        _count(connection, key, window, amount)


def _count(connection: Connection, key: str, window: datetime, amount: int) -> int:
    """Count so many more of one; return the count."""
    row = {"key": key, "began_at": window, "events": amount}
    return int(connection.execute(_COUNTED[connection.dialect.name], row).scalar_one())
