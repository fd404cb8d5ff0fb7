"""Read a mail from the inbox: bytes in, an `IncomingMail` out, whatever the bytes are.

Each step has a result for every input, in a time that is linear in the length. That is why only
`BeyondLimits` is caught here. What intake notes of a mail when it arrives is here as well: the key
of its content, its Message-ID, and whom it is counted for.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import ip_network

from pbm.core.tokens import Token, TokenKind, TokenMint
from pbm.domain.addresses import mailbox
from pbm.domain.mail import IncomingMail, ReceivedMail, Source
from pbm.mail.reading import limits, mime
from pbm.mail.reading.automatic_mail import UNLESS_PROVEN, Signs, Silence, reason_for_silence
from pbm.mail.reading.bounces import read_report
from pbm.mail.reading.mime import Headers, read_headers, text_of
from pbm.mail.reading.sender import (
    DmarcVerdict,
    authentication,
    author_of,
    name_of,
    plus_words,
    sender_among_authors,
)
from pbm.mail.reading.trimming import own_lines, unescaped, without_prefixes

_OWN_NETWORKS = tuple(
    map(
        ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
         "::/48", "fc00::/7", "fe80::/10"),
    )
)  # fmt: skip
"""The networks of this host (::1 is in ::/48), and those that no stranger writes from."""

_MESSAGE_ID = re.compile(r"(?=.{5,250}\Z)<[!-;=?A-~]++@[!-;=?A-~]++>")


def read(mail: ReceivedMail, address: str, authserv_id: str | None = None) -> IncomingMail:
    """Read `mail` for the server that has this `address`; never raises.

    `authserv_id` names the front MTA whose word on the author is taken, if there is one: only in a
    mail that it, or a relay of ours, has brought.

    A mail beyond the limits is read as one without text. If its headers are beyond them, it is
    silenced, because the From that was found may not be the only one.
    """
    try:
        headers, body_at = read_headers(mail.content)
    except limits.BeyondLimits:
        return IncomingMail(author=None, subject="", lines=(), silence=Silence.HEADERS)
    head = _head(mail.content, body_at)
    author = author_of(headers, head)
    found = authentication(headers, authserv_id if mail.from_host_of_ours else None, author)
    part = _part(headers, mail.content, body_at)
    words = plus_words(mail, headers, address)
    subject = headers.text("Subject")
    signs = Signs(headers, part, mail.sender, author, address, mail.recipients, words, subject)
    author, silence = _author_and_silence(signs, head, found.verdict)
    unless_proven = silence in UNLESS_PROVEN
    # Reports come to bounce addresses, and all mails to these are silenced.
    report = read_report(mail, headers, part, author, address) if silence else None
    plain = unescaped(subject)
    bare = without_prefixes(plain)
    return IncomingMail(
        author=author,
        subject=bare,
        follows=bare != plain.strip() or _names_another(headers),
        lines=()
        if part is None or (silence and not unless_proven)
        else own_lines(text_of(part), address),
        plus_words=words,
        message_id=_message_id(headers),
        silence=silence,
        unless_proven=unless_proven,
        report=report,
        authenticated=found.verdict is DmarcVerdict.PASS,
        network=found.network or _from_outside(mail.network),
        author_name=name_of(headers) if author else "",
        for_operator=mail.content if silence is Silence.FOR_OPERATOR else None,
    )


def _author_and_silence(
    signs: Signs, head: bytes, verdict: DmarcVerdict
) -> tuple[str | None, Silence | None]:
    """Return the author, who may be one of several, and why the mail is silenced, or None."""
    author, silence = signs.author, reason_for_silence(signs)
    if silence is Silence.NO_AUTHOR and (author := sender_among_authors(signs.headers, head)):
        silence = Silence.SEVERAL_AUTHORS
    if verdict is DmarcVerdict.FAIL and silence is not Silence.FOR_OPERATOR:
        silence = Silence.FORGED
    return author, silence


def _head(content: bytes, body_at: int) -> bytes:
    """Return everything before the text, as the most patient reader would find it."""
    return content[: max(body_at, content.find(b"\r\n\r\n"))]


def _part(headers: Headers, content: bytes, body_at: int) -> mime.MimePart | None:
    """Return the mail as a tree, or None if it is beyond the limits."""
    if len(content) > limits.MAIL:
        return None
    try:
        return mime.parse(headers, content[body_at:])
    except limits.BeyondLimits:
        return None


def _names_another(headers: Headers) -> bool:
    return "In-Reply-To" in headers or "References" in headers


def _message_id(headers: Headers) -> str | None:
    """Return the mail's Message-ID, or None if it cannot go into a header of ours unchanged."""
    ids = headers.all("Message-ID")
    return ids[0] if len(ids) == 1 and _MESSAGE_ID.fullmatch(ids[0]) else None


