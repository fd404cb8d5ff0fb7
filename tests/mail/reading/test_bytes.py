"""From bytes to characters: transfer encodings, charsets, and false claims of both."""

import base64

from tests.mail.reading.received import letter, reading
from tests.tables import each


def lines(*headers: str, body: str | bytes) -> tuple[str, ...]:
    return reading(letter(*headers, body=body)).lines


def text(charset: str, body: bytes) -> str:
    """Return the one line that is read of `body`, which claims this charset."""
    # As base64, because an encoding of several bytes may hold what looks like a line end.
    headers = f"Content-Type: text/plain; charset={charset}", "Content-Transfer-Encoding: base64"
    (line,) = lines(*headers, body=base64.encodebytes(body))
    return line


GERMAN, FRENCH = "D4 Gr\u00fc\u00dfe", "D4 \u201cd\u00e9j\u00e0\u201d \u2013 no\u00ebl"
POLISH, GREEK = "D4 za\u017c\u00f3\u0142\u0107", "D4 \u03ba\u03b1\u03bb\u03ae"
RUSSIAN, UKRAINIAN = "D4 \u043f\u0440\u0438\u0432\u0435\u0442", "D4 \u0457\u0436\u0430\u043a"
HEBREW, ARABIC = "D4 \u05e9\u05dc\u05d5\u05dd", "D4 \u0633\u0644\u0627\u0645"
CHINESE, TAIWANESE = "D4 \u4f60\u597d", "D4 \u4f60\u597d\u55ce"
JAPANESE, KOREAN = "D4 \u3053\u3093\u306b\u3061\u306f", "D4 \uc548\ub155"
THAI, TURKISH, VIETNAMESE = (
    "D4 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "D4 g\u00fcne\u015f",
    "D4 \u0110\u00e0",
)
KATAKANA = "D4 \uff71\uff72"

CHARSETS = [
    ("utf-8", "utf-8", RUSSIAN),
    ("UTF8", "utf-8", RUSSIAN),
    ("utf8mb4", "utf-8", RUSSIAN),
    ("iso-8859-1", "latin-1", GERMAN),
    ("latin1", "latin-1", GERMAN),
    ("windows-1252", "cp1252", FRENCH),
    ("iso-8859-1", "cp1252", FRENCH),
    ("iso-8859-2", "iso8859-2", POLISH),
    ("windows-1250", "cp1250", POLISH),
    ("cp852", "cp852", POLISH),
    ("iso-8859-5", "iso8859-5", RUSSIAN),
    ("iso-8859-7", "iso8859-7", GREEK),
    ("windows-1253", "cp1253", GREEK),
    ("iso-8859-8-i", "iso8859-8", HEBREW),
    ("windows-1255", "cp1255", HEBREW),
    ("iso-8859-6", "iso8859-6", ARABIC),
    ("windows-1256", "cp1256", ARABIC),
    ("iso-8859-9", "iso8859-9", TURKISH),
    ("windows-1254", "cp1254", TURKISH),
    ("iso-8859-15", "iso8859-15", GERMAN),
    ("windows-1257", "cp1257", "D4 \u0161i\u0173"),
    ("windows-1258", "cp1258", VIETNAMESE),
    ("koi8-r", "koi8-r", RUSSIAN),
    ("koi8-u", "koi8-u", UKRAINIAN),
    ("windows-1251", "cp1251", RUSSIAN),
    ("cp866", "cp866", RUSSIAN),
    ("ibm866", "cp866", "D4 \u0440\u0430\u0431"),  # By chance valid UTF-8.
    ("x-mac-cyrillic", "mac-cyrillic", RUSSIAN),
    ("macintosh", "mac-roman", GERMAN),
    ("cp-850", "cp850", GERMAN),
    ("ibm850", "cp850", GERMAN),
    ("cp437", "cp437", GERMAN),
    ("windows-874", "cp874", THAI),
    ("tis-620", "cp874", THAI),
    ("gb2312", "gb2312", CHINESE),
    ("gb2312", "gb18030", "D4 \u9555 \u20ac"),
    ("gb_2312-80", "gb2312", CHINESE),
    ("gbk", "gbk", CHINESE),
    ("gb2312", "gbk", "D4 \u8054\u901a"),  # By chance valid UTF-8, which made Notepad famous.
    ("hz-gb-2312", "hz", CHINESE),
    ("big5", "big5", TAIWANESE),
    ("shift_jis", "cp932", JAPANESE),
    ("euc-jp", "euc-jp", JAPANESE),
    ("iso-2022-jp", "iso2022-jp", JAPANESE),
    ("iso-2022-jp", "iso2022-jp-ext", KATAKANA),
    ("iso-2022-jp-1", "iso2022-jp-1", JAPANESE),
    ("iso-2022-jp-2", "iso2022-jp-2", JAPANESE),
    ("iso-2022-jp-3", "iso2022-jp-3", JAPANESE),
    ("cp50220", "iso2022-jp", JAPANESE),
    ("euc-kr", "euc-kr", KOREAN),
    ("ks_c_5601-1987", "cp949", KOREAN),
    ("iso-2022-kr", "iso2022-kr", KOREAN),
    ("utf-7", "utf-7", CHINESE),
    ("unicode-1-1-utf-7", "utf-7", CHINESE),
    ("utf-16", "utf-16", RUSSIAN),
    ("utf-16le", "utf-16-le", RUSSIAN),
    ("utf-16be", "utf-16-be", RUSSIAN),
]


