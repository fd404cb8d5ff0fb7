"""The mails of a chore that tells many players, each of something of his own."""

import logging
from collections.abc import Iterable

from pbm.service.bugs import trace_of
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.ports import Conflict, StoreUnavailable
from pbm.service.post import post

log = logging.getLogger("pbm.remind")


def tell(context: Context, notices: Iterable[Notice], about: str) -> None:
    """Post the notices, made only now, so that a bug in the way of them holds up nobody else.

    They are lost then, all of them, and what they are `about` stands in the log.
    """
    try:
        with context.work.savepoint():
            post(context.services, context.work, notices, context.now)
    except (Conflict, StoreUnavailable):
        raise
    except Exception as bug:  # noqa: BLE001 - any bug of a game, or a game no longer installed
        _note(about, bug)


def _note(about: str, bug: Exception) -> None:
    log.error("%s cannot be told:\n%s", about, trace_of(bug))
