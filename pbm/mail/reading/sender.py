"""The sender of a mail: its addresses, and whether the receiving server authenticated the From."""

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network

from pbm.domain.addresses import in_ascii
from pbm.domain.mail import ReceivedMail, words_at
from pbm.engine import frozen
from pbm.mail.reading.decoding import decode_charset
from pbm.mail.reading.mime import Headers, value_of

_WORD = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

_ADDRESS = re.compile(
    rf"(?=.{{3,254}}\Z)(?=[^@]{{1,64}}@){_WORD}(?:\.{_WORD})*@{_LABEL}(?:\.{_LABEL})*"
)

# RFC 5322 wants a display name quoted if it has one of . , : @ [ ]; many clients do not do that.
_NAMED = re.compile(r"([^<>;()]*+)<([^<>]*+)>")

_AT_A_HOST = re.compile(r"@\s*+[^\s@.]*+\s*+\.")
"""The part of an internet address behind its local part."""

_NAME_WORDS = re.compile(r"[\s,:\[\]]++")

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')

_PLAIN = re.compile(r'[^"()\\]++')

_IN_COMMENT = re.compile(r"[^()\\]++|\\.")


def author_of(headers: Headers, head: bytes) -> str | None:
    """Return the address in From, in lower case, or None if there is not exactly one.

    `head` is everything before the text of the mail. If a CR or LF stands alone in it, the mail has
    no author: the host that checked the author may have seen other fields. Invisible characters
    are kept, so that an address with one inside is not read as the one it looks like.
    """
    fields = headers.raw("From")
    if len(fields) != 1 or _has_odd_line_end(head):
        return None
    return sole_address(_CONTROL.sub(" ", decode_charset(fields[0])))


_MOST_AUTHORS = 10


def sender_among_authors(headers: Headers, head: bytes) -> str | None:
    """Return the address in Sender if it is one of several in From (RFC 5322, 3.6.2), else None.

    It proves nothing by itself, because a host that checks the author may look at another one.
    """
    sender = headers.raw("Sender")
    if len(headers.raw("From")) != 1 or len(sender) != 1 or _has_odd_line_end(head):
        return None
    authors = (_without_comments(headers.first("From")) or "").split(",", _MOST_AUTHORS)
    address = sole_address(value_of(sender[0]))
    return address if address in map(sole_address, authors) else None


def name_of(headers: Headers) -> str:
    """Return the name of the author in From, such as "Alice Müller", or "" if there is none."""
    name, bracket, _ = headers.text("From").rpartition("<")
    return name.strip(" \t\"'") if bracket else ""


def _has_odd_line_end(head: bytes) -> bool:
    """Return whether a CR or LF stands alone in a head whose lines end in CR LF.

    Software that takes it for a line end reads other fields.
    """
    pairs = head.count(b"\r\n")
    return b"\r" in head and not pairs == head.count(b"\r") == head.count(b"\n")


def sole_address(field: str) -> str | None:
    """Return the address in a field, in lower case, or None if there is not exactly one.

    Reads `alice@example.org`, `<alice@example.org>` and `"A. (Smith)" <alice@example.org>`,
    with comments anywhere. A name before the angle brackets may have characters that should be
    quoted, but no second address. Lists, groups, quoted local parts, domain literals, names
    outside ASCII before the @ and anything else that is odd are not read.
    """
    bare = _without_comments(field)
    if bare is None:
        return None
    named = _NAMED.fullmatch(bare.strip())
    written = (named[2] if named else bare).strip().removeprefix("mailto:")
    address = in_ascii(written)
    # Before lower(), which makes an ASCII "k" of the Kelvin sign.
    address = address.lower() if address.isascii() else ""
    if not _ADDRESS.fullmatch(address) or (named and _names_another(named[1], address, written)):
        return None
    return address


def _names_another(name: str, address: str, written: str) -> bool:
    """Return whether a display name has an address other than `address`, `written` as it is.

    "bob @ work" and "@bob" are not addresses, because no host is called that. Some programs put
    the address between apostrophes.
    """
    same = (address, f"'{address}'", written.lower())
    words = (word for word in _NAME_WORDS.split(name) if word.lower() not in same)
    return "@" in name and bool(_AT_A_HOST.search(" ".join(words)) or "@[" in name)


def _without_comments(field: str) -> str | None:
    """Return `field` without comments and quoted strings, or None if one is left open."""
    kept, at = [], 0
    while at < len(field):
        if plain := _PLAIN.match(field, at):
            kept.append(plain[0])
            at = plain.end()
        elif quoted := _QUOTED.match(field, at):
            # A character takes its place: `"alice"@example.org` is not `@example.org`, and
            # `a"b"c@example.org` is not `ac@example.org`.
            kept.append("\ufffd")
            at = quoted.end()
        elif field[at] == "(" and (end := comment_end(field, at)):
            kept.append(" ")
            at = end
        else:
            return None
    return "".join(kept)


def comment_end(field: str, at: int) -> int | None:
    """Return the offset after the comment that begins at `at`, or None if it is left open.

    A comment may contain others.
    """
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


_MOST_WORDS = 10
"""The most words that are returned, because each may cost a database query."""

_FIELDS = (
    *("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"),
    *("References", "In-Reply-To"),
)


