"""Headers that cannot be a row of tables/headers.txt or authentication.txt."""

import time

from pbm.domain.mail import IncomingMail
from pbm.mail.reading import limits
from pbm.mail.reading.incoming import read
from pbm.mail.reading.mime import parameters
from pbm.mail.reading.sender import sole_address
from tests.mail.reading.received import ADDRESS, letter, reading, received

MTA = "mx.example.org"
PASS = f"Authentication-Results: {MTA}; dmarc=pass header.from=example.net"
FAIL = f"Authentication-Results: {MTA}; dmarc=fail header.from=example.net"


def checked(*headers: str, authserv_id: str | None = MTA) -> IncomingMail:
    return read(received(letter(*headers)), ADDRESS, authserv_id)


def test_an_address_that_is_too_long_is_not_read() -> None:
    for field in (f"{'b' * 65}@example.net", f"bob@{'example.' * 40}net", "<" * 2000, "(" * 10_000):
        assert sole_address(field) is None


def test_an_address_with_an_invisible_character_is_nobodys() -> None:
    for (
        character
    ) in "\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u202e\u2060\u2064\ufeff\ufe0f\U000e0041":
        for form in ("bo{}b@example.net", "Bob <bob@exam{}ple.net>", "{}bob@example.net"):
            field = form.format(character)
            assert reading(f"From: {field}\n\nD4\n").author is None, field


def test_a_subject_in_latin_1_without_any_declaration_is_read() -> None:
    assert reading("Subject: Jörg\n\n".encode("latin-1")).subject == "Jörg"


def test_a_subject_in_utf_7_stays_on_one_line_and_brings_no_address() -> None:
    subject = "Subject: =?utf-7?q?a+AA0ACg-Bcc:_x?="
    mail = reading(letter(subject, "X: =?utf-7?q?+AAo-From:_eve=40example.org?="))
    assert (mail.subject, mail.author) == ("a Bcc: x", "bob@example.net")


def test_a_message_id_of_250_characters_is_kept_and_no_longer_one() -> None:
    for length, kept in ((246, True), (247, False)):
        name = f"<{'a' * length}@b>"
        assert reading(f"Message-ID: {name}\n\n").message_id == (name if kept else None)


def test_words_behind_a_plus_are_ten_at_most_and_of_64_letters() -> None:
    addresses = ", ".join(f"pbm+w{n}@games.example.org" for n in range(1000))
    assert reading(letter(f"To: {addresses}")).plus_words == tuple(f"w{n}" for n in range(10))
    assert reading(letter(f"To: pbm+{'a' * 65}@games.example.org")).plus_words == ()


def test_headers_end_at_the_first_line_that_is_no_header() -> None:
    mail = reading("Subject: show 1\nno header\nFrom: bob@example.net\n\nD4\n")
    assert (mail.subject, mail.author) == ("show 1", None)


def test_a_line_of_an_mbox_file_before_the_headers_is_passed_over() -> None:
    assert reading(b"From bob@example.net Tue Nov 24 12:00\n" + letter()).lines == ("D4",)


def test_no_more_parameters_are_read_than_a_mail_can_need() -> None:
    names = [f"{a}{b}" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop"]
    assert len(parameters("x/y" + "".join(f"; {name}=1" for name in names))) == limits.PARAMETERS


def test_results_of_others_above_and_below_are_ignored() -> None:
    other = "Authentication-Results: evil.example; dmarc=fail header.from=example.net"
    mail = checked(other, PASS, FAIL)
    assert (mail.authenticated, mail.silence) == (True, None)


def test_without_the_setting_nobody_is_believed() -> None:
    for field in (PASS, FAIL):
        mail = checked(field, "Received: from x ([192.0.2.9]) by mx", authserv_id=None)
        assert (mail.authenticated, mail.silence, mail.network) == (False, None, "")


def test_a_long_field_takes_no_long_time() -> None:
    for text in ("(" * 60_000, '"' * 60_000, '"\\' * 30_000, "=;" * 30_000, "[1" * 30_000,
                 "by " * 20_000):  # fmt: skip
        began = time.process_time()
        for name in ("Authentication-Results", "Received"):
            assert not checked(f"{name}: {MTA}; {text}").authenticated
        assert time.process_time() - began < 1
