"""Leases of work by name: those of this process, and those that dead processes have left."""

import os
from collections.abc import Callable
from datetime import datetime, timedelta

from pbm.engine import frozen
from pbm.store.liveness import Lifeline
from pbm.store.unit import OpenUnit, UnitOfWork

LOOK = timedelta(seconds=5)
"""The time between two looks for leases of dead processes."""

GRACE = timedelta(seconds=15)
"""The time that a process of another host may be without its lifeline before its work is free. When
the database is restarted, all lose it at the same moment, and soon take another name."""


@frozen
class Leased:
    """A kind of leases: `owners` returns who has any, and `free` frees those of an owner."""

    owners: Callable[[UnitOfWork], tuple[str, ...]]
    free: Callable[[UnitOfWork, str], None]


class Leases:
    """The leases of this process, on `host`, and those that dead processes have left.

    `is_running` returns whether a process of this host runs, by its number.
    """

    def __init__(
        self, leased: Leased, lifeline: Lifeline, host: str, new_word: Callable[[], str],
        is_running: Callable[[int], bool], clock: Callable[[], datetime],
    ) -> None:  # fmt: skip
        self._leased = leased
        self.lifeline = lifeline
        self._host = host
        self._new_word = new_word
        self._is_running = is_running
        self._clock = clock
        self._name = ""
        self._missing: dict[str, datetime] = {}
        self._looked_at: datetime | None = None

    def hold(self) -> str:
        """Return the name to lease under, "host:pid:word"; raise StoreUnavailable."""
        self._name = self._name or f"{self._host}:{os.getpid()}:{self._new_word()}"
        self.lifeline.hold(self._name)
        return self._name

    def end_batch(self) -> None:
        """Forget the notes of a batch, because all of it is recorded."""
        self.lifeline.forget_noted(self._name)

    def renounce(self) -> None:
        """Give up the name, because the database was lost: its leases are free for others."""
        self.lifeline.close()
        self._name = ""

    def free_abandoned(self, open_unit: OpenUnit, open_reading: OpenUnit) -> tuple[str, ...]:
        """Free the leases of dead processes; return their names. Looks again only after `LOOK`."""
        now = self._clock()
        if self._looked_at is not None and now - self._looked_at < LOOK:
            return ()
        self._looked_at = now
        with open_reading() as work:
            owners = self._leased.owners(work)
        dead = frozenset(owner for owner in owners if self._is_dead(owner, now))
        self._missing = {name: at for name, at in self._missing.items() if name in owners}
        if not dead:
            return ()
        with open_unit() as work:
            freed = tuple(owner for owner in self._leased.owners(work) if owner in dead)
            for owner in freed:
                self._leased.free(work, owner)
            work.commit()
        for owner in freed:
            self.lifeline.forget_noted(owner)
        return freed

    def is_free(self, owner: str) -> bool:
        """Return whether `owner` is known to be dead right now, without waiting for a grace."""
        return owner != self._name and not self.lifeline.is_held(owner)

    def _is_dead(self, owner: str, now: datetime) -> bool:
        if not self.is_free(owner):
            self._missing.pop(owner, None)
            return False
        host, pid, _ = owner.rsplit(":", 2)
        if host == self._host and (int(pid) == os.getpid() or not self._is_running(int(pid))):
            # In a container the process before this one had the same host and number.
            return True
        return now - self._missing.setdefault(owner, now) >= GRACE
