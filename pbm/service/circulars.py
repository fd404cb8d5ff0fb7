"""A letter of the operator to all players: written down, and sent in parts (a sequel)."""

from datetime import datetime

from pbm.domain.errors import NotUnderstood
from pbm.service.audit import Signature, record
from pbm.service.ports import SequelKind, UnitOfWork
from pbm.service.steps.circulars import gets_circulars

LONGEST_SUBJECT = 150

LONGEST_TEXT = 20_000


def readers(work: UnitOfWork) -> int:
    """Return how many players a circular goes to now."""
    return sum(map(gets_circulars, work.players.listing()))


def check_circular(subject: str, text: str) -> None:
    """Raise NotUnderstood unless they can be sent."""
    if not subject.strip() or not subject.isprintable() or len(subject) > LONGEST_SUBJECT:
        raise NotUnderstood(f"A subject is one line of at most {LONGEST_SUBJECT} letters.")
    if not text.strip():
        raise NotUnderstood("The text is empty: give a FILE, or write it to standard input.")
    if len(text) > LONGEST_TEXT:
        raise NotUnderstood(f"The text has {len(text)} letters; {LONGEST_TEXT} are the most.")


def announce(work: UnitOfWork, now: datetime, by: Signature, subject: str, text: str) -> int:
    """Begin to tell all players; return how many there are. The caller commits."""
    check_circular(subject, text)
    count = readers(work)
    facts = {"subject": subject, "text": text}
    work.sequels.add(SequelKind.CIRCULAR, None, now, facts=facts)
    record(work, by, now, "announce", subject, {}, {"players": count, "letters": len(text)})
    return count
