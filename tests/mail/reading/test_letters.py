"""Mails of common clients, as they are read.

Each `letters/NAME.eml` has a `NAME.txt` beside it: the subject, a blank line, and the lines
that the sender wrote. To test another client, add another pair.
"""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from pbm.mail.reading import mime
from pbm.mail.reading.decoding import decode_transfer, one_line
from tests.mail.reading.received import reading, received

LETTERS = sorted((Path(__file__).parent / "letters").glob("*.eml"))


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_a_letter_is_read_as_its_sender_meant_it(path: Path) -> None:
    mail = reading(path.read_bytes())
    subject, _, text = path.with_suffix(".txt").read_text(encoding="utf-8").partition("\n\n")
    assert (mail.subject, "\n".join(mail.lines)) == (subject, text.removesuffix("\n"))
    assert (mail.author, mail.silence) == ("bob@example.net", None)
    assert mail.plus_words == ("k3v9qd7xw2mz4t8hc6yfa5rn1e",)


def leaves(part: mime.MimePart) -> Iterator[tuple[str, bytes]]:
    if not part.parts:
        encoding = part.headers.first("Content-Transfer-Encoding")
        yield part.type, decode_transfer(part.content, encoding)
    for inner in part.parts:
        yield from leaves(inner)


def standard_leaves(message: Message) -> Iterator[tuple[str, bytes]]:
    for part in message.walk():
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield part.get_content_type(), payload


def test_headers_and_parts_of_a_sound_mail_are_those_of_the_standard_parser() -> None:
    """Our reader exists for mails that are not sound."""
    for path in LETTERS:
        content = received(path.read_bytes()).content
        message = message_from_bytes(content)
        headers, body_at = mime.read_headers(content)
        assert {name.encode().lower() for name in message} == set(headers.fields)
        for name in message:
            assert headers.first(name) == one_line(str(message[name])), path
        found = list(leaves(mime.parse(headers, content[body_at:])))
        assert found == list(standard_leaves(message)), path
