"""The mails that tests look at say what the standard library reads in them."""

import email.policy

from tests.sent_mails import PlainHeader, SentMail
from tests.tables import each

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


@each(("name", "value"), PLAIN + OTHERS)
def test_a_header_says_what_the_standard_library_reads_in_it(name: str, value: str) -> None:
    real = email.policy.default.header_fetch_parse(name, value)
    told = SentMail(f"{name}: {value}\r\n\r\n".encode())[name]
    assert told == str(real)
    assert isinstance(told, PlainHeader) == ((name, value) in PLAIN)
    for what in ("addresses", "content_type", "params", "defects"):
        assert getattr(told, what, None) == getattr(real, what, None)
