"""The front MTA's word on who wrote a mail (RFC 8601) and which network handed it in.

Only a field of the configured authserv-id counts, and only the topmost of them: any field below
it may have come with the mail. If the topmost cannot be read to its end, it says nothing, and the
fields below still do not count: a sender may have written the character that breaks it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, ip_address, ip_network

from pbm.mail.reading.addresses import comment_end
from pbm.mail.reading.mime import Headers


class Verdict(Enum):
    """The verdict of DMARC on the From address."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Authentication:
    """The front MTA's verdict on the author, and the network of the client.

    `network` is a /24 or /48, or "" if it is not known.
    """

    verdict: Verdict = Verdict.NONE
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


def _verdict(headers: Headers, ours: str, author: str | None) -> Verdict:
    fields = map(_statements, headers.all("Authentication-Results"))
    topmost = next((said for said in fields if said[0][:1] == [ours]), [])
    found = {_of_dmarc(statement, author) for statement in topmost[1:]} - {None}
    if Verdict.FAIL in found:
        return Verdict.FAIL
    return Verdict.PASS if found == {Verdict.PASS} else Verdict.NONE


def _of_dmarc(statement: list[str], author: str | None) -> Verdict | None:
    """Return the verdict in `dmarc=... header.from=...`, or None for another statement.

    A pass for another domain than the author's says nothing about the author.
    """
    match statement:
        case ["dmarc", "=", "fail", *_]:
            return Verdict.FAIL
        case ["dmarc", "=", "pass", *said]:
            domain = (author or "").rpartition("@")[2]
            about = [said[n + 2 : n + 3] for n, word in enumerate(said) if word == "header.from"]
            return Verdict.PASS if domain and about == [[domain]] else Verdict.NONE
        case ["dmarc", *_]:
            return Verdict.NONE
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
