"""Our reader of headers and parts, compared with the parser of the standard library.

Both see the same in a sound mail; ours exists for mails that are not sound.
"""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from pbm.mail.reading import mime
from pbm.mail.reading.decoding import decode_transfer, one_line
from pbm.mail.reading.mime import read_headers
from tests.mail.reading.received import received
from tests.tables import each

LETTERS = sorted((Path(__file__).parent / "letters").glob("*.eml"))


def leaves(part: mime.Part) -> Iterator[tuple[str, bytes]]:
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


@each("path", LETTERS, ids=lambda path: path.stem)
def test_headers_and_parts_of_a_sound_mail_are_those_of_the_standard_parser(path: Path) -> None:
    content = received(path.read_bytes()).content
    message = message_from_bytes(content)
    headers, body_at = read_headers(content)
    assert {name.encode().lower() for name in message} == set(headers.fields)
    for name in message:
        assert headers.first(name) == one_line(str(message[name]))
    found = list(leaves(mime.parse(headers, content[body_at:])))
    assert found == list(standard_leaves(message))