@each(("charset", "codec", "said"), CHARSETS)
def test_a_text_is_read_in_the_charset_that_it_claims(charset: str, codec: str, said: str) -> None:
    assert text(charset, said.encode(codec)) == said


@each(
    ("charset", "codec"),
    [
        ('"utf-8"', "utf-8"),
        ("us-ascii", "latin-1"),
        ("us-ascii", "utf-8"),
        ("ansi_x3.4-1968", "utf-8"),
        ("x-unknown", "utf-8"),
        ("x-unknown", "latin-1"),
        ("unknown-8bit", "utf-8"),
        ("utf-8", "latin-1"),
        ("", "utf-8"),
        ("utf-16", "utf-8"),
        ("utf-16", "ascii"),
        ("utf-7", "utf-8"),
        ("iso-2022-jp", "utf-8"),
        ("idna", "utf-8"),
        ("punycode", "utf-8"),
        ("zlib", "utf-8"),
        ("unicode_escape", "utf-8"),
        ("\x00", "utf-8"),
    ],
)
def test_the_charset_is_believed_only_if_it_is_known_and_fits(charset: str, codec: str) -> None:
    header = f"Content-Type: text/plain; charset={charset}"
    said = (
        "D4 Gr\u00fc\u00dfe, viele Gr\u00fc\u00dfe \u00e0 \u00fc" if codec != "ascii" else "D4 only"
    )
    assert lines(header, body=said.encode(codec)) == (said,)


@each(
    ("charset", "said"),
    [
        *[(charset, FRENCH) for charset in ("iso-8859-1", "us-ascii", "windows-1252")],
        ("iso-8859-15", "D4 5 \u20ac"),
        ("iso-8859-2", POLISH),
        ("windows-1250", POLISH),
        ("koi8-r", RUSSIAN),
        ("koi8-u", UKRAINIAN),
        ("windows-1251", RUSSIAN),
        ("iso-8859-7", GREEK),
        ("windows-1253", GREEK),
        ("windows-1254", TURKISH),
        ("windows-1255", HEBREW),
        ("iso-8859-8", HEBREW),
        ("windows-1257", POLISH),
        ("gb2312", "D4 \u6211\u4e0b\u5728\u4e2d\u95f4\u8fd9\u91cc"),
        ("cp866", RUSSIAN),
        ("windows-874", THAI),
    ],
)
def test_utf_8_under_a_wrong_label_is_read_as_what_it_is(charset: str, said: str) -> None:
    assert text(charset, said.encode()) == said


