"""Mails that go round in circles: a program answers each of ours with the same words.

Such programs should say what they are (RFC 3834), and then are never answered. Those that do not
would get as many answers as an hour pays for, day and night.
"""

import hashlib
from datetime import datetime

from pbm.domain.mail import Fate, IncomingMail, Outcome
from pbm.service.context import day_of
from pbm.service.letters import Message
from pbm.service.ports import UnitOfWork

ANSWERS_A_DAY = 5
"""Replies of the same words, from one author, that are told in a day that they did nothing."""

FEWEST_WORDS = 5
"""Words that a program has at least; fewer, such as a move, a player may well say again."""


def unless_round(
    work: UnitOfWork, mail: IncomingMail, now: datetime, notices: list[Message], outcome: Outcome
) -> tuple[list[Message], Outcome]:
    """Return what `mail`, a reply, led to: silence if it did nothing and goes round in circles."""
    if outcome.fate is Fate.REFUSED and _goes_round(work, mail, now):
        return [], Outcome(Fate.SILENCED, "goes-round")
    return notices, outcome


def _goes_round(work: UnitOfWork, mail: IncomingMail, now: datetime) -> bool:
    """Count `mail`; return whether its words have had all answers of the day."""
    words = " ".join(mail.lines).split()
    if len(words) < FEWEST_WORDS:
        return False
    said = hashlib.sha256(" ".join((mail.author or "", *words)).encode("utf-8", "replace"))
    return work.tally(f"circle:{said.hexdigest()}", day_of(now)) > ANSWERS_A_DAY
