"""The clock of this program: the only place that asks the system for the time of day."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time, aware and in UTC."""
    return datetime.now(UTC)
