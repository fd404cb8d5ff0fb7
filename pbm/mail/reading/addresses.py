"""Addresses in a mail: the one of its From field, read strictly, and those of ours that it bears.

Who wrote a mail decides whose move it is. A field that two readers could read in two ways is
therefore read in none (RFC 5322, 3.4); the standard library's `parseaddr` finds an address in
anything.
"""

import re

from pbm.domain.mail import ReceivedMail
from pbm.mail.reading.headers import Headers

_WORD = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

_ADDRESS = re.compile(
    rf"(?=.{{3,254}}\Z)(?=[^@]{{1,64}}@){_WORD}(?:\.{_WORD})*@{_LABEL}(?:\.{_LABEL})*"
)

# A display name may be anything but what separates or encloses addresses. RFC 5322 would have
# "." quoted as well, but hardly a client does.
_NAMED = re.compile(r'[^<>@,;:\\"()\[\]]*+<([^<>]*+)>')

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')

_PLAIN = re.compile(r'[^"()\\]++')

_IN_COMMENT = re.compile(r"[^()\\]++|\\.")


def sole_address(field: str) -> str | None:
    """Return the address in a field that holds exactly one, in small letters, else None.

    Reads `alice@example.org`, `<alice@example.org>` and `"A. (Smith)" <alice@example.org>`,
    with comments anywhere. None for lists, groups, quoted local parts, domain literals,
    addresses outside of ASCII and whatever is odd in another way.
    """
    bare = _without_names(field)
    if bare is None:
        return None
    named = _NAMED.fullmatch(bare.strip())
    address = (named[1] if named else bare).strip().lower()
    return address if _ADDRESS.fullmatch(address) else None


def _without_names(field: str) -> str | None:
    """Return `field` without its comments and quoted strings; None if one is left open."""
    kept, at = [], 0
    while at < len(field):
        if plain := _PLAIN.match(field, at):
            kept.append(plain[0])
            at = plain.end()
        elif quoted := _QUOTED.match(field, at):
            # Something stands where it stood: `"alice"@example.org` is not `@example.org`, and
            # `a"b"c@example.org` is not `ac@example.org`.
            kept.append("\ufffd")
            at = quoted.end()
        elif field[at] == "(" and (end := _comment_end(field, at)):
            kept.append(" ")
            at = end
        else:
            return None
    return "".join(kept)


def _comment_end(field: str, at: int) -> int | None:
    """Return the offset behind the comment that begins at `at`; comments may hold others."""
    depth = 0
    while at < len(field):
        if inner := _IN_COMMENT.match(field, at):
            at = inner.end()
            continue
        depth += {"(": 1, ")": -1}.get(field[at], 0)
        at += 1
        if depth == 0:
            return at
    return None


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
