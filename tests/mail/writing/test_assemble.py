"""The bytes of a mail: headers that cannot be read as two, bodies that every server accepts."""

import email
import email.policy
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm.mail.writing.assemble import MailHtml, assemble, display, encode_text, header_line
from tests.readings import answers
from tests.sent_mails import PlainHeader, SentMail


def read(content: bytes) -> EmailMessage:
    return email.message_from_bytes(content, policy=email.policy.default)


def text_of(content: bytes) -> str:
    return str(read(content).get_content()).replace("\r\n", "\n")


def check_form(content: bytes) -> None:
    """Assert what RFC 5321 and 5322 ask of a mail: CRLF and only CRLF, lines of 998, no NUL."""
    assert content.endswith(b"\r\n")
    assert content.count(b"\r") == content.count(b"\n") == content.count(b"\r\n")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert content.isascii()
    assert b"\x00" not in content


def test_a_value_that_could_be_taken_for_two_headers_is_never_sent() -> None:
    for value in ("a\r\nBcc: evil@example.org", "a\nb", "a\rb", "a\x00", "a\tb", "a\x7f", "\u00e9",
                  "a\u2028b", "a\x0bb", "x" * 1000):  # fmt: skip
        for headers in ([("Subject", value)], [(f"X-{value}", "a")]):
            with pytest.raises(ValueError, match="cannot be sent as it is"):
                assemble(headers, "text")


def test_what_was_refused_is_not_shown_in_the_error() -> None:
    with pytest.raises(ValueError, match="the header Subject cannot") as refused:
        header_line("Subject", "secret\r\n")
    assert "secret" not in str(refused.value)


@given(st.text(max_size=30))
def test_a_header_is_sent_whole_or_not_at_all(value: str) -> None:
    try:
        line = header_line("Subject", value)
    except ValueError:
        return
    assert line == b"Subject: " + value.encode("ascii")


def test_plain_text_is_sent_as_it_is() -> None:
    content = assemble([("Subject", "Hello")], "One\n\nTwo\tthree\n")
    assert content == (
        b"Subject: Hello\r\n"
        b"MIME-Version: 1.0\r\n"
        b"Content-Type: text/plain; format=flowed; charset=us-ascii\r\n"
        b"Content-Transfer-Encoding: 7bit\r\n"
        b"\r\n"
        b"One\r\n\r\nTwo\tthree\r\n"
    )


def test_text_beyond_ascii_is_readable_in_the_source() -> None:
    body, encoding = encode_text("Good luck, Jos\u00e9!")
    assert (body, encoding) == (b"Good luck, Jos=C3=A9!\r\n", b"quoted-printable")


@given(st.text(max_size=300))
@example("\ud800")
@example("a" * 899 + "\r\n\r" + "b" * 901)
@example("x" * 5000)
@example("=3D a = b\nb =\ntrailing \ntab\t\nbell\x07 a\x00b\n.\n..\nFrom here")
@example("\u00e4" * 5000 + "\u56f2\u7881 \U0001f600\r\none\rtwo\n")
def test_any_text_at_all_is_a_well_formed_mail(text: str) -> None:
    content = assemble([("Subject", "x")], text)
    check_form(content)
    expected = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    expected = expected.encode("utf-8", "replace").decode("utf-8")
    assert text_of(content).rstrip("\n") == expected


NAMES = r"""
    Noughts 104: your move -> "Noughts 104: your move" <pbm@example.org>
    The "best", <game> -> "The 'best', <game>" <pbm@example.org>
    Back\\slash -> "Backslash" <pbm@example.org>
    Jo\u00e3o -> "Jo?o" <pbm@example.org>
"""


def named(name: str) -> str:
    value = display(name, "pbm@example.org")
    (address,) = read(assemble([("From", value)], ""))["From"].addresses
    assert address.addr_spec == "pbm@example.org"
    return value


def test_a_display_name_is_quoted_and_hides_no_other_address() -> None:
    assert answers(NAMES, named) == NAMES


def test_a_page_with_a_tag_longer_than_a_line_comes_whole() -> None:
    html = f'<p style="{"a:b;" * 500}">x = y</p>\n<p>z</p>\n'
    content = assemble([("Subject", "Hello")], "Hello", page=MailHtml(html), boundary="b")
    check_form(content)
    part = read(content).get_body(("html",))
    assert part is not None
    assert str(part.get_content()).replace("\r\n", "\n").rstrip() == html.rstrip()


PLAIN = (
    ("Content-Type", 'multipart/alternative; boundary="45a1f6095e91634cf7fdfa87-a"'),
    ("Content-Type", 'multipart/related; boundary="45a1f6-r"; type="multipart/alternative"'),
    ("From", '"Your move - Gonnect 101" <pbm@games.example.org>'),
    ("Reply-To", "<pbm+aaaaaziaaaaaeaaaabaknghnaceds7@games.example.org>"),
)
OTHERS = (
    ("Content-Type", "text/plain; format=flowed; charset=us-ascii"),
    ("From", '"pbm. Your move" <pbm@games.example.org>'),
    ("From", "=?utf-8?q?Z=C3=BCge?= <pbm@games.example.org>"),
    ("Reply-To", "pbm@games.example.org"),
    ("Subject", "[Gonnect 101] alice - bob"),
)


@pytest.mark.parametrize(("name", "value"), PLAIN + OTHERS)
def test_a_header_says_to_tests_what_the_standard_library_reads_in_it(
    name: str, value: str
) -> None:
    real = email.policy.default.header_fetch_parse(name, value)
    told = SentMail(f"{name}: {value}\r\n\r\n".encode())[name]
    assert told == str(real)
    assert isinstance(told, PlainHeader) == ((name, value) in PLAIN)
    for what in ("addresses", "content_type", "params", "defects"):
        assert getattr(told, what, None) == getattr(real, what, None)
