"""Passwords: hashed by argon2id, in threads while the play stage goes on with other mails.

A hash takes 25 ms on purpose, and releases the interpreter's lock meanwhile. A mail that needs one
is put aside until its hashes are there, so the mails behind it do not wait.
"""

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, cached_property, partial
from itertools import dropwhile

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pbm.core.context import Passwords
from pbm.core.passwords import Hashes, Wanted, work_out
from pbm.dispatch.script import Reading
from pbm.engine import frozen
from pbm.system.cores import run_on


class Argon2Passwords:
    """argon2id m=19 MiB t=2 p=1 (OWASP's choice for a server that also does other work)."""

    def __init__(self, *, kibibytes: int = 19 * 1024, passes: int = 2) -> None:
        self._hasher = PasswordHasher(memory_cost=kibibytes, time_cost=passes, parallelism=1)

    def hash(self, password: str) -> str:
        """Return the encoded hash with salt and parameters; takes about 25 ms by default."""
        return self._hasher.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether `password` matches; takes as long as making the hash."""
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    def well_known(self, password: str) -> bool:
        """Return whether everybody tries it first, in any case.

        It is among the 30,000 most frequent ones of leaked lists, or in our own examples.
        """
        return password.lower() in _EXAMPLES or password.lower() in _well_known()


_EXAMPLES = frozenset({"your-password", "new-password", "your-new-password", "old-password"})
"""The placeholders for a password in our mails; people send them as they are."""


@cache
def _well_known() -> frozenset[str]:
    # Only needed when a password is chosen, and slow to import.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415

    return frozenset(FREQUENCY_LISTS["passwords"])


MOST_ASIDE = 1000
"""Mails that may be aside at once; further ones that need a hash wait in the inbox."""

_KEPT = 2 * MOST_ASIDE
"""Results that are kept; the oldest are of mails that another worker has played."""

_MOST_THREADS = 4
"""More would only take time and 19 MiB each from everything else."""


@frozen
class _Work:
    """The hashes that are worked out for a mail, and what was read in it."""

    reading: Reading
    hashes: Future[Hashes]


class HashWorks:
    """Works out what mails need, by the number of the mail in the inbox.

    Mails come back in the order in which they were put aside: one whose hashes are there waits for
    those before it.
    """

    def __init__(self, passwords: Passwords, cores: Collection[int]) -> None:
        self._passwords = passwords
        self._cores = cores
        self._works: dict[int, _Work] = {}

    @property
    def under_way(self) -> Mapping[int, str | None]:
        """The mails that are still aside, in their order, with their authors."""
        coming = dropwhile(lambda item: item[1].hashes.done(), list(self._works.items()))
        return {mail: work.reading.mail.author for mail, work in coming}

    def begin(self, mail: int, reading: Reading, wanted: Iterable[Wanted]) -> bool:
        """Begin to work out what `mail` needs; return False if too many are aside already."""
        if len(self.under_way) >= MOST_ASIDE:
            return False
        # Other workers may have played mails that were aside here.
        self.forget(list(self._works)[:-_KEPT])
        hashes = self._threads.submit(work_out, self._passwords, tuple(wanted))
        self._works[mail] = _Work(reading, hashes)
        return True

    def found(self, mail: int) -> Hashes | None:
        """Return the hashes for `mail`, or None if they are not ready."""
        work = self._works.get(mail)
        return work.hashes.result() if work and work.hashes.done() else None

    def reading(self, mail: int) -> Reading | None:
        """Return the reading of a mail that was put aside, or None for any other mail."""
        work = self._works.get(mail)
        return work.reading if work else None

    def wait(self, mails: Collection[int]) -> None:
        """Return once the hashes of the first of these mails that is aside are there."""
        first = next((work for mail, work in self._works.items() if mail in mails), None)
        if first:
            wait([first.hashes])

    def forget(self, mails: Iterable[int]) -> None:
        """Drop what was worked out for mails that are done."""
        for mail in mails:
            self._works.pop(mail, None)

    def close(self) -> None:
        """Begin no more of what is waiting; the mails are still in the inbox."""
        if "_threads" in vars(self):
            self._threads.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        threads = min(len(self._cores), _MOST_THREADS)
        everywhere = partial(run_on, self._cores)  # and not only where the play stage runs
        return ThreadPoolExecutor(threads, "pbm-hash", initializer=everywhere)
