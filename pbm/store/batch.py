"""The unit of work of a whole batch of mails: it reads ahead and writes behind.

What the mails of a batch will ask for is read in a handful of statements, before the first of
them is played. What they save is kept in memory, and written in a handful of statements at the
commit. On SQLite nothing is locked until then, so intake never waits for play.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any, Self

from sqlalchemy import Connection, Engine, Executable

from pbm.domain.addresses import patterns_of
from pbm.domain.player import PlayerId
from pbm.engine import frozen
from pbm.store.driver.database import reading
from pbm.store.driver.dialects import AnyResult, by_indexes, planned_anew
from pbm.store.errors import Conflict, NeedsTransaction, StoreUnavailable
from pbm.store.inbox import Claims, WaitingMail, check_waiting
from pbm.store.match_reading import find_matches
from pbm.store.people import find_bans, find_followers
from pbm.store.plans import find_kept
from pbm.store.players import find_players
from pbm.store.repository import Change, K, Look, T, V, Write, tables_in
from pbm.store.unit import UnitOfWork


@frozen
class PrefetchKeys:
    """The rows that mails are likely to ask for."""

    boards: frozenset[int] = frozenset()
    players: frozenset[PlayerId] = frozenset()
    addresses: frozenset[str] = frozenset()


Undo = Callable[[], None]


class Memory:
    """The memory of a batch: what it has read, and what it has saved but not yet written."""

    def __init__(self) -> None:
        self._known: dict[Look[Any, Any], dict[Any, Any]] = defaultdict(dict)
        self._saved: list[tuple[Write[Any], Any, Undo | None]] = []

    def learn(self, find: Look[K, V], keys: Iterable[K], found: Mapping[K, V]) -> None:
        """Remember what was found of these keys, and that there is nothing else."""
        self._known[find].update({key: found.get(key) for key in keys})

    def known(self, find: Look[K, V]) -> Mapping[K, V | None]:
        """Return what is known, by key; None is the value of a key that was not found."""
        return self._known[find]

    def save(self, store: Write[T], things: Iterable[T]) -> None:
        """Note what is to be written."""
        self._saved += [(store, thing, None) for thing in things]

    def change(self, find: Look[K, V], key: K, value: V) -> None:
        """Replace what is known of a key, which is undone with what was saved last."""
        known = self._known[find]
        before = known[key]
        known[key] = value
        store, thing, _ = self._saved[-1]
        self._saved[-1] = store, thing, lambda: known.__setitem__(key, before)

    def check_written(self, query: Executable) -> None:
        """Raise NeedsTransaction if something was saved for one of the tables of a query.

        It is not yet there, so a query would miss it.
        """
        if not self._saved:
            return
        asked = tables_in(query)
        if any(asked & store.tables for store in {store for store, _, _ in self._saved}):
            raise NeedsTransaction

    def part(self) -> "BatchPart":
        """Return a part of what is done, as a context: if it fails, what it saved is undone."""
        return BatchPart(self._saved)

    def take(self) -> Mapping[Write[Any], list[Any]]:
        """Return all that was saved, under what writes it, and forget that."""
        taken: dict[Write[Any], list[Any]] = {}
        for store, thing, _ in self._saved:
            taken.setdefault(store, []).append(thing)
        self._saved.clear()
        return taken

    def forget(self) -> None:
        """Forget what is known, because anything may have been changed."""
        self._known.clear()


class BatchPart:
    """See `Memory.part`. After a Conflict or StoreUnavailable the whole batch is lost."""

    # A generator as a context takes three times as many calls, and each mail opens two.

    __slots__ = ("_mark", "_saved")

    def __init__(self, saved: list[tuple[Write[Any], Any, Undo | None]]) -> None:
        self._saved = saved
        self._mark = len(saved)

    def __enter__(self) -> None:
        """Begin; nothing is to be done for that."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None or isinstance(error, (Conflict, StoreUnavailable)):
            return
        while len(self._saved) > self._mark:
            _, _, undo = self._saved.pop()
            if undo is not None:
                undo()


