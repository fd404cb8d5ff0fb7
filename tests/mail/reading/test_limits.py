"""Mails that are made to cost time or memory, or to break the reader.

The processor time in these tests is no benchmark: without the guards, such a mail takes many
seconds or ends in a RecursionError.
"""

import encodings
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.cli.printing import mask
from pbm.mail.reading import limits
from pbm.mail.reading.decoding import decode_words
from pbm.mail.reading.incoming import content_key
from tests.mail.reading.received import letter, reading, received
from tests.readings import rows

MIXED = "Content-Type: multipart/mixed; boundary=b"


@pytest.fixture(autouse=True)
def _hardly_any_time() -> Iterator[None]:
    begun = time.process_time()
    yield
    assert time.process_time() - begun < 3


def nested(depth: int) -> str:
    """Return a text inside `depth` nested multiparts."""
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth)
    )
    return f"From: bob@example.net\n{heads}\nD4\n"


def with_parts(count: int) -> bytes:
    return letter(MIXED, body="--b\n\nD4\n" * count)


def test_multiparts_are_read_ten_deep() -> None:
    assert reading(nested(limits.DEPTH)).lines == ("D4",)


@pytest.mark.parametrize("depth", [limits.DEPTH + 1, 1000, 20_000])
def test_a_mail_of_more_multiparts_inside_one_another_has_no_text(depth: int) -> None:
    mail = reading(nested(depth))
    assert (mail.author, mail.lines, mail.silence) == ("bob@example.net", (), None)


def test_fifty_parts_are_read_the_whole_among_them() -> None:
    assert len(reading(with_parts(limits.PARTS - 1)).lines) == limits.PARTS - 1


@pytest.mark.parametrize("count", [limits.PARTS, 100_000])
def test_a_mail_of_more_parts_has_no_text(count: int) -> None:
    mail = reading(with_parts(count))
    assert (mail.author, mail.lines, mail.silence) == ("bob@example.net", (), None)


def test_parts_are_counted_over_all_multiparts() -> None:
    inner = "Content-Type: multipart/mixed; boundary=c\n\n" + "--c\n\nD4\n" * 20
    outer = letter(MIXED, body=f"--b\n{inner}\n" * 3)
    assert reading(outer).lines == ()


def test_the_text_of_a_mail_of_more_than_a_mebibyte_is_not_read_but_its_headers_are() -> None:
    mail = reading(letter("Subject: show 1", body=b"D4\n" + b"x" * limits.MAIL))
    assert (mail.author, mail.subject, mail.lines) == ("bob@example.net", "show 1", ())


@pytest.mark.parametrize("filler", ["X-A: b\n", "X-A:\n " + "a" * 70_000 + "\n", "a:\n"])
def test_a_mail_whose_headers_have_no_end_is_silenced(filler: str) -> None:
    headers = filler * (limits.HEADERS // len(filler) + 1)
    mail = received(f"From: bob@example.net\nMessage-ID: <a@b>\n{headers}\nD4\n")
    assert reading(mail.content.replace(b"\r", b"")).silence == "headers-too-long"
    assert content_key(mail) is None


def test_a_part_whose_headers_have_no_end_is_no_text() -> None:
    part = "--b\n" + "X-A: b\n" * 10_000 + "\nD4\n--b--\n"
    assert reading(letter(MIXED, body=part)).lines == ()


PATTERNS = rows((Path(__file__).parent / "patterns.txt").read_text("utf-8"))
BODIES = [
    "Content-Type: text/plain",
    "Content-Type: text/plain; format=flowed; delsp=yes",
    "Content-Type: text/html",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable",
    MIXED,
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_repetitive_text_costs_time(pattern: str) -> None:
    size = limits.MAIL // len(pattern.encode()) // 12
    for header in BODIES:
        assert reading(letter(header, body=pattern * size)).author == "bob@example.net"


def test_a_mail_of_too_many_lines_that_resemble_a_delimiter_has_no_text() -> None:
    for count, lines in ((limits.DELIMITERS - 10, ("D4",)), (limits.DELIMITERS, ())):
        body = "--bx\n" * count + "--b\n\nD4\n--b--\n"
        assert reading(letter(MIXED, body=body)).lines == lines


def test_headers_of_all_parts_together_have_a_limit() -> None:
    for size, lines in ((1000, ("D4",) * 40), (2000, ())):
        body = f"--b\nX: {'x' * size}\n\nD4\n" * 40
        assert reading(letter(MIXED, body=body)).lines == lines


def test_of_a_text_that_is_too_long_the_beginning_is_read() -> None:
    part = "--b\n\n" + "a line that is longer than most lines are\n" * (limits.TEXT // 126)
    mail = reading(letter(MIXED, body=part * 5))
    assert limits.TEXT // 2 < sum(map(len, mail.lines)) < limits.TEXT
    assert len(reading(letter(body="D4\n" * 20_000)).lines) == limits.LINES
    html = f"D4<!--{'x' * limits.HTML}-->resign"
    assert reading(letter("Content-Type: text/html", body=html)).lines == ("D4",)


def test_of_a_subject_that_is_too_long_the_beginning_is_read() -> None:
    assert reading(letter(f"Subject: {'a ' * 20_000}")).subject == ("a " * 1000).strip()


def test_encoded_words_that_do_not_end_cost_no_time() -> None:
    for pattern in ("=?a?q?x", "=?utf-8?q?", "=?", "=?a?q?x?= "):
        decode_words(pattern * 50_000)


@pytest.mark.parametrize("field", ["From", "To", "Subject", "Content-Type", "Message-ID", "List-X"])
def test_no_repetitive_header_costs_time(field: str) -> None:
    for pattern in PATTERNS:
        value = pattern.replace("\n", "\n ") * (60_000 // len(pattern.encode()) // 2)
        for kind in ("", "multipart/mixed", "=?utf-8?q?", '"', "<"):
            content = f"{field}: {kind}{value}\nX-End: x\n\nD4\n"
            assert reading(content).lines in {(), ("D4",)}


def test_masking_costs_no_time() -> None:
    for pattern in PATTERNS:
        mask(f"From: {pattern * 20_000}\nSubject: {pattern * 20_000}\n\n{pattern * 20_000}")


@pytest.mark.parametrize("digits", [5000, 50_000])
def test_a_character_reference_of_thousands_of_digits_is_no_error(digits: int) -> None:
    body = f"D4 &#{'9' * digits}; &#x{'f' * digits}"
    assert reading(letter("Content-Type: text/html", body=body)).lines == ("D4 \ufffd \ufffd",)


def test_a_made_up_charset_leaves_nothing_behind() -> None:
    names = [f"x-made-up-{n}" for n in range(50)]
    for name in names:
        reading(letter(f"Content-Type: text/plain; charset={name}", f"Subject: =?{name}?q?a?="))
    known = vars(encodings)["_cache"]
    assert not [name for name in known if "made" in name]
