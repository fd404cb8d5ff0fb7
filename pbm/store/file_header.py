"""The header of a SQLite file, by which it shows that another program has written over it.

While a file is open and has a write-ahead log, only checkpoints write into it, and some numbers
of its header never go back (https://www.sqlite.org/fileformat2.html#the_database_header): the
version for reading and writing, which is 2 with a log and 1 without, as in a backup; the schema
cookie, which each change of the tables and each VACUUM counts up; and the pages of the file, until
a VACUUM. `cp` of a backup over the file makes one of them smaller.
"""

import os
from dataclasses import dataclass
from typing import Self

_MAGIC = b"SQLite format 3\0"
_LENGTH = 100
_DESCRIPTORS = "/dev/fd"
"""The descriptors of this process, by their numbers."""

_VERSIONS, _PAGES, _COOKIE = slice(18, 20), slice(28, 32), slice(40, 44)


@dataclass(frozen=True, slots=True)
class Header:
    """The numbers of a header that do not go back while the file is open."""

    versions: bytes
    cookie: int
    pages: int

    @classmethod
    def of(cls, octets: bytes) -> Self | None:
        """Return the header that `octets` begin with; None if they are no database."""
        if len(octets) < _LENGTH or not octets.startswith(_MAGIC):
            return None
        numbers = (int.from_bytes(octets[place]) for place in (_COOKIE, _PAGES))
        return cls(octets[_VERSIONS], *numbers)

    def may_follow(self, earlier: "Header") -> bool:
        """Return whether checkpoints can have made this header of an `earlier` one."""
        if self.versions < earlier.versions or self.cookie < earlier.cookie:
            return False
        return self.cookie > earlier.cookie or self.pages >= earlier.pages


class WatchedHeader:
    """Watches the header of a SQLite file that this process has open.

    It is read by a descriptor of SQLite's: to close one of our own would drop every lock that the
    process has on the file (fcntl(2)), also those of its other connections.
    """

    def __init__(self) -> None:
        self._seen: Header | None = None
        self._written: int | None = None

    def begin(self, file: os.stat_result | None) -> None:
        """Begin to watch `file`, which SQLite has just opened."""
        octets = _read(file) if file else None
        self._seen, self._written = Header.of(octets or b""), None

    def is_overwritten(self, file: os.stat_result) -> bool:
        """Return whether another program has written over `file`, as far as that shows."""
        if file.st_mtime_ns == self._written:
            return False
        # Read twice, because a checkpoint may be writing it at the moment.
        if not (self._goes_on(file) or self._goes_on(file)):
            return True
        self._written = file.st_mtime_ns
        return False

    def _goes_on(self, file: os.stat_result) -> bool:
        octets = _read(file)
        if octets is None:
            return True
        now = Header.of(octets)
        if self._seen is not None and (now is None or not now.may_follow(self._seen)):
            return False
        self._seen = now
        return True


def _read(file: os.stat_result) -> bytes | None:
    """Return the octets of the header of `file`; None where no descriptor leads to it."""
    try:
        descriptors = [int(name) for name in os.listdir(_DESCRIPTORS)]  # noqa: PTH208 - numbers
    except OSError:
        return None
    for descriptor in descriptors:
        try:
            if os.path.samestat(os.fstat(descriptor), file):
                octets = os.pread(descriptor, _LENGTH, 0)
                # Another thread may have closed it, and a new one have got its number.
                if os.path.samestat(os.fstat(descriptor), file):
                    return octets
        except OSError:
            continue
    return None