@each(
    ("charset", "body", "said"),
    [
        ("utf-8", RUSSIAN.encode() + b" \xff", f"{RUSSIAN} \ufffd"),
        ("utf-8", RUSSIAN.encode()[:-1], f"{RUSSIAN[:-1]}\ufffd"),
        ("", f"{RUSSIAN} ".encode() + b"\xfe", f"{RUSSIAN} \ufffd"),
        ("windows-1252", FRENCH.encode() + b" \x81", f"{FRENCH} \ufffd"),
        ("windows-1252", b"D4 \x93yes\x94 \x81", "D4 \u201cyes\u201d \ufffd"),
        ("iso-8859-7", GREEK.encode("iso8859-7") + b"\xff", f"{GREEK}\ufffd"),
        ("shift_jis", JAPANESE.encode("cp932") + b" \x82", f"{JAPANESE} \ufffd"),
        ("gb2312", CHINESE.encode("gbk") + b" \xff", f"{CHINESE} \ufffd"),
        ("iso-2022-jp", JAPANESE.encode("iso2022-jp") + b"\xff", f"{JAPANESE}\ufffd"),
        # The circled digits of Windows, which ISO-2022-JP does not have.
        ("iso-2022-jp", b"D4 \x1b$B-!$3\x1b(B", "D4 \ufffd\u3053"),
    ],
)
def test_a_few_damaged_bytes_spoil_only_themselves(charset: str, body: bytes, said: str) -> None:
    assert text(charset, body) == said


@each(
    ("body", "read"),
    [
        (b"D4 +2AA-", ("D4 \ufffd",)),
        (b"D4 +3AA-x", ("D4 \ufffdx",)),
        (b"D4 +AAo-hello", ("D4", "hello")),
        (b"D4 +AAoAPg- quoted", ("D4",)),
        (b"D4 +IAs-+AAAAGw-", ("D4",)),
        (b"A+B and 1+", ("A+B and 1+",)),
    ],
)
def test_what_utf_7_hides_is_cleaned_as_everything_else(body: bytes, read: tuple[str, ...]) -> None:
    assert lines("Content-Type: text/plain; charset=utf-7", body=body) == read


def test_a_subject_in_utf_7_stays_on_one_line_and_brings_no_address() -> None:
    subject = "Subject: =?utf-7?q?a+AA0ACg-Bcc:_x?="
    mail = reading(letter(subject, "X: =?utf-7?q?+AAo-From:_eve=40example.org?="))
    assert (mail.subject, mail.author) == ("a Bcc: x", "bob@example.net")


@each(
    ("encoding", "body", "read"),
    [
        ("base64", base64.encodebytes(b"move 1 c3\n" * 20), "move 1 c3"),
        ("BASE64 ", b"RDQ=", "D4"),
        ("base64", b"RDQ", "D4"),
        ("base64", b"R D\n\nQ=\n-- \nfooter of some server", "D4"),
        ("base64", b"RDQg\n_____________\nA list\nhttp://example.org", "D4"),
        ("base64", b"RDQg\nThe list, a footer", "D4"),
        ("base64", b"RDQ=\nIGM=\nMw==\n", "D4 c3"),
        ("base64", b"RA==NA==", "D4"),
        ("base64", b"RDQgY", "D4"),
        ("base64", b"\xff\x00R!DQ", "D4"),
        ("quoted-printable", b"move=201=\n c3", "move 1 c3"),
        ("quoted-printable", b"move=201=  \t\n c3", "move 1 c3"),
        ("quoted-printable", b"move 1 c=", "move 1 c"),
        ("quoted-printable", b"move 1 c=  ", "move 1 c"),
        ("quoted-printable", b"gr=c3=bc=C3=9f", "gr\u00fc\u00df"),
        ("quoted-printable", b"=44=34=ZZ=", "D4=ZZ"),
        ("8bit", b"D4", "D4"),
        ("x-unknown", b"D4", "D4"),
        ("", b"D4", "D4"),
    ],
)
def test_transfer_encodings_are_undone_as_far_as_they_go(
    encoding: str, body: bytes, read: str
) -> None:
    assert lines(f"Content-Transfer-Encoding: {encoding}", body=body)[0] == read