def plus_words(mail: ReceivedMail, headers: Headers, address: str) -> tuple[str, ...]:
    """Return the words after "+" in `address`, wherever the mail has it, in lower case.

    Each is returned once, those of the envelope first, up to a limit. Only words of 1 to 64
    letters and digits count, because a reply token is such a word.
    """
    ours = _with_word(address.lower())
    # In headers a "+" is this byte, whatever their charset.
    written = [
        value_of(value) for field in _FIELDS for value in headers.raw(field) if b"+" in value
    ]
    words: dict[str, None] = {}
    for place in (*mail.recipients, *written):
        words.update(dict.fromkeys(ours.findall(place.lower())))
    return tuple(words)[:_MOST_WORDS]


@lru_cache(maxsize=8)
def _with_word(address: str) -> re.Pattern[str]:
    """Return an expression for our address with a word after "+"."""
    ours = words_at(address, "([a-z0-9]{1,64})")
    # `notpbm+x@` and `pbm+x@games.example.org.evil.net` are not our addresses.
    return re.compile(rf"(?<![\w.!#$%&'*+/=?^`{{|}}~-]){ours}(?!\.?[\w-])")


class DmarcVerdict(Enum):
    """The verdict of DMARC on the From address."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601
    FAIL = "fail"
    NONE = "none"


@frozen
class Authentication:
    """The front MTA's verdict on the author, and the network of the client.

    `network` is a /24 or /48, or "" if it is not known.
    """

    verdict: DmarcVerdict = DmarcVerdict.NONE
    network: str = ""


_PIECE = re.compile(
    r'(?P<space>[ \t\r\n]++)|(?P<quoted>"(?:[^"\\]|\\.)*+")|(?P<mark>[;=()])'
    r'|(?P<word>[^\s";=()\\]++)'
)

_QUOTED_PAIR = re.compile(r"\\(.)")

_BY = re.compile(r"\bby\s++([^\s;()]++)")

_CLIENT = re.compile(r"\[(?:ipv6:)?([0-9a-f.:]{2,45}+)\]")

_UNCLEAR = "unclear"
"""The network of all clients whose names look like addresses; such a name is no advantage."""


def authentication(headers: Headers, authserv_id: str | None, author: str | None) -> Authentication:
    """Return the verdict of the host `authserv_id`, if there is one, on a mail from `author`."""
    if authserv_id is None:
        return Authentication()
    ours = authserv_id.lower()
    return Authentication(_verdict(headers, ours, author), _network(headers, ours))


def _verdict(headers: Headers, ours: str, author: str | None) -> DmarcVerdict:
    fields = map(_statements, headers.all("Authentication-Results"))
    topmost = next((said for said in fields if said[0][:1] == [ours]), [])
    found = {_of_dmarc(statement, author) for statement in topmost[1:]} - {None}
    if DmarcVerdict.FAIL in found:
        return DmarcVerdict.FAIL
    return DmarcVerdict.PASS if found == {DmarcVerdict.PASS} else DmarcVerdict.NONE


def _of_dmarc(statement: list[str], author: str | None) -> DmarcVerdict | None:
    """Return the verdict in `dmarc=... header.from=...`, or None for another statement.

    A pass for another domain than the author's says nothing about the author.
    """
    match statement:
        case ["dmarc", "=", "fail", *_]:
            return DmarcVerdict.FAIL
        case ["dmarc", "=", "pass", *said]:
            domain = (author or "").rpartition("@")[2]
            about = [said[n + 2 : n + 3] for n, word in enumerate(said) if word == "header.from"]
            return DmarcVerdict.PASS if domain and about == [[domain]] else DmarcVerdict.NONE
        case ["dmarc", *_]:
            return DmarcVerdict.NONE
    return None


def _statements(field: str) -> list[list[str]]:
    """Return the statements between the semicolons of a field, as words in lower case.

    Of a broken field only the first one is returned, which names the host.
    """
    statements: list[list[str]] = [[]]
    for word in _words(field.lower()):
        if word is None:
            return statements[:1]
        if word == ";":
            statements.append([])
        else:
            statements[-1].append(word)
    return statements


def _words(field: str) -> Iterator[str | None]:
    """Yield words, quoted strings and marks without comments, and None if it is broken."""
    at = 0
    while at < len(field):
        piece = _PIECE.match(field, at)
        if piece is None:
            yield None
            return
        if piece[0] == "(":
            after = comment_end(field, at)
            if after is None:
                yield None
                return
            at = after
            continue
        at = piece.end()
        if piece["quoted"]:
            # A quoted ";" is not a mark, but a quoted host name is a host name.
            inside = _QUOTED_PAIR.sub(r"\1", piece[0][1:-1])
            yield f'"{inside}"' if inside in (";", "=") else inside
        elif not piece["space"]:
            yield None if piece[0] == ")" else piece[0]


def _network(headers: Headers, ours: str) -> str:
    """Return the network of the client that handed the mail to the host `ours`, or "".

    Only the topmost Received field counts, and only if that host wrote it. It also has the name
    that the client gave itself, so it must have one address and no other.
    """
    field = headers.first("Received").lower()
    by = _BY.search(field)
    if by is None or by[1] != ours or not field.startswith("from "):
        return ""
    clients = {_network_of(found) for found in _CLIENT.findall(field[: by.start()])}
    return clients.pop() if len(clients) == 1 else _UNCLEAR


def _network_of(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return _UNCLEAR
    bits = 24 if isinstance(found, IPv4Address) else 48
    return str(ip_network((found, bits), strict=False))
