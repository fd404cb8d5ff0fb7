"""What the operator's letters to all players look like."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.mailings import Leaving, Mailing
from pbm.domain.settings import NEWS
from pbm.mail.writing.wording import Wording
from pbm.service.notices.circulars import Circular


@dataclass(frozen=True, slots=True)
class CircularMail:
    """The operator's `text`, under a line that says who writes; `stop` is how to get no more."""

    template: ClassVar[str] = "circulars/circular.txt.j2"
    server: str
    text: str
    stop: str


def _circular(notice: Circular, address: str) -> Wording:
    stop = f"set {NEWS.name} no"
    context = CircularMail(address, notice.text, stop)
    subject = encoded(notice.subject)
    return Wording(
        subject, context, "News from pbm", answer=False, leave=Leaving(Mailing.NEWS), bulk=True
    )


def encoded(subject: str) -> str:
    """Return a subject as a header has it: as it is, or in encoded words (RFC 2047 section 2)."""
    if subject.isascii():
        return subject
    pieces = (subject[at : at + _LETTERS] for at in range(0, len(subject), _LETTERS))
    words = (base64.b64encode(piece.encode()).decode() for piece in pieces)
    return " ".join(f"=?utf-8?b?{word}?=" for word in words)


_LETTERS = 11
"""So few that an encoded word has at most 75 octets, whatever letters they are."""


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {Circular: _circular}
"""What is said for each kind of notice of this subject."""
