"""What is encrypted, who is trusted, and where a password may go."""

import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbm.relay import open_relay
from pbm.service.relaying import Deferred, Sent
from tests.relay.relays import deliver, mail, make_certificate, relay_to, unreached, verdicts_of
from tests.sink import LOGIN, PASSWORD, Arrived, Sink

UNVERIFIED = "The relay's certificate cannot be verified: self-signed certificate."


@dataclass(frozen=True)
class Certified:
    file: Path
    context: ssl.SSLContext


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    return Certified(*make_certificate(tmp_path_factory.mktemp("certificate")))


@pytest.fixture
def trusted(certified: Certified, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the certificate, as an operator does with OpenSSL."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certified.file))


@pytest.fixture
def sink(certified: Certified) -> Iterator[Sink]:
    with Sink(logins=True, settings={"tls_context": certified.context}) as served:
        yield served


@pytest.fixture
def bare_sink() -> Iterator[Sink]:
    """Yield a sink that offers a login but no TLS to protect it."""
    with Sink(logins=True) as served:
        yield served


@pytest.fixture
def far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the name relay.example lead to this machine, as a name server could."""
    connect = socket.create_connection

    def create_connection(address: tuple[str, int], *rest: Any, **more: Any) -> socket.socket:
        host, port = address
        return connect(("127.0.0.1" if host == "relay.example" else host, port), *rest, **more)

    monkeypatch.setattr(socket, "create_connection", create_connection)


def _encrypted(mails: list[Arrived]) -> list[bool]:
    return [taken.encrypted for taken in mails]


def test_tls_is_used_when_it_is_offered_whoever_offers_it(sink: Sink) -> None:
    assert deliver(f"smtp://localhost:{sink.port}", mail()) == [Sent()]
    assert _encrypted(sink.mails) == [True]


@pytest.mark.usefixtures("trusted")
def test_demanded_tls_with_a_certificate_that_fits_is_used(sink: Sink) -> None:
    assert deliver(f"smtp+starttls://localhost:{sink.port}", mail()) == [Sent()]
    assert _encrypted(sink.mails) == [True]


def test_demanded_tls_with_an_unknown_certificate_lets_mails_wait(sink: Sink) -> None:
    verdicts = deliver(f"smtp+starttls://localhost:{sink.port}", mail(), mail())
    assert verdicts == [unreached(UNVERIFIED)] * 2
    assert sink.mails == []


@pytest.mark.usefixtures("trusted", "far_away")
def test_a_certificate_for_another_name_is_refused(sink: Sink) -> None:
    (verdict,) = deliver(f"smtp+starttls://relay.example:{sink.port}", mail())
    assert isinstance(verdict, Deferred)
    assert verdict.error == (
        "The relay's certificate cannot be verified: Hostname mismatch, certificate is not valid "
        "for 'relay.example'."
    )
    assert sink.mails == []


def test_demanded_tls_that_is_not_offered_lets_mails_wait(bare_sink: Sink) -> None:
    verdicts = deliver(f"smtp+starttls://localhost:{bare_sink.port}", mail())
    assert verdicts == [
        unreached("The relay offers no STARTTLS, and its URL or login needs it."),
    ]
    assert bare_sink.mails == []


@pytest.mark.usefixtures("trusted")
def test_tls_from_the_first_byte_is_verified(certified: Certified) -> None:
    with Sink(tls=certified.context) as sink:
        assert deliver(f"smtps://localhost:{sink.port}", mail()) == [Sent()]
    assert len(sink.mails) == 1


def test_tls_from_the_first_byte_with_an_unknown_certificate_lets_mails_wait(
    certified: Certified,
) -> None:
    with Sink(tls=certified.context) as sink:
        assert deliver(f"smtps://localhost:{sink.port}", mail()) == [unreached(UNVERIFIED)]
    assert sink.mails == []


@pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])
def test_mails_wait_while_a_certificate_is_expired_and_go_out_once_it_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    file, context = make_certificate(tmp_path)
    expired, key = tmp_path / "expired.pem", tmp_path / "key.pem"
    renewing = ("openssl", "x509", "-in", file, "-signkey", key, "-days", "-1", "-out", expired)
    subprocess.run(renewing, check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(expired))
    context.load_cert_chain(expired, key)
    tls: dict[str, Any] = (
        {"tls": context} if scheme == "smtps" else {"settings": {"tls_context": context}}
    )
    with Sink(**tls) as sink, relay_to(f"{scheme}://localhost:{sink.port}") as relay:
        waiting = mail()
        assert verdicts_of(relay, waiting) == [
            unreached("The relay's certificate cannot be verified: certificate has expired.")
        ]
        context.load_cert_chain(file, key)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert verdicts_of(relay, waiting) == [Sent()]
    assert len(sink.mails) == 1


@pytest.mark.usefixtures("trusted", "far_away")
def test_a_password_does_not_leave_this_machine_in_the_clear(bare_sink: Sink) -> None:
    (verdict,) = deliver(f"smtp://{LOGIN}@relay.example:{bare_sink.port}", mail())
    assert isinstance(verdict, Deferred)
    assert bare_sink.passwords == []


@pytest.mark.usefixtures("far_away")
def test_a_password_does_not_go_to_a_relay_that_has_not_proved_its_name(sink: Sink) -> None:
    (verdict,) = deliver(f"smtp://{LOGIN}@relay.example:{sink.port}", mail())
    assert verdict == unreached(UNVERIFIED)
    assert sink.passwords == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_password_goes_to_this_machine_without_tls(bare_sink: Sink, host: str) -> None:
    assert deliver(f"smtp://{LOGIN}@{host}:{bare_sink.port}", mail()) == [Sent()]
    assert bare_sink.passwords == [PASSWORD.encode()]


@pytest.mark.usefixtures("trusted")
def test_a_password_goes_over_verified_tls(sink: Sink) -> None:
    assert deliver(f"smtp+starttls://{LOGIN}@localhost:{sink.port}", mail()) == [Sent()]
    assert sink.passwords == [PASSWORD.encode()]


def test_a_wrong_password_lets_mails_wait_and_is_not_told(bare_sink: Sink) -> None:
    verdicts = deliver(f"smtp://pbm:wrongword@localhost:{bare_sink.port}", mail(), mail())
    assert verdicts == [unreached("The relay refuses the login (code 535).")] * 2
    assert bare_sink.mails == []


def test_a_relay_that_offers_no_login_lets_mails_wait() -> None:
    with Sink() as sink:
        (verdict,) = deliver(f"smtp://{LOGIN}@localhost:{sink.port}", mail())
    assert isinstance(verdict, Deferred)
    assert sink.mails == []


def test_the_password_is_in_no_representation(bare_sink: Sink) -> None:
    relay = open_relay(f"smtp://{LOGIN}@localhost:{bare_sink.port}", "h.example")
    assert PASSWORD not in f"{relay!r} {vars(relay)!r}"


def test_lmtp_needs_no_certificate_on_its_socket(tmp_path: Path) -> None:
    with Sink(path=tmp_path / "socket") as sink:
        assert deliver(f"lmtp:{tmp_path / 'socket'}", mail()) == [Sent()]
    assert len(sink.mails) == 1
