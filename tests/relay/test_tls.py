"""Relay URLs; what is encrypted, who is trusted, and where a password may go."""

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbm.server.relay import RelayUrlError, open_relay
from pbm.server.relay.connection import smtp_target
from tests.doors import Deferred, Sent
from tests.processes import run
from tests.readings import answers, sections
from tests.relay.relays import deliver, mail, make_certificate, relay_to, unreached, verdicts_of
from tests.sink import LOGIN, PASSWORD, Sink

URLS, REFUSED = sections(Path(__file__).with_name("urls.txt")).values()


def target(url: str) -> str:
    found = smtp_target(url)
    by = " by lmtp" if found.lmtp else ""
    login = f" as {found.user} with {found.password}" if found.user else ""
    place = found.host.replace(str(Path.cwd()), "HERE")
    return f"{place} {found.port} {found.tls.name.lower()}{by}{login}"


def test_a_url_says_where_and_how() -> None:
    assert answers(URLS, target) == URLS


@pytest.mark.parametrize("line", REFUSED.splitlines())
def test_a_url_that_cannot_be_used_is_told_in_a_sentence_without_the_password(line: str) -> None:
    words, _, url = line.partition("|")
    with pytest.raises(RelayUrlError) as caught:
        open_relay(url.strip(), "games.example.org")
    assert words.strip() in str(caught.value)
    assert "hush" not in str(caught.value)
    # A traceback also prints the underlying error, unless it is suppressed.
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_opening_a_relay_connects_and_creates_nothing_and_shows_no_password(tmp_path: Path) -> None:
    open_relay(f"maildir:{tmp_path / 'mail'}", "games.example.org").close()
    relay = open_relay(f"smtp://{LOGIN}@no.such.host.invalid", "games.example.org")
    assert PASSWORD not in f"{relay!r} {vars(relay)!r}"
    relay.close()
    assert list(tmp_path.iterdir()) == []


@dataclass(frozen=True)
class Certified:
    file: Path
    context: ssl.SSLContext


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    return Certified(*make_certificate(tmp_path_factory.mktemp("certificate")))


@pytest.fixture
def sinks(certified: Certified, tmp_path: Path) -> Iterator[dict[str, Sink]]:
    """Yield sinks by what they offer."""
    starttls: dict[str, Any] = {"tls_context": certified.context}
    made = {
        "starttls": Sink(logins=True, settings=starttls),
        "tls": Sink(tls=certified.context),
        "login": Sink(logins=True),
        "nothing": Sink(),
        "lmtp": Sink(path=tmp_path / "socket"),
    }
    yield made
    for sink in made.values():
        sink.loop.close()


FAR = "relay.example"
"""A name that leads to this machine, as a name server could say."""

OUTCOMES = f"""
# TLS is used when it is offered, whoever offers it.
starttls | smtp://localhost                |         -> sent in secret
starttls | smtp+starttls://localhost       | trusted -> sent in secret
starttls | smtp+starttls://localhost       |         -> waits: certificate cannot be verified
starttls | smtp+starttls://{FAR}   | trusted -> waits: certificate cannot be verified
login    | smtp+starttls://localhost       | trusted -> waits: offers no STARTTLS
# By smtps all is encrypted, from the first byte on.
tls      | smtps://localhost               | trusted -> sent
tls      | smtps://localhost               |         -> waits: certificate cannot be verified
lmtp     | lmtp                            |         -> sent
# A password leaves this machine only to whoever has proved a name, and encrypted.
login    | smtp://{LOGIN}@{FAR}          | trusted -> waits: offers no STARTTLS
starttls | smtp://{LOGIN}@{FAR}          |         -> waits: certificate cannot be verified
login    | smtp://{LOGIN}@localhost      |         -> sent as s3cret/word
login    | smtp://{LOGIN}@127.0.0.1      |         -> sent as s3cret/word
starttls | smtp+starttls://{LOGIN}@localhost | trusted -> sent in secret as s3cret/word
login    | smtp://pbm:wrongword@localhost  |         -> waits as wrongword: refuses the login
nothing  | smtp://{LOGIN}@localhost      |         -> waits: AUTH extension not supported
"""


@pytest.mark.parametrize("line", [x for x in OUTCOMES.splitlines() if "->" in x])
def test_mails_and_passwords_go_where_they_are_safe(
    sinks: dict[str, Sink], certified: Certified, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    given, _, expected = line.partition("->")
    offers, url, trusted = (word.strip() for word in given.split("|"))
    if trusted:  # as an operator does with OpenSSL
        monkeypatch.setenv("SSL_CERT_FILE", str(certified.file))
    connect = socket.create_connection

    def create_connection(address: tuple[str, int], *rest: Any, **more: Any) -> socket.socket:
        host, port = address
        return connect(("127.0.0.1" if host == FAR else host, port), *rest, **more)

    monkeypatch.setattr(socket, "create_connection", create_connection)
    with sinks[offers] as sink:
        (verdict,) = deliver(sink.relay if url == "lmtp" else f"{url}:{sink.port}", mail())
    tried = "".join(f" as {password.decode()}" for password in {*sink.passwords})
    outcome, _, words = expected.strip().partition(": ")
    if words:
        assert outcome == f"waits{tried}"
        assert isinstance(verdict, Deferred)
        assert verdict == unreached(verdict.error)
        assert words in verdict.error
        assert "wrongword" not in verdict.error
        assert sink.mails == []
    else:
        assert verdict == Sent()
        secret = " in secret" if sink.mails[0].encrypted else ""
        assert outcome == f"sent{secret}{tried}"


@pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])
def test_mails_wait_while_a_certificate_is_expired_and_go_out_once_it_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    file, context = make_certificate(tmp_path)
    expired, key = tmp_path / "expired.pem", tmp_path / "key.pem"
    run("openssl", "x509", "-in", file, "-signkey", key, "-days", "-1", "-out", expired)
    monkeypatch.setenv("SSL_CERT_FILE", str(expired))
    context.load_cert_chain(expired, key)
    made = Sink(tls=context) if scheme == "smtps" else Sink(settings={"tls_context": context})
    with made as sink, relay_to(f"{scheme}://localhost:{sink.port}") as relay:
        waiting = mail()
        assert verdicts_of(relay, waiting) == [
            unreached("The relay's certificate cannot be verified: certificate has expired.")
        ]
        context.load_cert_chain(file, key)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert verdicts_of(relay, waiting) == [Sent()]
    assert len(sink.mails) == 1
