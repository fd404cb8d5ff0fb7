"""The mails of 1 MiB that cost most to read, as far as they were found.

`python -m tests.mail.reading.worst_mails` measures each of them, most costly first. Who finds a
worse one adds it here. test_worst_mails.py holds all of them to a bound.
"""

import base64
import time
from collections.abc import Callable, Iterator
from functools import partial

from pbm.domain.mail import ReceivedMail
from pbm.mail.reading import limits
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, NOON, letter

_ROOM = limits.MAIL - 4000
"""What the headers of mail and parts leave of it."""

HTML = [
    *("<a>", "<p>x", "<p> ", "<br>", "<", "a<b>c</b>", "<b a='x'>", "&lsaquo;", "&#9;", "<i"),
    *("<!-- -->x", "<blockquote>x</blockquote>x", "\u200b", "\u2028", "\u00d8\x00", "x ", "\t"),
    *("<a class='a b c d e f g h i j k l m n'>", "<p style='display:none'>", "<a '"),
    *("<div class=gmail_quote>", "<div class=gmail_quote></div>", "<div class=x id="),
    *("wrote:\u65e5<p> class=gmail_quote", '"\u00e9From: a\nSent: b\n\n</div>a\n'),
]

PLAIN = [
    *("a\n", "\n", "a:\n", "> a\n", "On 1 a@b\n", "From:\n", "-- x\n", "a@b 1 wrote\n"),
    *("pbm@games.example.org\n", "<pbm@games.example.org>:\n> \n", "18:02\n18:02\nx@y\n> b\n"),
    *("Von: x\n", "a\n> b\n", "13 . . 13\n11 . . 11\n", "Sent from my x\n\n", "| a\n"),
    *("Gonnect 104:\n", "On 1 a@b\nschrieb ", "[a 1] a - b x\n", "---- a ----\n", "[EXT]\n"),
    *("\u200b", "\u2028", "\u00e9\x01", "\x01", "> a \n", "a \n"),
]

TRANSFERRED = ("=", "=\n", "!", "A=", "= ", "= \t", "=4", "=\r", " ", "A", "\n", "\nA", "AAA=")

CHARSETS = {
    "utf-7": (b"\xff", b"+AB", b"+2AA-"),
    "utf-16": (b"\xd8\x00", b"\x00\xd8"),
    "iso-2022-jp": (b"\xff", b"\x1b$B!!", b"\xd8\x00"),
    "gb18030": (b"\xff", b"\x81\x30"),
    "hz": (b"~{", b"~"),
    "cp866": (b"\xa4\xff", b"\xd8\x00"),
    "windows-1252": (b"\x81", b"\x81\x30", b"\xe2\x80"),
    "utf-8": (b"\xff", b"\xe2\x80", b"\xc3\xa9\xff"),
}

LINES = [
    *(b"\n--b", b"\n--bb", b"--b\n", b"\n--b ", b"\n--", b"-"),
    *(b"\n--bbbbbbbbbb", b"\n--bbbbbbbbbbX"),
]

HEADERS = [
    *(b"a:\n", b"X: y\n", b"To: pbm+a@games.example.org\n", b"Subject: =?utf-8?q?=41?=\n"),
    *(b"Content-Type: text/plain; a*0=b; a*1=c\n", b"Content-Type: multipart/mixed\n"),
    *(b"From: (((\n", b"Precedence: x\n", b"Auto-Submitted: no\n"),
    b"Content-Type: text/plain" + b";a=b" * 10_000 + b"\n",
]


