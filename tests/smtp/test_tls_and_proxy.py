"""STARTTLS with a certificate, and the PROXY protocol behind a load balancer."""

import ssl
from pathlib import Path

import pytest

from pbm.server.smtp import Certificate, SmtpLimits
from tests.relay.relays import make_certificate
from tests.smtp.house import MAIL, House

CERTIFICATE = Path(__file__).with_name("certificate.pem")


def server_context() -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    return context


def client_context() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(CERTIFICATE))


def test_a_mail_can_be_sent_after_starttls() -> None:
    with House(tls=server_context) as house:
        client = house.client()
        assert "STARTTLS" in client.say("EHLO x")
        client.start_tls(client_context())
        hello = client.say("EHLO x")
        assert "STARTTLS" not in hello
        assert "AUTH" not in hello
        assert client.send(MAIL * 1000).startswith("250")
        assert client.say("QUIT").startswith("221")
        assert client.hear() == ""
        assert house.inbox.mails[0].content == MAIL * 1000


def test_what_came_before_tls_does_not_count() -> None:
    with House(tls=server_context) as house:
        client = house.client()
        client.say("MAIL FROM:<evil@example.com>")
        client.type(b"STARTTLS\r\nMAIL FROM:<evil@example.com>\r\n")
        assert client.hear().startswith("220")
        client.encrypt(client_context())
        assert client.say("RCPT TO:<pbm@example.org>").startswith("503")
        client.say("EHLO x")
        assert client.say("RCPT TO:<pbm@example.org>").startswith("503")


def test_a_session_with_tls_is_drained_like_any_other() -> None:
    with House(SmtpLimits(linger_seconds=0.2), tls=server_context) as house:
        client = house.client()
        client.start_tls(client_context())
        client.address()
        house.begin_to_stop()
        client.type(MAIL + b".\r\n")
        assert client.hear().startswith("250")
        assert client.ends("421")
        house.wait_until_drained()


def test_a_session_with_tls_is_counted_once() -> None:
    with House(SmtpLimits(connections_per_peer=1, linger_seconds=0.2), tls=server_context) as house:
        for _ in range(2):
            client = house.client()
            client.start_tls(client_context())
            client.say("QUIT")
            assert client.hear() == ""
            client.close()
            house.wait_for_room()


def test_something_else_than_a_handshake_ends_the_session_alone() -> None:
    with House(tls=server_context) as house:
        client = house.client()
        client.say("STARTTLS")
        client.type(b"EHLO x\r\n" * 10)
        client.close()
        assert house.client().send().startswith("250")


def test_a_certificate_that_was_renewed_is_shown_to_the_next_client(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    make_certificate(tmp_path)
    with House(tls=Certificate(file, key)) as house:
        first = shown(house)
        assert shown(house) == first
        kept = key.read_bytes()
        make_certificate(tmp_path)
        renewed = key.read_bytes()
        key.write_bytes(kept)
        assert shown(house) == first
        assert "cannot be used: [X509: KEY_VALUES_MISMATCH]" in caplog.text
        assert "The one from before is still shown." in caplog.text
        key.write_bytes(renewed)
        assert shown(house) == ssl.PEM_cert_to_DER_cert(file.read_text()) != first


def shown(house: House) -> bytes:
    """Return the certificate that a new client is shown."""
    client = house.client()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    client.start_tls(context)
    found = client.certificate
    client.close()
    return found


def test_clients_are_counted_by_the_address_that_the_proxy_names() -> None:
    with House(SmtpLimits(connections_per_peer=1), proxy_protocol=True) as house:
        client, other, again = house.visitor(), house.visitor(), house.visitor()
        client.type(b"PROXY TCP4 192.0.2.1 192.0.2.9 4000 25\r\n")
        assert client.hear().startswith("220")
        other.type(b"PROXY TCP6 2001:db8::1 2001:db8::9 4000 25\r\n")
        assert other.hear().startswith("220")
        again.type(b"PROXY TCP4 192.0.2.1 192.0.2.9 4001 25\r\n")
        assert again.hear().startswith("421 4.7.0")
        client.say("EHLO x")
        assert client.send().startswith("250")
