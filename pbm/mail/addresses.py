"""The one address of a From field, read strictly (RFC 5322, 3.4).

Who wrote a mail decides whose move it is. A field that two readers could read in two ways is
therefore read in none; the standard library's `parseaddr` finds an address in anything.
"""

import re

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
