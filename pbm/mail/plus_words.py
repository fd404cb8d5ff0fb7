"""What stands after "+" in those addresses of ours that a mail was sent to."""

import re

from pbm.domain.mail import ReceivedMail
from pbm.mail.headers import Headers

MOST = 10
"""Words that are returned; each may cost a look at the database."""

_FIELDS = (
    "To",
    "Cc",
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "References",
    "In-Reply-To",
)


def plus_words(mail: ReceivedMail, headers: Headers, address: str) -> tuple[str, ...]:
    """Return the words after "+" in `address`, wherever the mail bears it, in small letters.

    Each once, those of the envelope first, at most `MOST`. Only words of 1 to 64 letters and
    digits count, for such is a reply token.
    """
    local, _, domain = address.lower().rpartition("@")
    # Neither `notpbm+x@` nor `pbm+x@games.example.org.evil.net` is an address of ours.
    ours = re.compile(
        rf"(?<![\w.!#$%&'*+/=?^`{{|}}~-]){re.escape(local)}"
        rf"\+([a-z0-9]{{1,64}})@{re.escape(domain)}(?!\.?[\w-])"
    )
    places = [*mail.recipients, *(value for name in _FIELDS for value in headers.all(name))]
    words = dict.fromkeys(word for place in places for word in ours.findall(place.lower()))
    return tuple(words)[:MOST]
