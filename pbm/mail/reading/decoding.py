"""From the bytes of a mail to the characters that its writer saw.

Charsets, transfer encodings (RFC 2045), encoded words in headers (RFC 2047), and invisible
characters.
"""

import binascii
import codecs
import re
from collections.abc import Callable
from functools import cache

_CLAIMS = {
    # Text that claims to be Latin-1 but has curly quotation marks or dashes is Windows-1252.
    "cp1252": "iso-8859-1 iso8859-1 latin1 latin-1 l1 windows-1252 cp1252 ansi",
    "utf-8": "us-ascii ascii ansi-x3.4-1968 iso646-us utf-8 utf8 unicode-1-1-utf-8 utf8mb4",
    "utf-7": "utf-7 utf7 unicode-1-1-utf-7 x-unicode-2-0-utf-7",
    "utf-16": "utf-16 utf16 unicode",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "cp1250": "windows-1250 cp1250",
    "cp1251": "windows-1251 cp1251 win-1251",
    "cp1253": "windows-1253 cp1253",
    "cp1254": "windows-1254 cp1254 iso-8859-9 iso8859-9 latin5",
    "cp1255": "windows-1255 cp1255",
    "cp1256": "windows-1256 cp1256",
    "cp1257": "windows-1257 cp1257",
    "cp1258": "windows-1258 cp1258",
    "cp874": "windows-874 cp874 x-windows-874 tis-620 iso-8859-11",
    "cp437": "ibm437 cp437 cp-437",
    "cp850": "ibm850 cp850 cp-850",
    "cp852": "ibm852 cp852 cp-852",
    "cp866": "ibm866 cp866 cp-866 x-cp866",
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
    "koi8-r": "koi8-r koi8r",
    "koi8-u": "koi8-u koi8-ru",
    "mac-roman": "macintosh mac-roman x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic mac-cyrillic x-mac-ukrainian",
    "gb18030": "gb2312 gb-2312 gb-2312-80 gbk gb18030 cp936 x-gbk euc-cn",
    "hz": "hz-gb-2312 hz",
    "big5hkscs": "big5 big5-hkscs cp950 x-big5",
    "cp932": "shift-jis sjis x-sjis cp932 windows-31j ms-kanji",
    "euc-jp": "euc-jp x-euc-jp",
    "iso2022-jp-ext": "iso-2022-jp iso-2022-jp-1 iso-2022-jp-ext cp50220 cp50221",
    "iso2022-jp-2": "iso-2022-jp-2",
    "iso2022-jp-2004": "iso-2022-jp-3 iso-2022-jp-2004",
    "cp949": "euc-kr ks-c-5601-1987 ks-c-5601-1989 ksc5601 korean cp949 uhc x-windows-949",
    "iso2022-kr": "iso-2022-kr",
}

# Python's own look-up is not used: it knows codecs that no mail uses and that take quadratic
# time ("punycode"), and it remembers every unknown name that a stranger makes up.
_CODECS = {claim: codec for codec, claims in _CLAIMS.items() for claim in claims.split()}

_LETTERS_ABOVE_C0 = frozenset({
    "cp1252", "iso8859-15", "cp1250", "iso8859-2", "cp1251", "koi8-r", "koi8-u", "cp1253",
    "iso8859-7", "cp1254", "cp1255", "iso8859-8", "cp1257",
})  # fmt: skip
"""Alphabets with hardly a letter below 0xC0: no word in them is valid UTF-8 by chance."""

_NO_CHANCE = 6
"""A text with so many characters outside ASCII is not valid UTF-8 by chance.

A short word in Thai, in Chinese, or in the charsets of DOS may be.
"""

_SOUND_ONES = 5
"""Sound characters for each damaged one that make a text UTF-8, whatever it claims."""

_SEVERAL_BYTES = frozenset({
    "utf-7", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "hz", "big5hkscs", "cp932", "euc-jp",
    "iso2022-jp-ext", "iso2022-jp-2", "iso2022-jp-2004", "cp949", "iso2022-kr",
})  # fmt: skip
"""Codecs in which a character may take several bytes."""

_JIS = b"\x1b$B"
"""The change to the characters of JIS, which shows ISO-2022-JP: Japanese programs claim nothing."""

_UTF_8, _LATIN = "utf-8", "cp1252"

_DAMAGED = "\ufffd"


