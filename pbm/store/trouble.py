"""What the errors of the drivers mean for the work that met them."""

import re
import sqlite3

from pbm.service.ports import Conflict, StoreUnavailable

# What another try of the whole unit of work can cure (PostgreSQL, appendix A).
_CONFLICTS = frozenset({"40001", "40P01"})

# Classes 08, 53, 57, 58: connection, resources, operator's intervention, system error. Then single
# states: it can only be read, as a standby; a transaction has been idle or lasted too long; a lock
# was not had in time; a right is missing; tables or indexes are damaged.
_OUTAGES = (
    *("08", "53", "57", "58"),
    *("25006", "25P03", "25P04", "55P03", "42501", "XX001", "XX002"),
)

_DAMAGED = (
    "its file is damaged. Stop pbm, restore a backup, and see whether the disk is sound "
    "(docs/operations.md)"
)

_LOCKED = "another process keeps it locked. docs/operations.md says how to find it"

_POSTGRESQL_OUTAGES = {"55P03": _LOCKED}
"""What is said instead of PostgreSQL's own words, by the state of its error."""

_SQLITE_OUTAGES = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_READONLY: "this user may not write it, or its disk is read-only",
    sqlite3.SQLITE_IOERR: "its disk cannot be read or written",
    sqlite3.SQLITE_FULL: "its disk is full",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_PROTOCOL: "its locks do not work: is it on a network file system?",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
"""What makes SQLite unusable for a while, in words (sqlite.org/rescode.html)."""

_LONGEST_REASON = 200

_NO_HOST = re.compile(r"""(?:host )?(['"])[^'"]*@[^'"]*\1""")


def trouble_of(error: BaseException, *, disconnected: bool) -> Conflict | StoreUnavailable | None:
    """Return the store's own exception for a driver's `error` if a later try may succeed."""
    if getattr(error, "sqlstate", None) in _CONFLICTS:
        return Conflict("the database has given this transaction up")
    if _is_outage(error, disconnected=disconnected):
        return StoreUnavailable(f"the database cannot be used now: {_reason(error)}")
    return None


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error of SQLite's says that its file is damaged."""
    return isinstance(error, sqlite3.Error) and (
        _SQLITE_OUTAGES.get(_sqlite_code(error)) is _DAMAGED
    )


def _is_outage(error: BaseException, *, disconnected: bool) -> bool:
    if isinstance(error, sqlite3.Error):
        return _sqlite_code(error) in _SQLITE_OUTAGES
    state = getattr(error, "sqlstate", None) or ""
    return disconnected or state.startswith(_OUTAGES)


def _sqlite_code(error: sqlite3.Error) -> int:
    """Return the primary result code."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


def _reason(error: BaseException) -> str:
    """Return what is wrong as one line of ASCII, without values of a statement.

    Of what PostgreSQL says itself only the first part is taken, which holds none in these classes.
    An error without such a part is of the connection, and says which host does not answer. What is
    quoted with an @ in it is no host but the end of a password that had one.
    """
    if isinstance(error, sqlite3.Error):
        return _SQLITE_OUTAGES[_sqlite_code(error)]
    if words := _POSTGRESQL_OUTAGES.get(getattr(error, "sqlstate", None) or ""):
        return words
    said = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    said = _NO_HOST.sub("the host of the database URL", said)
    line = " ".join(said.partition("\n")[0].split())[:_LONGEST_REASON]
    return line.encode("ascii", "replace").decode("ascii") or type(error).__name__
