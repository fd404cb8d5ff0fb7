"""One header, body or address in each row of tables/*.txt, by the reader in its title."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm.domain.mail import IncomingMail, ReceivedMail
from pbm.mail.reading.incoming import read
from pbm.mail.reading.mime import parameters
from pbm.mail.reading.sender import sole_address
from pbm.mail.reading.trimming import own_lines
from tests.mail.reading.received import (
    ADDRESS,
    BOUNCES,
    NOON,
    a_report,
    letter,
    lines_of,
    multipart,
    reading,
    received,
)  # fmt: skip
from tests.readings import answers, sections

TABLES = {
    f"{path.stem}, {title}": (title.partition(": ")[0], table)
    for path in sorted((Path(__file__).parent / "tables").glob("*.txt"))
    for title, table in sections(path).items()
}


def lines(headers: str, body: str | bytes) -> str:
    return lines_of(reading(letter(headers, body=body)).lines)


def charset(label: str, text: str) -> str:
    # As base64, because an encoding of several bytes may hold what looks like a line end.
    coded = base64.encodebytes(text.encode("latin-1"))
    label = f"Content-Type: text/plain; charset={label}"
    return lines(f"{label}\nContent-Transfer-Encoding: base64", coded)


def transfer(encoding: str, text: str) -> str:
    """Return the first line of what is in this encoding."""
    found = lines(f"Content-Transfer-Encoding: {encoding}", text.encode("latin-1"))
    return found.partition("\n")[0]


def parts(kind: str, *each: str) -> str:
    found = reading(letter(multipart(*each, kind=kind))).lines
    return " ".join(filter(None, found)) or "nothing"


def author(head: str) -> str:
    content = head.encode() + b"\r\nD4\r\n"
    mail = read(ReceivedMail("bob@example.net", (ADDRESS,), content, NOON), ADDRESS)
    return mail.author or str(mail.silence)


def message_id(field: str) -> str:
    return str(reading(f"Message-ID: {field}\n\n").message_id)


def words(*places: str) -> str:
    """Return the words behind "+" in these headers, or in these addresses of the envelope."""
    headers = [place for place in places if ": " in place]
    envelope = tuple(place for place in places if ": " not in place)
    found = read(received(letter(*headers), recipients=envelope), ADDRESS).plus_words
    return " ".join(found) or "none"


def parameters_of(field: str) -> str:
    found = sorted(parameters(field).items())
    return ", ".join(f"{name}={value}" for name, value in found) or "none"


def checked(*headers: str) -> IncomingMail:
    return read(received(letter(*headers)), ADDRESS, "mx.example.org")


def proof(*fields: str) -> str:
    mail = checked(*(f"Authentication-Results: {field}" for field in fields if field))
    return mail.silence or ("proven" if mail.authenticated else "unproven")


def network(*fields: str) -> str:
    return checked(*(f"Received: {field}" for field in fields if field)).network or "none"


def silence(mail: IncomingMail) -> str:
    return mail.silence or "is read"


def to(*recipients: str) -> str:
    return silence(read(received(letter(), recipients=recipients), ADDRESS))


def calendar(method: str) -> str:
    """Return whether an answer of a calendar is read, wherever its method is."""
    entry = f"BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:{method}\nEND:VCALENDAR\n"
    named = f"Content-Type: text/calendar; method={method}\n\nBEGIN:VCALENDAR\n"
    unnamed = f"Content-Type: text/calendar\n\n{entry}"
    alone = letter("Content-Type: text/calendar; charset=utf-8", body=entry)
    mails = [letter(multipart("\nD4\n", part, kind="alternative")) for part in (named, unnamed)]
    return " ".join({silence(reading(mail)) for mail in (alone, *mails)})


def wrapped(message_class: str) -> str:
    """Return whether a mail of this class is read that Exchange has wrapped, alone or not."""
    data = b"\x78\x9f\x3e\x22\x00\x00\x01\x08\x80\x07\x00" + message_class.encode() + b"\x00"
    found = set()
    for kind in ("application/ms-tnef", "application/vnd.ms-tnef"):
        part = (
            f"Content-Type: {kind}; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
            f"{base64.encodebytes(data).decode()}"
        )
        found |= {silence(reading(letter(part))), silence(reading(letter(multipart("\nD4", part))))}
    return " ".join(found)


def report(*groups: str, text: str = "") -> str:
    found = read(received(a_report(*groups, text=text), "<>", (BOUNCES,)), ADDRESS).report
    return (found.status or "unknown") if found else "no report"


READERS: dict[str, Callable[..., object]] = {
    "charset": charset,
    "transfer": transfer,
    "flowed": lambda kind, text: lines(f"Content-Type: text/plain; {kind}", text),
    "html": lambda source: lines("Content-Type: text/html; charset=utf-8", source),
    "type": lambda kind, text: lines(f"Content-Type: {kind}", text),
    "parts": parts,
    "parameters": parameters_of,
    "address": sole_address,
    "author": author,
    "subject": lambda field: reading(letter(f"Subject: {field}")).subject or "nothing",
    "message-id": message_id,
    "words": words,
    "proof": proof,
    "network": network,
    "header": lambda header: silence(reading(letter(header))),
    "envelope": lambda sender: silence(reading(letter(), sender)),
    "to": to,
    "from": lambda field: silence(reading(f"From: {field}\nMessage-ID: <1@example.net>\n\nD4\n")),
    "own": lambda text: lines_of(own_lines(text, ADDRESS)),
    "calendar": calendar,
    "wrapped": wrapped,
    "report": report,
    "notice": lambda group, text="": report(group, text=text),
}


@pytest.mark.parametrize("title", TABLES)
def test_each_row_is_read_as_the_table_says(title: str) -> None:
    reader, table = TABLES[title]
    assert all("-> " in line or line.startswith("#") for line in table.splitlines() if line)
    assert answers(table, READERS[reader]) == table


def test_every_reader_has_a_table() -> None:
    assert {reader for reader, _ in TABLES.values()} == set(READERS)
