"""From the bytes of a mail to the characters that its writer saw.

Transfer encodings (RFC 2045), charsets and false claims of them, encoded words in headers
(RFC 2047), and invisible characters.
"""

import binascii
import re
from collections.abc import Callable

# These show nothing, or change the direction of what follows.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

# These join letters and emoji outside ASCII; next to an ASCII character they are in the way.
_JOINER = re.compile("[\u200c\u200d](?:(?<![^\x00-\x7f].)|(?![^\x00-\x7f]))")

_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")

_LINE_ENDS = ("\r\n", "\r", "\u2028", "\u2029")

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    r"""Return `text` as a reader sees it, with lines that end in "\n".

    Invisible characters are removed. Every kind of space, and every control character except
    the line end, becomes a space. Letters, dashes and quotation marks stay as they are.
    """
    if not text.isascii():
        text = _SPACE.sub(" ", _JOINER.sub("", _INVISIBLE.sub("", text)))
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    return _CONTROL.sub(" ", text)


def one_line(text: str) -> str:
    """Return `text` cleaned and on one line, with single spaces."""
    text = text if text.isascii() and text.isprintable() else clean(text)
    return " ".join(text.split())


_CLAIMS = {
    # Text that claims to be Latin-1 but has curly quotation marks or dashes is Windows-1252.
    "cp1252": "iso-8859-1 iso8859-1 latin1 latin-1 windows-1252 cp1252 ansi",
    "utf-8": "us-ascii ascii utf-8 utf8 unicode-1-1-utf-8 utf8mb4",
    "utf-16": "utf-16",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "cp1250": "windows-1250 cp1250",
    "cp1251": "windows-1251 cp1251",
    "cp1253": "windows-1253 cp1253",
    "cp1254": "windows-1254 cp1254 iso-8859-9",
    "cp1255": "windows-1255 cp1255",
    "cp1256": "windows-1256 cp1256",
    "cp1257": "windows-1257 cp1257",
    "cp1258": "windows-1258 cp1258",
    "cp874": "windows-874 cp874 tis-620 iso-8859-11",
    "cp437": "ibm437 cp437",
    "cp850": "ibm850 cp850",
    "iso8859-2": "iso-8859-2 iso8859-2 latin2",
    "iso8859-3": "iso-8859-3",
    "iso8859-4": "iso-8859-4",
    "iso8859-5": "iso-8859-5",
    "iso8859-6": "iso-8859-6",
    "iso8859-7": "iso-8859-7",
    "iso8859-8": "iso-8859-8 iso-8859-8-i",
    "iso8859-10": "iso-8859-10",
    "iso8859-13": "iso-8859-13",
    "iso8859-14": "iso-8859-14",
    "iso8859-15": "iso-8859-15 iso8859-15 latin9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "mac-roman": "macintosh mac-roman x-mac-roman",
    "gb18030": "gb2312 gbk gb18030 cp936 x-gbk",
    "big5hkscs": "big5 big5-hkscs cp950",
    "cp932": "shift-jis sjis x-sjis cp932 windows-31j",
    "euc-jp": "euc-jp",
    "iso2022-jp": "iso-2022-jp",
    "cp949": "euc-kr ks-c-5601-1987 cp949 uhc",
    "iso2022-kr": "iso-2022-kr",
}

# Python's own look-up is not used: it knows codecs that no mail uses and that take quadratic
# time ("punycode"), and it remembers every unknown name that a stranger makes up.
_CODECS = {claim: codec for codec, claims in _CLAIMS.items() for claim in claims.split()}


def decode_charset(data: bytes, charset: str = "") -> str:
    """Return `data` as text: in the claimed charset, else UTF-8, else Latin-1.

    Latin-1 is read as Windows-1252 where possible, which has letters in place of controls.
    """
    claimed = _CODECS.get(charset.strip().lower().replace("_", "-"), "utf-8")
    for codec in (claimed, "utf-8", "cp1252"):
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


def from_base64(data: bytes) -> bytes:
    """Return what `data` encodes, up to its padding; characters outside base64 are skipped."""
    digits = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    # A single last digit holds six bits, not a byte; binascii refuses data without padding.
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def from_quoted_printable(data: bytes) -> bytes:
    """Return what `data` encodes; an invalid escape stays as it is."""
    return binascii.a2b_qp(data)


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
