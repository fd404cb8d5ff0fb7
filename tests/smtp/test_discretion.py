"""What stands in the log, and what does not."""

import logging

import pytest

from pbm.domain.addresses import masked
from tests.smtp.house import House


def test_neither_tokens_nor_contents_are_logged_at_any_level(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with House() as house:
        client = house.client()
        client.address("pbm+t0k3n@example.org", sender="<alice+t0k3n@example.com>")
        client.type(b"Subject: move 101 alice s3cret G7\r\n\r\n.\r\n")
        assert client.hear().startswith("250")
        client.say("FROB t0k3n")
        client.say("s3cret")
        client.say("RSET")
        client.say("MAIL FROM:<>")
        client.say("RCPT TO:<who+t0k3n@example.org>")
    assert "pbm+***@example.org" in caplog.text
    assert "127.0.0.1" in caplog.text
    assert "t0k3n" not in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("pbm@example.org", "pbm@example.org"),
        ("pbm+t0k3n@example.org", "pbm+***@example.org"),
        ("pbm+a+b@example.org", "pbm+***@example.org"),
        ('"pbm+a@b"@example.org', '"pbm+***@example.org'),
        ("pbm+t0k3n", "pbm+***"),
        ("", ""),
    ],
)
def test_what_stands_after_plus_is_masked(address: str, shown: str) -> None:
    assert masked(address) == shown