@lru_cache(maxsize=1024)
def _from_outside(network: str) -> str:
    """Return the network that intake has seen, or "" if it is one of our own.

    A peer there is an MTA that passes on everybody's mails, and that --relay-from does not name.
    """
    if not network:
        return ""
    seen = ip_network(network)
    # mypy does not see that both are of one version then.
    own = any(seen.version == each.version and seen.subnet_of(each) for each in _OWN_NETWORKS)  # type: ignore[arg-type]
    return "" if own else network


_SENDERS_FIELDS = ("From", "Date", "Message-ID", "Subject", "To", "Cc")
"""The fields that hosts on the way leave unchanged. They may add or change all others."""


def content_key(mail: ReceivedMail) -> str | None:
    """Return a key that a mail shares only with its repeats: 64 hex digits of SHA-256.

    It is None if the mail has no Message-ID, because then two equal mails need not be repeats, and
    if its headers are beyond the limits. The envelope does not count.
    """
    try:
        headers, body_at = read_headers(mail.content)
    except limits.BeyondLimits:
        return None
    if not any(headers.raw("Message-ID")):
        return None
    # The repr of lists of bytes is unambiguous: no field can pass for the end of another.
    fields = repr([[value.split() for value in headers.raw(name)] for name in _SENDERS_FIELDS])
    digest = hashlib.sha256(fields.encode("ascii"))
    digest.update(memoryview(mail.content)[body_at:])
    return digest.hexdigest()


_MESSAGE_ID_FIELD = b"\nmessage-id:"

_LONGEST_ID = 1000
"""Octets of a Message-ID that are looked at; a line of a mail has at most 998 (RFC 5322, 2.1.1)."""


def message_id_of(mail: ReceivedMail) -> bytes:
    """Return the value of the first Message-ID field, unfolded and cut, or b"" if there is none.

    It may be anything. This takes a microsecond; reading all headers takes thirty.
    """
    end = mail.content.find(b"\r\n\r\n")
    head = b"\n" + mail.content[: end if end >= 0 else None]
    begin = head.lower().find(_MESSAGE_ID_FIELD)
    if begin < 0:
        return b""
    value = head[begin + len(_MESSAGE_ID_FIELD) :][:_LONGEST_ID]
    line, _, following = value.partition(b"\n")
    while following[:1] in (b" ", b"\t"):
        more, _, following = following.partition(b"\n")
        line += more
    return b" ".join(line.split())


def source_of(mail: ReceivedMail, mint: TokenMint) -> Source:
    """Return the sender that a waiting `mail` is counted for, by the sign that is hardest to forge.

    A reply token cannot be forged, so a mail to one is counted for its player: others who write in
    a player's name do not delay the replies. All other mails are counted for the mailbox of the
    envelope sender. Anybody can make up mailboxes by the thousand, so these are counted together
    as well: by the network that the mail came from, which costs more than a name, or by the domain
    if the network is not known. From does not count: it is as cheap, and a mail can have several.
    """
    player = _proven_player(mail, mint)
    if player:
        return Source(f"player {player}", f"player {player}", proven=True)
    sender = mailbox(mail.sender)
    group = mail.network or sender.rpartition("@")[2]
    # Reports on undelivered mails have no sender; those of one network are counted together.
    return Source(sender or f"<> {group}", group)


def _proven_player(mail: ReceivedMail, mint: TokenMint) -> int:
    """Return the player whose reply token is among the recipients, or 0."""
    for token in tokens_to(mail, mint):
        # An unsubscribe link may be in other hands; it does not prove its player.
        if token.player and token.kind is not TokenKind.LEAVE:
            return token.player
    return 0


def tokens_to(mail: ReceivedMail, mint: TokenMint) -> Iterator[Token]:
    """Yield the valid tokens among the recipients."""
    for recipient in mail.recipients:
        word = recipient.rpartition("@")[0].partition("+")[2].rpartition("-")[2].lower()
        dated = mint.read(word) if word else None
        if dated:
            yield dated.token
