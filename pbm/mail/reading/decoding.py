"""From the bytes of a mail to the characters that its writer saw.

Transfer encodings (RFC 2045), encoded words in headers (RFC 2047), and invisible characters.
"""

import binascii
import re
from collections.abc import Callable

from pbm.mail.reading.charsets import decode_charset

# These show nothing, or change the direction of what follows.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

# These join letters and emoji outside ASCII; next to an ASCII character they are in the way.
_JOINER = re.compile("[\u200c\u200d](?:(?<![^\x00-\x7f].)|(?![^\x00-\x7f]))")

_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")

_LINE_ENDS = ("\r\n", "\r", "\u2028", "\u2029")

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")

_CONTROLS = dict.fromkeys((*range(10), *range(11, 32), 127), " ")


def clean(text: str) -> str:
    r"""Return `text` as a reader sees it, with lines that end in "\n".

    Invisible characters are removed. Every kind of space, and every control character except
    the line end, becomes a space. Letters, dashes and quotation marks stay as they are.
    """
    if not text.isascii():
        text = _SPACE.sub(" ", _JOINER.sub("", _INVISIBLE.sub("", text)))
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    # In ASCII a table is fifty times as fast; elsewhere it is slower.
    return text.translate(_CONTROLS) if text.isascii() else _CONTROL.sub(" ", text)


def one_line(text: str) -> str:
    """Return `text` cleaned and on one line, with single spaces."""
    text = text if text.isascii() and text.isprintable() else clean(text)
    return " ".join(text.split())


_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

_NOT_BASE64 = bytes(set(range(256)) - set(_BASE64))

# Lists and gateways append lines in the clear. Nothing but base64 is in a line of base64.
_FOOTER = re.compile(rb"\n[^-_.,:;@<>()\n]*+[-_.,:;@<>()]")

_SEGMENTS = 1000
"""Pieces of base64 in one text, each with its own padding, as some programs write it."""


def from_base64(data: bytes) -> bytes:
    """Return what `data` encodes, up to a footer; characters outside base64 are skipped.

    Padding may be missing at the end, and may stand between pieces that were encoded apart.
    """
    footer = _FOOTER.search(data)
    digits = data[: footer.start() if footer else None].translate(None, _NOT_BASE64)
    return b"".join(map(_from_digits, digits.split(b"=", _SEGMENTS)[:_SEGMENTS]))


def _from_digits(digits: bytes) -> bytes:
    # A single last digit holds six bits, not a byte; binascii refuses data without padding.
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


# White space behind a soft line break is from a host on the way (RFC 2045, 6.7, rule 3).
_SOFT_BREAK = re.compile(rb"=[ \t]++(?=\r?\n|\Z)")


def from_quoted_printable(data: bytes) -> bytes:
    """Return what `data` encodes; an invalid escape stays as it is."""
    return binascii.a2b_qp(_SOFT_BREAK.sub(b"=", data))


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": from_base64,
    "quoted-printable": from_quoted_printable,
}


def decode_transfer(data: bytes, encoding: str) -> bytes:
    """Return the decoded bytes of a part; bytes in an unknown encoding stay as they are."""
    decoder = _DECODERS.get(encoding.strip().lower())
    return decoder(data) if decoder else data


# No "?" within a piece, and possessive: text that one attempt has passed is not read again.
_WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40}+)(?:\*[A-Za-z0-9-]{0,20}+)?\?([bBqQ])\?([^?]*+)\?=")


def decode_words(text: str) -> str:
    """Return `text` with its encoded words decoded; everything else stays as it is.

    White space between two encoded words is dropped, and their bytes are joined before they
    are decoded, because some clients split a word in the middle of a character.
    """
    if "=?" not in text:
        return text
    pieces: list[str] = []
    charset, pending, end = "", b"", 0
    for word in _WORD.finditer(text):
        gap = text[end : word.start()]
        adjoining = end > 0 and not gap.strip()
        if not adjoining or word[1].lower() != charset:
            pieces.append(decode_charset(pending, charset))
            pending = b""
        if not adjoining:
            pieces.append(gap)
        charset, end = word[1].lower(), word.end()
        pending += _bytes_of(word[2], word[3])
    return "".join((*pieces, decode_charset(pending, charset), text[end:]))


def _bytes_of(encoding: str, encoded: str) -> bytes:
    data = encoded.encode("utf-8", "replace")
    if encoding in "bB":
        return from_base64(data)
    return binascii.a2b_qp(data, header=True)
