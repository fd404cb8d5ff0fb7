"""Whatever comes in is read as a mail, and what was read holds nothing harmful."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.cli.printing import mask
from pbm.domain.mail import IncomingMail
from pbm.mail.reading.incoming import content_key, read
from tests.mail.reading.received import ADDRESS, received

LETTERS = [path.read_bytes() for path in (Path(__file__).parent / "letters").glob("*.eml")]
FRAGMENTS = [
    b"Content-Type: text/html\n",
    b"Content-Type: multipart/mixed; boundary=b\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"From: a@b\n",
    b"Subject: =?utf-8?b?4pi6?=\n",
    b"Message-ID: <a@b>\n",
    b"To: pbm+abc@games.example.org\n",
    b"; charset=utf-16",
    b"; charset=iso-2022-jp",
    b"; charset=utf-7",
    b"; charset*0*=utf-8''koi; charset*1*=8%2Dr",
    b"; boundary*0=b",
    b"+2AA-",
    b"Content-Type: text/calendar; method=REPLY\n",
    b"Content-Disposition: inline; filename=a\n",
    b"; format=flowed; delsp=yes",
    b"--b\n",
    b"--b--\n",
    b"<blockquote>",
    b"<!--",
    b"&#",
    b"\n\n",
    b"\n ",
    b"> ",
    b"-- \n",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"=?",
    b'"',
    b"(",
    b"<",
]


def check(content: bytes, sender: str = "bob@example.net") -> None:
    mail = received(content, sender, (sender, ""))
    incoming = read(mail, ADDRESS)
    assert harmless(incoming)
    assert incoming.silence or incoming.author
    assert not (incoming.silence and incoming.lines)
    key = content_key(mail)
    assert key is None or len(key) == 64
    mask(content.decode("latin-1"))


def harmless(mail: IncomingMail) -> bool:
    """Return whether each of these texts can be stored, and shown on one line."""
    texts = [mail.subject, *mail.lines, mail.author or "", mail.message_id or "", *mail.plus_words]
    "".join(texts).encode()
    return not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in "".join(texts))


@given(st.binary(max_size=400), st.text(max_size=20))
def test_any_bytes_are_a_mail(content: bytes, sender: str) -> None:
    check(content, sender)


@given(st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=8), max_size=25))
def test_any_pieces_of_mails_are_a_mail(pieces: list[bytes]) -> None:
    check(b"".join(pieces))


@given(st.sampled_from(LETTERS), st.data())
@settings(max_examples=100)
def test_a_letter_that_was_damaged_on_its_way_is_a_mail(letter: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(letter)))
        end = start + data.draw(st.integers(0, 60))
        piece = data.draw(st.sampled_from(FRAGMENTS) | st.binary(max_size=6))
        letter = letter[:start] + piece + letter[end:]
    check(letter)


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "7bit"])
@pytest.mark.parametrize("kind", ["plain", "html", "plain; format=flowed"])
@given(body=st.text(alphabet="<>/&#;ab= \n\t-_:@>1\u2028\u200b\x1b", max_size=80))
@settings(max_examples=40)
def test_any_text_in_any_dress_is_a_mail(encoding: str, kind: str, body: str) -> None:
    head = f"From: a@b\nContent-Type: text/{kind}\nContent-Transfer-Encoding: {encoding}\n\n"
    check(f"{head}{body}".encode())


def test_line_ends_of_other_systems_are_read_too() -> None:
    content = b"From: bob@example.net\nSubject: show 1\n\nD4\nhello\n"
    for end in (b"\n", b"\r\n"):
        mail = received(b"")
        raw = type(mail)(mail.sender, (), content.replace(b"\n", end), mail.received_at)
        assert read(raw, ADDRESS).lines == (("D4", "hello"))
