"""The signature of a mail: relaxed/relaxed, over the whole body and the fields that count.

A field is named in h= once more than it is there, so that nobody can add another one without
breaking the signature (RFC 6376 section 8.15). There is no l=, which would let anybody add to the
body. There is no time in it: a mail that goes out again is the same, octet by octet.
"""

import base64
import re
import textwrap
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from pbm.dkim.keys import SigningKey

SIGNED = (
    *("from", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to"),
    *("references", "sender", "mime-version", "content-type", "content-transfer-encoding"),
    *("auto-submitted", "precedence", "list-id", "list-unsubscribe", "list-unsubscribe-post"),
)
"""The fields that are signed, whether or not a mail has them (RFC 6376 section 5.4.1)."""

_FIELDS = re.compile(rb"([!-9;-~]+)[ \t]*:((?:[^\r\n]|\r\n[ \t])*)\r\n")

_BLANKS = re.compile(rb"  +")
"""Begins with two letters that are certain: so it is looked for ten times as fast as a choice."""

_FOLDING = re.compile(rb"[ \t\r\n]+")

_WIDTH = 72


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs mails of `domain` by `key`, whose record is at `selector`."""

    key: SigningKey
    domain: str
    selector: str

    def signed(self, content: bytes) -> bytes:
        """Return `content`, a mail with CRLF line endings, below its DKIM-Signature."""
        head, _, body = content.partition(b"\r\n\r\n")
        fields: dict[str, list[bytes]] = {}
        for name, value in _FIELDS.findall(head + b"\r\n"):
            fields.setdefault(name.decode().lower(), []).append(value)
        names = (name for name in SIGNED for _ in range(len(fields.get(name, ())) + 1))
        unsigned = self._field(tuple(names), sha256(_relaxed_body(body)).digest())
        # Of several fields of one name the lowest comes first (section 5.4.2).
        lines = [_relaxed(n, v) for n in SIGNED for v in reversed(fields.get(n, ()))]
        name, _, value = unsigned.partition(b":")
        lines.append(_relaxed(name.decode().lower(), value).removesuffix(b"\r\n"))
        word = base64.b64encode(self.key.sign(sha256(b"".join(lines)).digest())).decode()
        folded = "\r\n\t".join(word[at : at + _WIDTH] for at in range(0, len(word), _WIDTH))
        return unsigned + folded.encode() + b"\r\n" + content

    def _field(self, names: tuple[str, ...], digest: bytes) -> bytes:
        """Return the field up to the place where the signature goes."""
        return (
            f"DKIM-Signature: v=1; a={self.key.algorithm}-sha256; c=relaxed/relaxed;\r\n"
            f"\td={self.domain}; s={self.selector};\r\n"
            f"\th={_listed(names)};\r\n"
            f"\tbh={base64.b64encode(digest).decode()};\r\n\tb="
        ).encode()


@lru_cache(maxsize=64)
def _listed(names: tuple[str, ...]) -> str:
    """Return the names with colons between them, folded; few mails differ in theirs."""
    lines = textwrap.wrap(": ".join(names), _WIDTH, break_on_hyphens=False)
    return "\r\n\t".join(line.replace(" ", "") for line in lines)


def _relaxed(name: str, value: bytes) -> bytes:
    """Return a field in relaxed form (section 3.4.2)."""
    return name.encode() + b":" + _FOLDING.sub(b" ", value).strip() + b"\r\n"


def _relaxed_body(body: bytes) -> bytes:
    """Return a body in relaxed form (section 3.4.4)."""
    single = _BLANKS.sub(b" ", body.replace(b"\t", b" "))
    single = single.replace(b" \r\n", b"\r\n").removesuffix(b" ")
    while single.endswith(b"\r\n\r\n"):
        single = single.removesuffix(b"\r\n")
    if single in {b"", b"\r\n"}:
        return b""
    return single if single.endswith(b"\r\n") else single + b"\r\n"
