"""The mails of 1 MiB that cost most to read, as far as they were found, all have a bound.

`python -m tests.mail.reading.test_worst_mails` measures each of them, most costly first. If you
find a worse one, add it to worst_mails.txt.
"""

import base64
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.mail.reading import limits
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, NOON, letter
from tests.readings import rows, sections

_ROOM = limits.MAIL - 4000
"""The room that the headers of mail and parts leave."""

PIECES = {
    title: rows(table)
    for title, table in sections(Path(__file__).with_name("worst_mails.txt")).items()
}
LONG = "Content-Type: text/plain" + ";a=b" * 10_000 + "\n"

BOUND = 0.2
"""Seconds of processor time: twice what they may cost, because other work slows them down too."""


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
    for kind in ("html", "plain"):
        head = f"Content-Type: text/{kind}"
        for piece in PIECES[kind]:
            yield f"48 {kind} {piece!r}", partial(_parts, head, piece.encode(), 48)
            coded = f"{head}\nContent-Transfer-Encoding: base64"
            digits = base64.b64encode(piece.encode() * 3)
            yield f"base64 {kind} {piece!r}", partial(_parts, coded, digits, 1)


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
        for text in PIECES["transferred"]:
            yield f"{encoding} {text!r}", partial(_parts, head, text.encode(), 1)
    for title, pieces in PIECES.items():
        for kind in ("plain", "html") if title.startswith("charset ") else ():
            head = f"Content-Type: text/{kind}; charset={title.removeprefix('charset ')}"
            for piece in pieces:
                yield f"{title} {kind} {piece!r}", partial(_parts, head, piece.encode("latin-1"), 1)


def _of_structure() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for piece in PIECES["delimiters"]:
        yield f"one deep {piece!r}", partial(_parts, "", piece.encode(), 1)
        yield f"ten deep {piece!r}", partial(_nested, piece.encode())
    for piece in (*PIECES["headers"], LONG):
        yield f"headers of parts {piece[:99]!r}", partial(_headers_of_parts, piece.encode())
        yield f"headers {piece[:99]!r}", partial(_headers, piece.encode())


def worst_mails() -> dict[str, Callable[[], bytes]]:
    """Return what makes each of the mails, by what is in them."""
    return dict([*_of_texts(), *_of_bytes(), *_of_machines(), *_of_structure()])


def cost(content: bytes) -> float:
    """Return the seconds of processor time that this mail takes to read."""
    mail = ReceivedMail("bob@example.net", (ADDRESS,), content[: limits.MAIL], NOON)
    began = time.process_time()
    read(mail, ADDRESS)
    return time.process_time() - began


@pytest.mark.slow
def test_no_mail_of_a_mebibyte_costs_a_tenth_of_a_second() -> None:
    mails = worst_mails()
    once = [name for name, make in mails.items() if cost(make()) > BOUND]
    assert [name for name in once if min(cost(mails[name]()) for _ in range(5)) > BOUND] == []


if __name__ == "__main__":
    measured = {name: min(cost(make()) for _ in range(3)) for name, make in worst_mails().items()}
    for name, seconds in sorted(measured.items(), key=lambda item: -item[1])[:30]:
        print(f"{seconds * 1000:6.1f} ms  {name}")
