"""What lasts for a time from when it was made, not counting when everybody's clocks stood."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from pbm.domain.pauses import moment_after
from pbm.service.context import Context


class _Made(Protocol):
    @property
    def made_at(self) -> datetime: ...


_T = TypeVar("_T", bound=_Made)


def outlived(context: Context, things: Iterable[_T], lasts: timedelta) -> list[tuple[datetime, _T]]:
    """Return those of the `things` whose time is over, each after the moment when it was."""
    pauses = context.work.pauses.of(None)
    ends = ((moment_after(thing.made_at, lasts, pauses), thing) for thing in things)
    return [(end, thing) for end, thing in ends if end is not None and end <= context.now]
