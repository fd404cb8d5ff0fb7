"""What the errors of the drivers mean for the work that met them."""

import sqlite3

from pbm.service.ports import Conflict, StoreUnavailable

# What another try of the whole unit of work can cure (PostgreSQL, appendix A).
_CONFLICTS = frozenset({"40001", "40P01"})

# Classes 08, 53, 57, 58: connection, resources, operator's intervention, system error.
_OUTAGES = ("08", "53", "57", "58")

_SQLITE_OUTAGES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)


def trouble_of(error: BaseException, *, disconnected: bool) -> Conflict | StoreUnavailable | None:
    """Return the store's own exception for a driver's `error` if a later try may succeed."""
    if getattr(error, "sqlstate", None) in _CONFLICTS:
        return Conflict("the database has given this transaction up")
    if _is_outage(error, disconnected=disconnected):
        return StoreUnavailable("the database cannot be used now")
    return None


def _is_outage(error: BaseException, *, disconnected: bool) -> bool:
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
        return (code & 0xFF) in _SQLITE_OUTAGES
    state = getattr(error, "sqlstate", None) or ""
    return disconnected or state.startswith(_OUTAGES)
