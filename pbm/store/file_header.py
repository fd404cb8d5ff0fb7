"""The header of a SQLite file, by which it shows that another program has written over it.

While a file is open and has a write-ahead log, only checkpoints write into it, and some numbers
of its header never go back (https://www.sqlite.org/fileformat2.html#the_database_header): the
version for reading and writing, which is 2 with a log and 1 without, as in a backup; the schema
cookie, which each change of the tables and each VACUUM counts up; and the pages of the file, until
a VACUUM. `cp` of a backup over the file makes one of them smaller.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_MAGIC = b"SQLite format 3\0"
_LENGTH = 100
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


class OpenHeader:
    """Watches the header of a SQLite file that is open, and stays open here as long.

    To open and close the file for each look would drop the locks of SQLite (fcntl(2)).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._seen: Header | None = None
        self._written: int | None = None

    def open(self) -> None:
        """Begin to watch."""
        self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        self._seen = self._read()

    def close(self) -> None:
        """End it, when no connection of the process has a lock on the file any more."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor, self._seen, self._written = None, None, None

    def is_overwritten(self, written: int) -> bool:
        """Return whether another program has written over the file, last `written` at that time."""
        if written == self._written or self._descriptor is None:
            return False
        # Read twice, because a checkpoint may be writing it at the moment.
        if not (self._goes_on() or self._goes_on()):
            return True
        self._written = written
        return False

    def _goes_on(self) -> bool:
        now = self._read()
        if self._seen is not None and (now is None or not now.may_follow(self._seen)):
            return False
        self._seen = now
        return True

    def _read(self) -> Header | None:
        if self._descriptor is None:
            return None
        return Header.of(os.pread(self._descriptor, _LENGTH, 0))
