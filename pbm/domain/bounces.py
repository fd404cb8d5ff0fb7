"""Mails that come back: when an address counts as dead, and how long its owner's clocks stand.

One returned mail proves little. Hosts have bad days on which they know nobody, and each address
has worked once, because its owner has answered from it. So failures are counted by days (in UTC),
and an address is switched off only after several. What a host has against us, such as taking our
mails for spam, counts on one day a week: it mostly passes, but an address may refuse us for ever.
"""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from pbm.domain.pauses import Pause, PauseKind, running_time
from pbm.domain.periods import UNREACHABLE_LASTS

DAYS_TO_GO = 2
"""Days with failures that switch off an address which, according to its host, does not exist."""

DAYS_TO_FAIL = 3
"""Days with failures that switch off any address. Three days outlast a host's one bad day."""

YEAR = timedelta(days=365)

_GONE = frozenset(
    {"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.1.351", "5.2.1", "5.4.4", "5.4.310", "5.7.17"}
)
"""There is no such host or mailbox, or its owner has changed; three numbers are Exchange's own."""

# The sender is refused, the mail is too big, its protocol or content is wrong, or a rule forbids it
# (RFC 3463). Two of the rules are about the mailbox: it is disabled, or its owner has changed.
_OURS = re.compile(r"5\.1\.(?:[78]|90)|5\.2\.3|5\.3\.4|5\.[56]\.\d+|5\.7\.(?!1[37]\Z)\d+")

_DAY_FOR_OURS = 0
"""The day of the week on which a reason of ours counts: Monday."""


def is_ours(status: str) -> bool:
    """Return whether a failure of this status is about our mail, not about its address."""
    return _OURS.fullmatch(status) is not None


def counts(status: str, now: datetime) -> bool:
    """Return whether a failure of this status counts against its address on the day of `now`."""
    return not is_ours(status) or now.weekday() == _DAY_FOR_OURS


def is_dead(days: int, status: str) -> bool:
    """Return whether an address is switched off on its `days`th day with a failure."""
    return days >= (DAYS_TO_GO if status in _GONE else DAYS_TO_FAIL)


def are_ours(failed: int, written_to: int) -> bool:
    """Return whether the fault is ours, because most of the addresses `written_to` have failed.

    If there are only two, a failure of one counts against it only while the other works.
    """
    return failed > 1 and failed * 2 > written_to


def clocks_stand(pauses: Iterable[Pause], now: datetime) -> timedelta:
    """Return how long the clocks stand for a player who cannot be reached from `now` on.

    Together with the player's earlier `pauses` that is at most UNREACHABLE_LASTS in a year.
    Players who make their own mails come back gain no more time than that.
    """
    earlier = [pause for pause in pauses if pause.kind is PauseKind.UNREACHABLE]
    stood = YEAR - running_time(now - YEAR, now, earlier)
    return max(UNREACHABLE_LASTS - stood, timedelta(0))
