"""From the bytes of a text to its characters, by the charset that it claims, or a better guess.

Claims are often false. Two rules tell a false one: valid UTF-8 of several bytes a character is
hardly ever anything else, and a claim that almost fits is right but for a few damaged bytes.
"""

import codecs
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

_LETTERS_ABOVE_C0 = frozenset(
    [
        "cp1252",
        "iso8859-15",
        "cp1250",
        "iso8859-2",
        "cp1251",
        "koi8-r",
        "koi8-u",
        "cp1253",
        "iso8859-7",
        "cp1254",
        "cp1255",
        "iso8859-8",
        "cp1257",
    ]
)
"""Alphabets that hardly have a letter below 0xC0, so that no word of theirs is valid UTF-8."""

_NO_CHANCE = 6
"""Characters outside ASCII after which a text in another charset is not UTF-8 by chance.

A short word in Thai, in Chinese, or in the charsets of DOS may be.
"""

_SOUND_ONES = 5
"""How many sound characters of UTF-8 to a damaged one make a text UTF-8 against its claim."""

_SEVERAL_BYTES = frozenset(
    [
        "utf-7",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "gb18030",
        "hz",
        "big5hkscs",
        "cp932",
        "euc-jp",
        "iso2022-jp-ext",
        "iso2022-jp-2",
        "iso2022-jp-2004",
        "cp949",
        "iso2022-kr",
    ]
)
"""Codecs in which a character may take several bytes."""

_UTF_8, _LATIN = "utf-8", "cp1252"

_DAMAGED = "\ufffd"


def decode_charset(data: bytes, charset: str = "") -> str:
    """Return `data` as text: in the claimed charset, unless it is evidently in another one.

    Bytes that are no character become U+FFFD. An unknown claim counts as UTF-8, and so does
    ASCII. Text that claims to be UTF-8, but holds more bytes that are not, is Windows-1252. The
    result has no lone surrogates; else it is as wild as `data`, and `clean` must see it.
    """
    codec = _CODECS.get(charset.strip().lower().replace("_", "-")) if charset else _UTF_8
    if codec is None or codec == _UTF_8:
        return data.decode() if data.isascii() else _utf8_or_latin(data)
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
    """Return `data` as UTF-8, and how many of its characters are sound, and damaged.

    Those of ASCII do not count, because they are the same in most charsets.
    """
    text = data.decode(errors="replace")
    damaged = text.count(_DAMAGED)
    return text, len(text) - len(text.encode("ascii", "ignore")) - damaged, damaged


@cache
def _table(codec: str) -> str:
    """Return what each of the 256 bytes is in a charset of one byte a character."""
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
        return _without_lone_surrogates(data.decode(codec))
    except UnicodeDecodeError:
        # Much fits UTF-7 by chance, up to its first "+".
        return _utf8_or_latin(data)


def _without_lone_surrogates(text: str) -> str:
    # UTF-7 is the one codec whose decoder lets them pass; no database and no mail takes them.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
