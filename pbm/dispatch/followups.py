"""What goes on after the mail that began it, in parts: one table of them.

A mail holds the database for a short time only, so what it leads to may be too much for it: mails
to hundreds of followers, the end of hundreds of boards. Such work is stored with the rest of what
the mail did, and the play stage does a part of it after each batch. A part is one unit of work: its
mails, and how far the sequel has got, are committed together, so nothing is done twice.
"""

import logging
from collections.abc import Mapping
from datetime import datetime

from pbm.features.following import go_on_telling_followers
from pbm.features.leaving import go_on_leaving
from pbm.features.seeks import announce_seek
from pbm.features.talk import go_on_broadcasting
from pbm.service.bugs import trace_of
from pbm.service.context import Services, context_without_mail
from pbm.service.outbox import post
from pbm.service.ports import Conflict, OpenUnit, Sequel, SequelKind, StoreUnavailable, UnitOfWork
from pbm.service.schedule import Do

log = logging.getLogger("pbm.play")

_KINDS: Mapping[SequelKind, Do] = {
    SequelKind.BOARD: go_on_telling_followers,
    SequelKind.BROADCAST: go_on_broadcasting,
    SequelKind.LEAVING: go_on_leaving,
    SequelKind.SEEK: announce_seek,
}
"""What does a part of each kind of sequel."""


def do_a_part(
    open_unit: OpenUnit, open_reading: OpenUnit, services: Services, now: datetime
) -> bool:
    """Do the next part of the oldest sequel; return False if there is none.

    A sequel that meets a bug is given up, so that it does not hold up the others, and the log
    tells where it was. If another worker saves one of the same matches first, the part is left for
    the next time.
    """
    with open_reading() as work:
        if not work.sequels.wait():
            return False  # without the lock of a writer, which others need
    with open_unit() as work:
        sequel = work.sequels.claim()
        if sequel is None:
            return False
        try:
            with work.savepoint(), services.bounded():
                _do(services, work, sequel, now)
        except Conflict:
            log.info("another worker was first; a part of what %s began waits", sequel.kind)
            return True
        except StoreUnavailable:
            raise
        except Exception as bug:  # noqa: BLE001 - any bug: the others must go on
            _give_up(work, sequel, bug)
        work.commit()
    return True


def _give_up(work: UnitOfWork, sequel: Sequel, bug: Exception) -> None:
    log.error("sequel %d (%s) met a bug:\n%s", sequel.id, sequel.kind, trace_of(bug))
    work.sequels.done(sequel.id)


def _do(services: Services, work: UnitOfWork, sequel: Sequel, now: datetime) -> None:
    part = _KINDS[sequel.kind](context_without_mail(services, work, now), sequel)
    post(services, work, part.notices, now)
    if part.up_to is None:
        work.sequels.done(sequel.id)
    else:
        work.sequels.progress(sequel.id, part.up_to)
