"""Password hashes worked out in threads, while the play stage goes on with other mails.

A hash takes 25 ms on purpose, and releases the interpreter's lock meanwhile. A mail that needs one
is put aside until its hashes are there, so the mails behind it do not wait.
"""

import os
from collections.abc import Collection, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cached_property

from pbm.service.hashing import Hashes, Wanted, work_out
from pbm.service.ports import Passwords

MOST_ASIDE = 1000
"""Mails that may be aside at once; further ones that need a hash wait in the inbox."""

_KEPT = 2 * MOST_ASIDE
"""Results that are kept; the oldest are of mails that another worker has played."""

_MOST_THREADS = 4
"""More would only take time and 19 MiB each from everything else."""


class HashWorks:
    """Works out what mails need, by the number of the mail in the inbox."""

    def __init__(self, passwords: Passwords) -> None:
        self._passwords = passwords
        self._works: dict[int, Future[Hashes]] = {}

    @property
    def under_way(self) -> frozenset[int]:
        """The mails whose hashes are not there yet."""
        return frozenset(mail for mail, work in self._works.items() if not work.done())

    def begin(self, mail: int, wanted: Iterable[Wanted]) -> bool:
        """Begin to work out what `mail` needs; return False if too many are aside already."""
        if len(self.under_way) >= MOST_ASIDE:
            return False
        self._forget_some()
        self._works[mail] = self._threads.submit(work_out, self._passwords, tuple(wanted))
        return True

    def found(self, mail: int) -> Hashes | None:
        """Return what was worked out for `mail`; None if that has not begun or is under way."""
        work = self._works.get(mail)
        return work.result() if work and work.done() else None

    def wait(self, mails: Collection[int]) -> None:
        """Return once the hashes of one of these mails are there."""
        wait([self._works[mail] for mail in mails], return_when=FIRST_COMPLETED)

    def forget(self, mails: Iterable[int]) -> None:
        """Drop what was worked out for mails that are done."""
        for mail in mails:
            self._works.pop(mail, None)

    def close(self) -> None:
        """Begin no more of what is waiting; the mails are still in the inbox."""
        if "_threads" in vars(self):
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _forget_some(self) -> None:
        """Keep no more than is of use: other workers may have played mails that were aside here."""
        self.forget(list(self._works)[:-_KEPT])

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        threads = min(os.cpu_count() or 1, _MOST_THREADS)
        return ThreadPoolExecutor(threads, thread_name_prefix="pbm-hash")
