"""What a batch has saved and not yet written."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from pbm.domain.mail import OutgoingMail
from pbm.service.ports import Conflict, StoreUnavailable, UnitOfWork
from pbm.store.matches import MatchSaved

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Posted:
    """A mail was put into the outbox."""

    mail: OutgoingMail
    now: datetime
    answers: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """A mail of the inbox is done."""

    mail: int
    outcome: str
    now: datetime | None


Seldom = Callable[[UnitOfWork], None]
"""Writes what few mails of a batch save; raises Conflict if it was changed meanwhile."""

Write = MatchSaved | Posted | Played | Seldom

Undo = Callable[[], None]


def _nothing() -> None:
    """Undo what nothing in memory tells of."""


class Journal:
    """The writes of a batch in their order, each with what undoes it in memory."""

    def __init__(self) -> None:
        self._entries: list[tuple[Write, Undo]] = []

    def add(self, write: Write, undo: Undo = _nothing) -> None:
        """Note that something was saved."""
        self._entries.append((write, undo))

    def mark(self) -> int:
        """Return what `back_to` takes to come back to this moment."""
        return len(self._entries)

    def back_to(self, mark: int) -> None:
        """Undo what was saved since `mark`, the last first."""
        while len(self._entries) > mark:
            _, undo = self._entries.pop()
            undo()

    def take(self) -> tuple[Write, ...]:
        """Return all writes, and forget them."""
        writes = tuple([write for write, _ in self._entries])
        self._entries.clear()
        return writes


class Part:
    """A part of what is done, as a context: if it fails, what it has saved is undone.

    After a Conflict or StoreUnavailable the whole batch is lost.
    """

    # A generator as a context takes three times as many calls, and each mail opens two.

    __slots__ = ("_journal", "_mark")

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._mark = journal.mark()

    def __enter__(self) -> None:
        """Begin; nothing is to be done for that."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None and not isinstance(error, (Conflict, StoreUnavailable)):
            self._journal.back_to(self._mark)


class Known(dict[K, V]):
    """What a batch knows of one kind of thing: as it was read, or as it was saved since."""

    def put(self, key: K, value: V) -> Undo:
        """Store what was saved; return what undoes that."""
        if key not in self:
            self[key] = value
            return lambda: self.__delitem__(key)
        before = self[key]
        self[key] = value
        return lambda: self.__setitem__(key, before)
