"""Relay URLs: what each one means, and what is said about the invalid ones."""

from pathlib import Path

import pytest

from pbm.relay import RelayUrlError, open_relay
from pbm.relay.connection import SmtpTarget, Tls, smtp_target
from tests.tables import each


@each(
    ("url", "target"),
    [
        ("smtp://mail.example", SmtpTarget("mail.example", 25, Tls.OFFERED)),
        ("SMTP://mail.example:2525", SmtpTarget("mail.example", 2525, Tls.OFFERED)),
        ("smtp://[::1]:2525", SmtpTarget("::1", 2525, Tls.OFFERED)),
        ("smtp+starttls://mail.example", SmtpTarget("mail.example", 587, Tls.DEMANDED)),
        ("smtps://mail.example", SmtpTarget("mail.example", 465, Tls.IMPLICIT)),
        ("lmtp://mail.example:2400", SmtpTarget("mail.example", 2400, Tls.OFFERED, lmtp=True)),
        ("lmtp:/run/lmtp", SmtpTarget("/run/lmtp", 0, Tls.OFFERED, lmtp=True)),
        ("lmtp:///run/lmtp", SmtpTarget("/run/lmtp", 0, Tls.OFFERED, lmtp=True)),
        ("lmtp:lmtp", SmtpTarget(str(Path.cwd() / "lmtp"), 0, Tls.OFFERED, lmtp=True)),
        (
            "smtps://me%40x:p%2Fw%3A@mail.example",
            SmtpTarget("mail.example", 465, Tls.IMPLICIT, user="me@x", password="p/w:"),
        ),
        (
            "smtp://me:pw@mail.example",
            SmtpTarget("mail.example", 25, Tls.DEMANDED, user="me", password="pw"),
        ),
        (
            "smtp://me:pw@[::1]",
            SmtpTarget("::1", 25, Tls.OFFERED, user="me", password="pw"),
        ),
    ],
)
def test_a_url_says_where_and_how(url: str, target: SmtpTarget) -> None:
    assert smtp_target(url) == target


@each(
    ("url", "words"),
    [
        ("", "must begin with one of maildir:, smtp:"),
        ("mail.example", "must begin with"),
        ("http://mail.example", "must begin with"),
        ("maildir:", "names no directory"),
        ("null:x", "Nothing may follow"),
        ("smtp:mail.example", "names no host"),
        ("smtp://", "names no host"),
        ("smtp://:25", "names no host"),
        ("lmtp:", "names no host"),
        ("smtp://mail.example:0", "from 1 to 65535"),
        ("smtp://me:hush@mail.example:99999", "cannot be read"),
        ("smtp://me:hush@mail.example:x", "cannot be read"),
        ("smtp://me:hush/1@mail.example", "%2F"),
        ("smtp://me:1/hush@mail.example", "%2F"),
        ("smtp://me:1?hush@mail.example", "%2F"),
        ("smtp://me:1#hush@mail.example", "%2F"),
        ("smtp://me:[hush@mail.example", "cannot be read"),
        ("smtp://hush@mail.example", "both a user and a password"),
        ("smtp://:hush@mail.example", "both a user and a password"),
        ("smtp://me:hush%C3%BC@mail.example", "ASCII"),
        ("lmtp://me:hush@mail.example", "no login"),
    ],
)
def test_a_url_that_cannot_be_used_is_told_in_a_sentence_without_the_password(
    url: str, words: str
) -> None:
    with pytest.raises(RelayUrlError) as caught:
        open_relay(url, "games.example.org")
    assert words in str(caught.value)
    assert "hush" not in str(caught.value)
    # A traceback also prints the underlying error, unless it is suppressed.
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_opening_a_relay_connects_and_creates_nothing(tmp_path: Path) -> None:
    open_relay(f"maildir:{tmp_path / 'mail'}", "games.example.org").close()
    open_relay("smtp://no.such.host.invalid", "games.example.org").close()
    assert list(tmp_path.iterdir()) == []
