"""From MAIL to 250, as a client on the net sees it."""

import asyncio
import smtplib
from collections.abc import Iterator

import pytest

from pbm.config import TcpEndpoint
from pbm.smtp import SmtpLimits
from tests.smtp.house import MAIL, NOON, House


@pytest.fixture
def house() -> Iterator[House]:
    with House() as house:
        yield house


def test_a_mail_is_stored_with_its_envelope_and_the_time(house: House) -> None:
    assert house.client().send(MAIL, "pbm+k3y@example.org", "PBM@example.org").startswith("250")
    [mail] = house.inbox.mails
    assert mail.sender == "alice@example.com"
    assert mail.recipients == ("pbm+k3y@example.org", "PBM@example.org")
    assert mail.content == MAIL
    assert mail.received_at == NOON


def test_smtplib_can_send_several_mails_in_a_session(house: House) -> None:
    endpoint = house.endpoint("smtp")
    assert isinstance(endpoint, TcpEndpoint)
    with smtplib.SMTP(endpoint.host, endpoint.port) as client:
        for text in ("one", "..two", "thrée"):
            client.sendmail("a@example.com", "pbm@example.org", f"Subject: x\n\n{text}".encode())
    assert [mail.content.splitlines()[2].decode() for mail in house.inbox.mails] == [
        "one",
        "...two",  # smtplib stuffs after a bare LF, which is no line end to us
        "thrée",
    ]


def test_the_null_sender_is_stored_as_nothing(house: House) -> None:
    client = house.client()
    client.address(sender="<>")
    client.type(MAIL + b".\r\n")
    assert client.hear().startswith("250")
    assert house.inbox.mails[0].sender == ""


def test_an_empty_mail_ends_at_its_first_dot(house: House) -> None:
    assert house.client().send(b"").startswith("250")
    assert house.inbox.mails[0].content == b""


def test_a_recipient_named_twice_is_stored_once(house: House) -> None:
    assert house.client().send(MAIL, "pbm@example.org", "pbm@example.org").startswith("250")
    assert house.inbox.mails[0].recipients == ("pbm@example.org",)