def decode_charset(data: bytes, charset: str = "") -> str:
    """Return `data` as text in the claimed charset, or in another one that is evidently right.

    Claims are often false. Valid UTF-8 of several bytes a character is hardly ever anything else,
    and a claim that almost fits is right except for a few damaged bytes. Bytes that are no
    character become U+FFFD. ASCII and unknown charsets count as UTF-8. Text that claims to be
    UTF-8, but has more bytes that are not, is Windows-1252. The result has no lone surrogates,
    but may have any other character; `clean` makes it fit to be read.
    """
    codec = _CODECS.get(charset.strip().lower().replace("_", "-")) if charset else _UTF_8
    if codec is None or codec == _UTF_8:
        if not data.isascii():
            return _utf8_or_latin(data)
        return data.decode() if _JIS not in data else data.decode("iso2022-jp-ext", "replace")
    if not data.isascii():
        least = 1 if codec in _LETTERS_ABOVE_C0 else _NO_CHANCE
        text, sound, damaged = _as_utf8(data)
        if sound >= max(least, damaged * _SOUND_ONES):
            return text
    return _by_several_bytes(data, codec) if codec in _SEVERAL_BYTES else _by_table(data, codec)


def _utf8_or_latin(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        text, sound, damaged = _as_utf8(data)
        return text if sound >= damaged else _by_table(data, _LATIN)


def _as_utf8(data: bytes) -> tuple[str, int, int]:
    """Return `data` as UTF-8, and the numbers of its sound and of its damaged characters.

    Characters of ASCII do not count, because they are the same in most charsets.
    """
    text = data.decode(errors="replace")
    damaged = text.count(_DAMAGED)
    return text, len(text) - len(text.encode("ascii", "ignore")) - damaged, damaged


@cache
def _table(codec: str) -> str:
    """Return the characters of the 256 bytes in a charset of one byte a character."""
    return "".join(bytes([byte]).decode(codec, "replace") for byte in range(256))


def _by_table(data: bytes, codec: str) -> str:
    # The codec itself calls back for each undefined byte, which costs a hundred times as much.
    return codecs.charmap_decode(data, "strict", _table(codec))[0]


def _by_several_bytes(data: bytes, codec: str) -> str:
    # Every line end and every Latin letter has a NUL in UTF-16; without one, the claim is false.
    if codec.startswith("utf-16") and b"\0" not in data:
        return _utf8_or_latin(data)
    if codec != "utf-7":
        return data.decode(codec, "replace")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        # Much fits UTF-7 by chance, up to its first "+".
        return _utf8_or_latin(data)
    # Only this decoder lets lone surrogates pass; no database and no mail accepts them.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


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


def _from_base64(data: bytes) -> bytes:
    """Return the bytes that `data` encodes, up to a footer; other characters are skipped.

    Padding may be missing at the end, and there may be some between pieces encoded apart.
    """
    footer = _FOOTER.search(data)
    digits = data[: footer.start() if footer else None].translate(None, _NOT_BASE64)
    return b"".join(map(_from_digits, digits.split(b"=", _SEGMENTS)[:_SEGMENTS]))


def _from_digits(digits: bytes) -> bytes:
    # A single last digit is six bits, not a byte; binascii refuses data without padding.
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


# White space behind a soft line break is from a host on the way (RFC 2045, 6.7, rule 3).
_SOFT_BREAK = re.compile(rb"=[ \t]++(?=\r?\n|\Z)")


def _from_quoted_printable(data: bytes) -> bytes:
    """Return the bytes that `data` encodes; an invalid escape stays as it is."""
    return binascii.a2b_qp(_SOFT_BREAK.sub(b"=", data))


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": _from_base64,
    "quoted-printable": _from_quoted_printable,
}


def decode_transfer(data: bytes, encoding: str) -> bytes:
    """Return the decoded bytes of a part; bytes in an unknown encoding stay as they are."""
    decoder = _DECODERS.get(encoding.strip().lower())
    return decoder(data) if decoder else data


_DATA = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
"""The type id-data of CMS, above the octets that an opaque signature signs (RFC 5652, 5.2)."""

_OCTETS = b"\x04"

_HOLDS_OCTETS = (_OCTETS, b"\x24", b"\xa0")
"""The tags of octets, of octets in pieces, and of what holds either."""


def signed_content(data: bytes) -> bytes:
    """Return the part that is signed within `data`, a CMS message in DER or BER, or b""."""
    rest, at = data.partition(_DATA)[2], 0
    pieces: list[bytes] = []
    for _ in range(_SEGMENTS):
        tag, size = rest[at : at + 1], rest[at + 1 : at + 2]
        if tag not in _HOLDS_OCTETS or not size:
            break
        more = max(size[0] - 0x80, 0)  # a long length takes so many bytes
        length = int.from_bytes(rest[at + 2 : at + 2 + more] if more else size, "big")
        at += 2 + more
        if tag == _OCTETS:
            pieces.append(rest[at : at + length])
            at += length
    return b"".join(pieces)


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
        return _from_base64(data)
    return binascii.a2b_qp(data, header=True)
