"""What the server does by itself as time passes: the scheduled jobs of all features.

`pbm remind` and the role `remind` of `pbm serve` run the same jobs (pbm.dispatch.scheduling). A
job works in batches, each in a unit of work of its own: what is done, what is remembered of it and
the mails about it are committed together, so that nothing is ever done twice.
"""

from pbm.features.announcements import ANNOUNCEMENTS
from pbm.features.bounces import UNREACHABLE
from pbm.features.closed_invitations import EXPIRED_INVITATIONS
from pbm.features.digests import DIGESTS
from pbm.features.reminders import REMINDERS
from pbm.features.seeks import EXPIRED_SEEKS
from pbm.features.vacations import VACATIONS
from pbm.service.pruning import PRUNING
from pbm.service.schedule import ScheduledJob

JOBS: tuple[ScheduledJob, ...] = (
    ANNOUNCEMENTS, VACATIONS, UNREACHABLE, DIGESTS, REMINDERS, EXPIRED_INVITATIONS, EXPIRED_SEEKS,
    PRUNING,
)  # fmt: skip
"""All scheduled jobs, in the order in which they are done.

Players who are back from vacation are told so before the boards nag them.
"""