def _parts(head: str, pattern: bytes, count: int) -> bytes:
    """Return a mail of `count` parts with this header that repeat `pattern`."""
    part = f"--b\n{head}\n\n".encode()
    room = _ROOM // count - len(part) - 1
    body = (part + (pattern * (room // len(pattern) + 1))[:room] + b"\n") * count
    return letter("Content-Type: multipart/mixed; boundary=b", body=body)


def _headers(pattern: bytes) -> bytes:
    head = pattern * ((limits.HEADERS - 1000) // len(pattern))
    return b"From: bob@example.net\n" + head + b"\nD4\n"


def _headers_of_parts(pattern: bytes) -> bytes:
    part = b"--b\n" + pattern * (60_000 // len(pattern)) + b"\nD4\n"
    return letter("Content-Type: multipart/mixed; boundary=b", body=part * 17)


def _nested(pattern: bytes) -> bytes:
    """Return a mail of multiparts whose boundaries begin one another."""
    marks = ["b" * length for length in range(limits.DEPTH, 0, -1)]
    heads = "".join(f"Content-Type: multipart/mixed; boundary={m}\n\n--{m}\n" for m in marks)
    return f"From: bob@example.net\n{heads}\n".encode() + pattern * (limits.MAIL // len(pattern))


def _of_texts() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for kind, patterns in (("html", HTML), ("plain", PLAIN)):
        head = f"Content-Type: text/{kind}"
        for pattern in patterns:
            yield f"48 {kind} {pattern!r}", partial(_parts, head, pattern.encode(), 48)
            coded = f"{head}\nContent-Transfer-Encoding: base64"
            digits = base64.b64encode(pattern.encode() * 3)
            yield f"base64 {kind} {pattern!r}", partial(_parts, coded, digits, 1)


def _of_machines() -> Iterator[tuple[str, Callable[[], bytes]]]:
    head = "Content-Type: text/calendar\nContent-Transfer-Encoding: base64"
    yield "calendars", partial(_parts, head, base64.b64encode(b"\nMETHOD:\n"), 48)
    head = "Content-Type: application/ms-tnef"
    yield "wrapped by Exchange", partial(_parts, head, b"IPM.Note.Rules.Oo", 48)
    yield "a challenge", partial(_challenge, b"<p>x.boxbe.co/")


def _challenge(pattern: bytes) -> bytes:
    head = "Content-Type: text/html\nContent-Transfer-Encoding: base64"
    content = _parts(head, base64.b64encode(pattern), 1)
    return b"Subject: x (Action Required)\n" + content


def _of_bytes() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for encoding in ("base64", "quoted-printable"):
        head = f"Content-Type: text/html\nContent-Transfer-Encoding: {encoding}"
        for text in TRANSFERRED:
            yield f"{encoding} {text!r}", partial(_parts, head, text.encode(), 1)
    for charset, patterns in CHARSETS.items():
        for kind in ("plain", "html"):
            head = f"Content-Type: text/{kind}; charset={charset}"
            for pattern in patterns:
                name = f"{charset} {kind} {pattern!r}"
                yield name, partial(_parts, head, pattern, 1)


def _of_structure() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for pattern in LINES:
        yield f"one deep {pattern!r}", partial(_parts, "", pattern, 1)
        yield f"ten deep {pattern!r}", partial(_nested, pattern)
    for pattern in HEADERS:
        yield f"headers of parts {pattern!r}", partial(_headers_of_parts, pattern)
        yield f"headers {pattern!r}", partial(_headers, pattern)


def worst_mails() -> dict[str, Callable[[], bytes]]:
    """Return what makes each of the mails, by what is in them."""
    return {
        **dict(_of_texts()),
        **dict(_of_bytes()),
        **dict(_of_machines()),
        **dict(_of_structure()),
    }


def cost(content: bytes) -> float:
    """Return the seconds of processor time that this mail takes to read."""
    mail = ReceivedMail("bob@example.net", (ADDRESS,), content[: limits.MAIL], NOON)
    began = time.process_time()
    read(mail, ADDRESS)
    return time.process_time() - began


if __name__ == "__main__":
    measured = {name: min(cost(make()) for _ in range(3)) for name, make in worst_mails().items()}
    for name, seconds in sorted(measured.items(), key=lambda item: -item[1])[:30]:
        print(f"{seconds * 1000:6.1f} ms  {name}")
