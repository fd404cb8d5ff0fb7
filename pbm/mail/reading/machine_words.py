"""Words that mail programs put before the subject of what they answer by themselves.

They are not equally sure. A person hardly writes "Automatic reply:", but may well write
"Accepted: ...", so what must come with a word is said at its table. `pbm.mail.reading.nuisance`
sees to that.
"""

import re
import unicodedata

from pbm.mail.reading.phrases import AUTOMATIC_REPLIES, CALENDAR_ANSWERS, READ_RECEIPTS

_COLON = re.compile("[:\uff1a]")


def fold(text: str) -> str:
    """Return `text` as it is compared: composed, in lower case, with plain apostrophes.

    The two letters i of Turkish become one, because capitals do not tell which one they were.
    """
    lower = unicodedata.normalize("NFC", text.strip()).lower()
    return lower.replace("\u2019", "'").replace("\u0131", "i").replace("i\u0307", "i")


def first_word(subject: str) -> tuple[str, str]:
    """Return what stands before the first colon of `subject`, folded, and what stands after it."""
    word, *rest = _COLON.split(subject, maxsplit=1)
    return fold(word), "".join(rest).strip()


AUTOMATIC = frozenset(map(fold, AUTOMATIC_REPLIES))
"""Automatic replies and notes of absence: sure with a subject behind, or without a reply token."""

RECEIPTS = frozenset(map(fold, READ_RECEIPTS))
"""Read receipts: sure before the subject of a mail of ours."""

CALENDAR = frozenset(map(fold, CALENDAR_ANSWERS))
"""Answers to invitations: sure before the subject of a mail of ours, without a reply token."""