@pytest.mark.parametrize("fake_end", [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\n", b"\r\n.\r"])
def test_no_other_end_than_crlf_dot_crlf_lets_a_second_mail_in(
    house: House, fake_end: bytes
) -> None:
    smuggled = b"MAIL FROM:<evil@example.com>\r\nRCPT TO:<pbm@example.org>\r\nDATA\r\nx\r\n"
    client = house.client()
    assert client.send(b"Subject: a\r\n\r\nb" + fake_end + smuggled).startswith("250")
    assert client.say("QUIT").startswith("221")
    [mail] = house.inbox.mails
    assert mail.sender == "alice@example.com"
    assert b"evil" in mail.content
    assert b"\n" not in mail.content.replace(b"\r\n", b"")
    assert b"\r" not in mail.content.replace(b"\r\n", b"")


def test_octets_of_any_kind_and_long_lines_are_content(house: House) -> None:
    octets = bytes(set(range(256)) - {10, 13}) + b"x" * 5000 + b"\r\n"
    assert house.client().send(octets).startswith("250")
    assert house.inbox.mails[0].content == octets


def test_a_whole_session_may_come_at_once(house: House) -> None:
    client = house.visitor()
    mail = b"MAIL FROM:<a@example.com>\r\nRCPT TO:<pbm@example.org>\r\nDATA\r\n" + MAIL + b".\r\n"
    client.type(b"EHLO x\r\n" + mail + mail + b"QUIT\r\n")
    codes = " ".join(client.hear()[:3] for _ in range(11))
    assert codes == "220 250 250 250 354 250 250 250 354 250 221"
    assert len(house.inbox.mails) == 2


@pytest.mark.parametrize(
    "path",
    [
        "<a@example.com> AUTH=<>",
        "<a@example.com> AUTH=alice+40example.com",
        "<a@example.com> RET=HDRS ENVID=QQ314159",
        "<a@example.com> SIZE=4000 BODY=8BITMIME SMTPUTF8",
        "<a@example.com>  size=1",
        "<@relay.example,@two.example:a@example.com>",
        '<"a b>c"@example.com>',
        "a@example.com",
        " <ü@exämple.com> SMTPUTF8",
        "<a@example.com> ENVID=" + "x" * 900,
    ],
)
def test_a_sender_may_look_like_this(house: House, path: str) -> None:
    assert house.client().say(f"MAIL FROM:{path}").startswith("250")


@pytest.mark.parametrize(
    "parameters", ["NOTIFY=SUCCESS,FAILURE", "ORCPT=rfc822;pbm+2Bx@example.org NOTIFY=NEVER"]
)
def test_delivery_reports_may_be_asked_for_in_vain(house: House, parameters: str) -> None:
    client = house.client()
    client.say("MAIL FROM:<>")
    assert client.say(f"RCPT TO:<pbm@example.org> {parameters}").startswith("250")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("MAIL", "501"),
        ("MAIL TO:<a@example.com>", "501"),
        ("MAIL FROM:", "553"),
        ("MAIL FROM:<a@b@example.com>", "553"),
        ("MAIL FROM:<a@example.com", "553"),
        ("MAIL FROM:<a\x00@example.com>", "553"),
        ("MAIL FROM:<a\rb@example.com>", "553"),
        ("MAIL FROM:<\udcff@example.com>", "553"),
        ("MAIL FROM:<a@example.com> =", "501"),
        ("MAIL FROM:<a@example.com> SIZE=\N{SUPERSCRIPT TWO}", "501"),
        ("MAIL FROM:<a@example.com> SIZE=" + "9" * 1000, "501"),
        ("MAIL FROM:<a@example.com> BODY=BINARYMIME", "501"),
        ("MAIL FROM:<a@example.com> REQUIRETLS", "555"),
        ("MAIL FROM:<a@example.com> SIZE=1048577", "552"),
        ("RCPT TO:<pbm@example.org>", "503"),
        ("DATA", "503"),
        ("\udcfe\udcff", "500"),
        ("FROBNICATE \udcff", "500"),
        ("HELP \udcff", "501"),
        ("x" * 4000, "500"),
        ("x" * 100_000, "500"),
        ("MAIL FROM:<a@example.com> ENVID=" + "x" * 3000, "500"),
    ],
)
def test_what_makes_no_sense_is_refused_and_the_session_goes_on(
    house: House, command: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = house.client()
    assert client.say(command).startswith(code)
    assert client.send().startswith("250")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_the_size_limit_is_told_beforehand(house: House) -> None:
    assert "\n250-SIZE 1048576\n" in house.client().say("EHLO x")


def test_a_mail_too_big_is_refused_for_good_and_the_session_goes_on() -> None:
    with House(SmtpLimits(message_bytes=1000)) as house:
        client = house.client()
        assert client.send(b"x" * 997 + b"\r\n").startswith("250")
        assert client.send(b"x" * 999 + b"\r\n").startswith("552")
        assert client.send(b"x\r\n" * 20_000).startswith("552")
        assert client.send().startswith("250")
        assert [len(mail.content) for mail in house.inbox.mails] == [999, len(MAIL)]


def test_a_mail_in_a_loop_is_refused(house: House) -> None:
    client = house.client()
    assert client.send(b"Received: x\r\n" * 50 + MAIL).startswith("250")
    assert client.send(b"Received: x\r\n" * 51 + MAIL).startswith("554")
    assert len(house.inbox.mails) == 1


def test_an_address_that_is_not_ours_is_refused(house: House) -> None:
    client = house.client()
    client.say("MAIL FROM:<>")
    assert client.say("RCPT TO:<somebody@example.org>").startswith("550")
    assert client.say("RCPT TO:<>").startswith("550")
    assert client.say("RCPT TO:<postmaster>").startswith("250")


def test_a_recipient_past_the_limit_is_put_off_and_the_mail_goes_to_the_others() -> None:
    with House(SmtpLimits(recipients=2, errors=3)) as house:
        client = house.client()
        client.say("MAIL FROM:<>")
        replies = [client.say(f"RCPT TO:<pbm+{n}@example.org>")[:3] for n in range(6)]
        assert replies == ["250", "250", "452", "452", "452", "452"]
        assert client.say("DATA").startswith("354")
        client.type(MAIL + b".\r\n")
        assert client.hear().startswith("250")
        assert house.inbox.mails[0].recipients == ("pbm+0@example.org", "pbm+1@example.org")


def test_vrfy_and_expn_tell_ours_from_others_by_nothing(house: House) -> None:
    client = house.client()
    for command in ("VRFY", "EXPN"):
        addresses = ("pbm@example.org", "nobody@example.org", "<\udcff", "")
        assert len({client.say(f"{command} {address}") for address in addresses}) == 1


def test_nobody_is_asked_for_a_password(house: House) -> None:
    client = house.client()
    assert "AUTH" not in client.say("EHLO x")
    assert client.say("AUTH PLAIN AGEAYg==").startswith("502")


def test_the_greeting_does_not_say_what_the_server_is_made_of(house: House) -> None:
    assert house.visitor().hear() == "220 mx.example.org ESMTP pbm"


def test_a_new_connection_does_not_change_what_another_one_may_say(house: House) -> None:
    # In aiosmtpd the limits of command lines are one dictionary, which each new session clears.
    client = house.client()
    house.client()
    assert client.say("MAIL FROM:<a@example.com> ENVID=" + "x" * 900).startswith("250")


def test_the_replies_to_a_group_of_commands_leave_in_one_write(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    envelope = b"MAIL FROM:<alice@example.com>\r\nRCPT TO:<pbm@example.org>\r\nDATA\r\n"
    client = house.client()
    written: list[bytes] = []
    write = asyncio.StreamWriter.write

    def note(writer: asyncio.StreamWriter, octets: bytes) -> None:
        written.append(octets)
        write(writer, octets)

    monkeypatch.setattr(asyncio.StreamWriter, "write", note)
    client.type(envelope)
    assert [client.hear()[:3] for _ in range(3)] == ["250", "250", "354"]
    # The end of one mail and the envelope of the next one come together from a busy relay.
    client.type(MAIL + b".\r\n" + envelope)
    assert [client.hear()[:3] for _ in range(4)] == ["250", "250", "250", "354"]
    client.type(MAIL + b".\r\nQUIT\r\n")
    assert [client.hear()[:3] for _ in range(2)] == ["250", "221"]
    assert [octets.count(b"\r\n") for octets in written] == [3, 4, 2]
    assert len(house.inbox.mails) == 2


def test_a_reply_does_not_wait_for_a_command_that_is_not_whole_yet(house: House) -> None:
    client = house.client()
    client.type(b"MAIL FROM:<alice@example.com>\r\nRCPT TO:<pbm@exam")
    assert client.hear().startswith("250")
    client.type(b"ple.org>\r\n")
    assert client.hear().startswith("250")
