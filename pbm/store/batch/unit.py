"""The batch itself: from reading in one moment, over memory, to one short transaction."""

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Self

from sqlalchemy import Connection, Engine

from pbm.domain.addresses import patterns_of
from pbm.service.ports import (
    Foreseen,
    NeedsTransaction,
    UnitOfWork,
    WaitingMail,
)
from pbm.store.batch.journal import Journal, Known, Part
from pbm.store.batch.repositories import (
    BatchBans,
    BatchFollowers,
    BatchInbox,
    BatchMatches,
    BatchOutbox,
    BatchPlans,
    BatchPlayers,
    BatchRatings,
    BatchThoughts,
)
from pbm.store.batch.writing import check_waiting, write
from pbm.store.inbox import Claims
from pbm.store.postgresql import by_indexes, planned_anew
from pbm.store.unit import RepositoryOf, SqlUnitOfWork


class SqlBatch(SqlUnitOfWork):
    """`pbm.service.ports.Batch`.

    On SQLite it first reads in a transaction of its own, and the writing one begins after the
    last mail was played, or when one asks for it. On PostgreSQL, where nobody waits for a writer,
    there is one transaction, which holds the mails that it has claimed.
    """

    matches = RepositoryOf(BatchMatches)
    players = RepositoryOf(BatchPlayers)
    bans = RepositoryOf(BatchBans)
    followers = RepositoryOf(BatchFollowers)
    plans = RepositoryOf(BatchPlans)
    ratings = RepositoryOf(BatchRatings)
    inbox = RepositoryOf(BatchInbox)
    outbox = RepositoryOf(BatchOutbox)
    thoughts = RepositoryOf(BatchThoughts)

    def __init__(self, engine: Engine, claims: Claims) -> None:
        super().__init__(engine)
        self._claims = claims
        self._claimed: tuple[int, ...] = ()
        self._writing = False
        self._counts: Known[tuple[str, datetime], int] = Known()
        self.journal = Journal()

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
    def reader(self) -> Connection:
        """The connection of the transaction that is open now, in which there may be no lock yet."""
        return super().connection

    @property
    def _one_transaction(self) -> bool:
        """Whether one transaction reads and writes, because that locks nobody out."""
        return self._engine.dialect.name == "postgresql"

    def claim(self, limit: int, besides: Collection[int] = ()) -> tuple[WaitingMail, ...]:
        mails = self._claims.take(self.reader, limit, besides, self._read_anew)
        self._claimed = tuple(mail.id for mail in mails)
        return mails

    def read_ahead(self, foreseen: Foreseen) -> None:
        boards, addresses = foreseen.boards, foreseen.addresses
        ahead = self.matches.read_ahead(boards) if boards else None
        finishing = [
            self.plans.read_ahead(boards),
            self.bans.read_ahead({p for address in addresses for p in patterns_of(address)}),
        ]
        # The answers so far say what else to ask.
        seated = ahead.seated if ahead else frozenset()
        finishing.append(self.players.read_ahead(foreseen.players | seated))
        if ahead:
            finishing.append(self.followers.read_ahead(ahead.subjects()))
            finishing.append(self.matches.finish(ahead, boards))
        for finish in finishing:
            finish()

    def savepoint(self) -> AbstractContextManager[None]:
        return Part(self.journal)

    def tally(self, key: str, window: datetime, amount: int = 1) -> int:
        # Two workers may both take theirs for the first; the sum is right.
        counted = self.tallied(key, window) + amount
        self.add_to_tally(key, window, amount)
        return counted

    def add_to_tally(self, key: str, window: datetime, amount: int) -> None:
        undo = self._counts.put((key, window), self.tallied(key, window) + amount)
        self.journal.add(lambda work: work.add_to_tally(key, window, amount), undo)

    def tallied(self, key: str, window: datetime) -> int:
        if (key, window) not in self._counts:
            self._counts[key, window] = self._plain().tallied(key, window)
        return self._counts[key, window]

    @contextmanager
    def transaction(self) -> Iterator[UnitOfWork]:
        self._write_behind()
        # Lists and the like are asked in there too.
        planned_anew(self.reader)
        yield self._plain()
        # Anything may have been changed.
        self._counts.clear()
        for name in _REPOSITORIES:
            vars(self).pop(name, None)

    def commit(self) -> None:
        self._write_behind()
        self._plain().commit()
        self._connection = None

    def _plain(self) -> SqlUnitOfWork:
        return SqlUnitOfWork.within(self._engine, self.reader)

    def _write_behind(self) -> None:
        """Write what was saved, in the transaction that is committed in the end."""
        if not self._writing:
            self._writing = True
            if not self._one_transaction:
                self._begin_anew(writing=True)
                check_waiting(self.reader, self._claimed)
        write(self.reader, self._plain(), self.journal.take())

    def _read_anew(self) -> Connection:
        self._begin_anew(writing=False)
        return self.reader

    def _begin_anew(self, *, writing: bool) -> None:
        """Begin another transaction in place of the present one, which has only read."""
        super().__exit__()
        self._connection = self._begun(writing=writing)


_REPOSITORIES = tuple(
    name for name, kind in vars(SqlBatch).items() if isinstance(kind, RepositoryOf)
)