class Batch(UnitOfWork):
    """The unit of work of many mails, which reads ahead and writes behind.

    Reading shows one moment. What is saved stays in memory until the commit, which raises Conflict
    if somebody else has changed what it was made from. So nobody waits for this unit of work, and
    a savepoint costs nothing. It saves what moves on boards change, and reads everything. What it
    cannot save raises NeedsTransaction, and so does a query that would miss what is saved; then the
    mail is played again in a `transaction`.

    On SQLite it first reads in a transaction of its own, and the writing one begins after the
    last mail was played, or when one asks for it. On PostgreSQL, where nobody waits for a writer,
    there is one transaction, which holds the mails that it has claimed.
    """

    def __init__(self, engine: Engine, claims: Claims) -> None:
        super().__init__(engine)
        self._claims = claims
        self._claimed: tuple[int, ...] = ()
        self._writing = False
        self._memory = Memory()

    def __enter__(self) -> Self:
        self._connection = self._begun(writing=self._one_transaction)
        by_indexes(self._connection)
        return self

    def __exit__(self, *details: object) -> None:
        try:
            super().__exit__(*details)
        finally:
            self._claims.release()

    @property
    def _has_changes(self) -> bool:
        return self._writing

    @property
    def connection(self) -> Connection:
        raise NeedsTransaction

    @property
    def _open(self) -> Connection:
        """The connection of the transaction that is open now, in which there may be no lock yet."""
        return super().connection

    def read(self, query: Executable, values: Mapping[str, Any] | None = None) -> AnyResult:
        """Return what a query finds, in tables of which nothing is saved but not yet written."""
        self._memory.check_written(query)
        return self._open.execute(query, values)

    @property
    def _one_transaction(self) -> bool:
        """Whether one transaction reads and writes, because that locks nobody out."""
        return self._engine.dialect.name == "postgresql"

    def look(self, find: Look[K, V], keys: Iterable[K]) -> dict[K, V]:
        """Return what is known of these keys, and find the rest."""
        wanted, known = list(keys), self._memory.known(find)
        try:  # most are known
            return {key: value for key in wanted if (value := known[key]) is not None}
        except KeyError:
            missing = list(dict.fromkeys(key for key in wanted if key not in known))
        self._memory.learn(find, missing, find(self._open, missing))
        return {key: value for key in wanted if (value := known[key]) is not None}

    def write(self, store: Write[T], *things: T, change: Change[K, V] | None = None) -> None:
        """Note these things, to be written at the end, and remember the change."""
        self._memory.save(store, things)
        if change is not None:
            find, key, changed = change
            self._memory.change(find, key, changed(self.look(find, [key]).get(key)))

    def claim(self, limit: int, besides: Collection[int] = ()) -> tuple[WaitingMail, ...]:
        """Begin to read, and return up to `limit` waiting mails that no other worker holds.

        They come in the order of `Inbox.claim`, without those in `besides`. There are fewer if
        they are very long.
        """
        mails = self._claims.take(self._open, limit, besides, self._read_anew)
        self._claimed = tuple(mail.id for mail in mails)
        return mails

    def read_ahead(self, foreseen: PrefetchKeys) -> None:
        """Read this in few statements. What was not foreseen is read when it is asked for."""
        boards = [match for match, _ in self.look(find_matches, foreseen.boards).values()]
        seated = [player for match in boards for player in (*match.players, *match.starters)]
        self.look(find_kept, foreseen.boards)
        self.look(find_bans, {p for each in foreseen.addresses for p in patterns_of(each)})
        self.look(find_players, foreseen.players.union(seated))
        self.look(find_followers, {each for b in boards for each in (str(b.number), b.game)})

    def savepoint(self) -> AbstractContextManager[None]:
        return self._memory.part()

    def tally(self, key: str, window: datetime, amount: int = 1) -> int:
        # Two workers may both take theirs for the first; the sum is right.
        self.add_to_tally(key, window, amount)
        return self.tallied(key, window)

    @contextmanager
    def transaction(self) -> Iterator[UnitOfWork]:
        """Write what was saved so far, and open the rest of the unit of work to everything.

        From now on others wait until the commit. Raises Conflict as the commit does.
        """
        self._write_behind()
        # Lists and the like are asked in there too.
        planned_anew(self._open)
        yield self._plain()
        self._memory.forget()

    def commit(self) -> None:
        self._write_behind()
        self._plain().commit()
        self._connection = None

    def _plain(self) -> UnitOfWork:
        return UnitOfWork.within(self._engine, self._open)

    def _write_behind(self) -> None:
        """Write what was saved, in the transaction that is committed in the end."""
        if not self._writing:
            self._writing = True
            if not self._one_transaction:
                self._begin_anew(writing=True)
                check_waiting(self._open, self._claimed)
        for store, things in self._memory.take().items():
            store(self._open, things)

    def _read_anew(self) -> Connection:
        self._begin_anew(writing=False)
        return self._open

    def _begin_anew(self, *, writing: bool) -> None:
        """Begin another transaction in place of the present one, which has only read."""
        connection = self._open
        connection.rollback()
        reading(connection, only=not writing)
        connection.begin()


OpenBatch = Callable[[], Batch]
"""Returns a new batch, which its caller enters."""
