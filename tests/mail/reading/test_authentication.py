"""Who wrote a mail, as the front MTA tells it in Authentication-Results and Received."""

import time

from pbm.domain.mail import IncomingMail
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, letter, received
from tests.tables import each

MTA = "mx.example.org"
PASS = f"Authentication-Results: {MTA}; dmarc=pass header.from=example.net"
FAIL = f"Authentication-Results: {MTA}; dmarc=fail header.from=example.net"


def reading(*headers: str, authserv_id: str | None = MTA) -> IncomingMail:
    return read(received(letter(*headers)), ADDRESS, authserv_id)


@each(
    "field",
    [
        f"{MTA}; dmarc=pass header.from=example.net",
        f"{MTA.upper()} 1;\n\tdmarc = PASS (p=none) header.from = Example.NET",
        f'"{MTA}"; dmarc=pass header.from="example.net"',
        f"{MTA}; spf=fail smtp.mailfrom=x.example; dkim=none; dmarc=pass header.from=example.net",
        f"{MTA} (a; dmarc=fail (b) \\) c); dmarc=pass (d) header.from=example.net;",
        f'{MTA}; dmarc=pass reason="a; dmarc=fail" header.from=example.net',
    ],
)
def test_a_pass_proves_the_author(field: str) -> None:
    mail = reading(f"Authentication-Results: {field}")
    assert (mail.authenticated, mail.silence) == (True, None)


@each(
    "fields",
    [
        [],
        ["none"],
        [f"{MTA}; none"],
        [f"{MTA}; dmarc=none header.from=example.net"],
        [f"{MTA}; dmarc=temperror header.from=example.net"],
        [f"{MTA}; dkim=pass header.d=example.net; spf=pass smtp.mailfrom=example.net"],
        # Of another domain than the author's, of none, or of two.
        [f"{MTA}; dmarc=pass header.from=evil.example"],
        [f"{MTA}; dmarc=pass"],
        [f"{MTA}; dmarc=pass header.from=example.net header.from=evil.example"],
        [f'{MTA}; dmarc=pass reason="header.from" header.from=evil.example'],
        # Two words on it.
        [f"{MTA}; dmarc=pass header.from=example.net; dmarc=none"],
        # Of another host, which anybody can call themselves.
        ["evil.example; dmarc=pass header.from=example.net"],
        [f"{MTA}.evil.example; dmarc=pass header.from=example.net"],
        [f"evil.example ({MTA}); dmarc=pass header.from=example.net"],
        # Hidden in a comment or a quoted string, or broken off.
        [f"{MTA}; (dmarc=pass header.from=example.net)"],
        [f'{MTA}; x="dmarc=pass header.from=example.net"'],
        [f'{MTA}; x=";" dmarc=pass header.from=example.net'],
        [f"{MTA}; dmarc=pass header.from=example.net (unclosed"],
        [f'{MTA}; dmarc=pass header.from=example.net "unclosed'],
        [f"{MTA}; dmarc=pass header.from=example.net)"],
        # Below the one of the front MTA, where a sender can write what they like.
        [f"{MTA}; dmarc=none", f"{MTA}; dmarc=pass header.from=example.net"],
        [f"{MTA}; spf=pass smtp.mailfrom=x", f"{MTA}; dmarc=pass header.from=example.net"],
        # The same, and what the sender has put into the upper one breaks it.
        [
            f'{MTA}; spf=none smtp.mailfrom="x@y; dmarc=none',
            f"{MTA}; dmarc=pass header.from=example.net",
        ],
        [f"{MTA} (x; dmarc=none", f"{MTA}; dmarc=pass header.from=example.net"],
    ],
)
def test_anything_else_proves_nothing(fields: list[str]) -> None:
    mail = reading(*(f"Authentication-Results: {field}" for field in fields))
    assert (mail.authenticated, mail.silence) == (False, None)


@each(
    "headers",
    [
        [FAIL],
        [f"Authentication-Results: {MTA}; dmarc=fail (p=none)"],
        [f"Authentication-Results: {MTA}; dmarc=pass header.from=example.net; dmarc=fail"],
        [FAIL, PASS],
        ["Authentication-Results: evil.example; dmarc=pass header.from=example.net", FAIL],
    ],
)
def test_a_mail_that_failed_is_neither_executed_nor_answered(headers: list[str]) -> None:
    mail = reading(*headers)
    assert (mail.authenticated, mail.silence, mail.lines) == (False, "dmarc-fail", ())


def test_fields_of_others_above_and_below_are_ignored() -> None:
    other = "Authentication-Results: evil.example; dmarc=fail header.from=example.net"
    assert reading(other, PASS, FAIL).authenticated
    assert reading(other, PASS, FAIL).silence is None


def test_without_the_setting_nobody_is_believed() -> None:
    for field in (PASS, FAIL):
        mail = reading(field, "Received: from x ([192.0.2.9]) by mx", authserv_id=None)
        assert (mail.authenticated, mail.silence, mail.network) == (False, None, "")


@each(
    ("fields", "network"),
    [
        (
            ["from mail.example.net (mail.example.net [192.0.2.9]) by mx.example.org"],
            "192.0.2.0/24",
        ),
        (["from x (unknown [IPv6:2001:db8:1:2::9])\n by MX.example.org; today"], "2001:db8:1::/48"),
        (["from [192.0.2.9] (helo=x) by mx.example.org with esmtp"], "192.0.2.0/24"),
        (["from [192.0.2.9] (x [192.0.2.9]) by mx.example.org"], "192.0.2.0/24"),
        # A client that calls itself an address gains nothing by it.
        (["from [198.51.100.1] (x [192.0.2.9]) by mx.example.org"], "unclear"),
        (["from x ([192.0.2.9] helo=[198.51.100.1]) by mx.example.org"], "unclear"),
        (["from x (y [999.0.0.1]) by mx.example.org"], "unclear"),
        (["from x (y [192.0.2.9]) by mx.example.org.evil.example"], ""),
        (
            ["from x (y [192.0.2.9]) by evil.example", "from x (y [192.0.2.9]) by mx.example.org"],
            "",
        ),
        (["by mx.example.org (Postfix, from userid 1000)"], ""),
        ([], ""),
    ],
)
def test_the_clients_network_is_what_the_topmost_received_of_that_host_tells(
    fields: list[str], network: str
) -> None:
    assert reading(*(f"Received: {field}" for field in fields)).network == network


@each(
    "text",
    ["(" * 60_000, '"' * 60_000, '"\\' * 30_000, "=;" * 30_000, "[1" * 30_000, "by " * 20_000],
)
def test_a_long_field_takes_no_long_time(text: str) -> None:
    began = time.process_time()
    for name in ("Authentication-Results", "Received"):
        assert not reading(f"{name}: {MTA}; {text}").authenticated
    assert time.process_time() - began < 1
