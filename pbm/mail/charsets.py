"""Bytes to characters, whatever charset a mail claims to be in."""

_CLAIMS = {
    # What calls itself Latin-1 and holds quotation marks or dashes is Windows-1252.
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
# Python's own look-up is not asked: it knows codecs that no mail is in and that take quadratic
# time ("punycode"), and it remembers every unknown name that a stranger makes up.
_CODECS = {claim: codec for codec, claims in _CLAIMS.items() for claim in claims.split()}


def decode(data: bytes, charset: str = "") -> str:
    """Return `data` as text: in the charset that is claimed, else UTF-8, else Latin-1.

    Latin-1 is read as Windows-1252 where it can be, which has letters in place of controls.
    """
    claimed = _CODECS.get(charset.strip().lower().replace("_", "-"), "utf-8")
    for codec in (claimed, "utf-8", "cp1252"):
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
