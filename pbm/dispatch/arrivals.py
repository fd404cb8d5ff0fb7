"""Arrivals: the mails of strangers that must come again later, as no answer may go out now."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from pbm.core.bugs import isolate_bugs
from pbm.core.context import hour_of
from pbm.core.strangers import counts_of, is_quiet, may_open_account
from pbm.dispatch.prefetch import hashes_wanted
from pbm.dispatch.script import Reading
from pbm.store.unit import OpenUnit, UnitOfWork


def beyond_bounds(
    open_reading: OpenUnit, unread: Sequence[Callable[[], Reading]], now: datetime
) -> Iterable[int]:
    """Return the places of the mails of strangers that cannot be answered in this hour.

    Nothing is read as long as few strangers have written.
    """
    with open_reading() as work:
        if is_quiet(work, hour_of(now)):
            return ()
        return [place for place, read in enumerate(unread) if _is_beyond(work, read, now)]


def _is_beyond(work: UnitOfWork, read: Callable[[], Reading], now: datetime) -> bool:
    with isolate_bugs():  # a bug is met again, and reported, when the mail is played
        reading = read()
        author = reading.mail.author
        return (
            author is not None
            and not _is_taken_anyway(work, reading, author, now)
            and not counts_of(work, author, reading.mail.network, hour_of(now))
        )
    return False


def _is_taken_anyway(work: UnitOfWork, reading: Reading, author: str, now: datetime) -> bool:
    """Return whether a mail is a player's or gets no answer at all.

    A player who writes from elsewhere names a userid and a password.
    """
    return (
        reading.mail.silence is not None
        or bool(reading.tokens)
        or bool(work.players.by_address(author))
        or not may_open_account(work, author)
        or any(wanted.stored for wanted in hashes_wanted(work, reading, now))
    )
