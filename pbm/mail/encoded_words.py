"""Encoded words, "=?utf-8?q?G7?=": how a header field holds other characters (RFC 2047)."""

import binascii
import re

from pbm.mail import charsets, transfer

# No "?" within a piece, and possessive: what one try has passed over no other looks at again.
_WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40}+)(?:\*[A-Za-z0-9-]{0,20}+)?\?([bBqQ])\?([^?]*+)\?=")


def decode(text: str) -> str:
    """Return `text` with its encoded words read; what is none stays as it is.

    White space between two encoded words is dropped, and their bytes are put together before
    they are decoded, because clients cut a word in the middle of a character.
    """
    pieces: list[str] = []
    charset, pending, end = "", b"", 0
    for word in _WORD.finditer(text):
        gap = text[end : word.start()]
        adjoining = end > 0 and not gap.strip()
        if not adjoining or word[1].lower() != charset:
            pieces.append(charsets.decode(pending, charset))
            pending = b""
        if not adjoining:
            pieces.append(gap)
        charset, end = word[1].lower(), word.end()
        pending += _bytes_of(word[2], word[3])
    return "".join((*pieces, charsets.decode(pending, charset), text[end:]))


def _bytes_of(encoding: str, encoded: str) -> bytes:
    data = encoded.encode("utf-8", "replace")
    if encoding in "bB":
        return transfer.from_base64(data)
    return binascii.a2b_qp(data, header=True)
