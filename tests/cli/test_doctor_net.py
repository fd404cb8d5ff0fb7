"""`pbm doctor` on what others see: listeners, the relay, the domain, the certificate, the MTA."""

import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.x509 import load_pem_x509_certificate

from pbm.diagnosis.net import certificate
from tests.cli.terminal import found
from tests.relay.relays import make_certificate
from tests.sink import LOGIN, PASSWORD, Sink
from tests.smtp.house import House

pytestmark = pytest.mark.usefixtures("table")

DAY = timedelta(days=1)
NOBODY_THERE = "smtp://127.0.0.1:1"


# ---- the listeners


@contextmanager
def saying(words: bytes) -> Iterator[str]:
    """Run a program that says this to whoever connects; yield where."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            wire, _ = server.accept()
            with wire:
                wire.sendall(words)

        thread = threading.Thread(target=greet)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_each_listener_that_greets_is_told_also_behind_a_proxy(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with House(lmtp=path) as house:
        at = str(house.endpoint("smtp"))
        told = found("listeners", "--smtp", at, "--lmtp", str(path))
        assert told == ("ok", f"pbm answers at smtp {at}, lmtp {path}")
    with House(proxy_protocol=True) as house:
        at = str(house.endpoint("smtp"))
        assert found("listeners", "--smtp", at, "--proxy-protocol")[0] == "ok"


def test_nobody_or_another_program_at_a_listener_that_was_named_is_a_fault() -> None:
    nobody = "nobody answers at smtp 127.0.0.1:1 (Connection refused): is pbm serve running?"
    assert found("listeners", "--smtp", "127.0.0.1:1") == ("FAIL", nobody)
    Path("pbm.toml").write_text('lmtp = "./nowhere"\nsmtp = ""\n')
    level, text = found("listeners")
    assert (level, "nobody answers at lmtp nowhere (No such file" in text) == ("FAIL", True)
    Path("pbm.toml").unlink()
    with saying(b"220 mail.example.org ESMTP Postfix\r\n") as at:
        told = found("listeners", "--smtp", at)
    assert told == ("FAIL", f"another program than pbm answers at smtp {at}")


# ---- the relay


def test_a_maildir_must_be_a_directory_or_become_one() -> None:
    assert found("relay", "--relay", "maildir:new/box")[0] == "ok"
    assert not Path("new").exists()
    Path("file").touch()
    for place in ("file", "file/box"):
        level, text = found("relay", "--relay", f"maildir:{place}")
        assert (level, "is not a directory" in text) == ("FAIL", True)
    Path("box").mkdir()
    Path("box/new").touch()
    assert found("relay", "--relay", "maildir:box")[0] == "FAIL"


def test_a_relay_that_cannot_be_used_is_told_without_its_password() -> None:
    assert found("relay", "--relay", "null:")[0] == "warn"  # it throws mails away
    for url in ("pigeon:post", "smtp://", "smtp://bob:hun/ter22@relay.example"):
        level, text = found("relay", "--relay", url)
        assert (level, "ter22" in text) == ("FAIL", False)
    refused = "127.0.0.1:1: The relay cannot be used: Connection refused."
    assert found("relay", "--relay", NOBODY_THERE) == ("FAIL", refused)


def test_a_relay_is_greeted_logged_in_at_and_sent_no_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, context = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with Sink(logins=True, settings={"tls_context": context}) as sink:
        where = f"localhost:{sink.port}"
        told = found("relay", "--relay", f"smtp+starttls://{LOGIN}@{where}")
        assert told == ("ok", f"{where} answers under TLS and takes the login")
        told = found("relay", "--relay", f"smtp+starttls://pbm:wrong-one@{where}")
        assert told == ("FAIL", f"{where}: The relay refuses the login (code 535).")
    assert sink.passwords[0] == PASSWORD.encode()
    assert sink.greeted[0] == "localhost"
    assert sink.mails == []


def test_tls_is_demanded_only_where_the_url_says_so(tmp_path: Path) -> None:
    _, context = make_certificate(tmp_path)
    with Sink(settings={"tls_context": context}) as sink:
        where = f"localhost:{sink.port}"
        level, text = found("relay", "--relay", f"smtp+starttls://{where}")
        assert (level, "certificate cannot be verified" in text) == ("FAIL", True)
        assert found("relay", "--relay", f"smtp://{where}")[1] == f"{where} answers under TLS"
    with Sink() as sink:
        where = f"127.0.0.1:{sink.port}"
        without = ("ok", f"{where} answers without TLS")
        assert found("relay", "--relay", f"smtp://{where}") == without
        assert "offers no STARTTLS" in found("relay", "--relay", f"smtp+starttls://{where}")[1]
    path = tmp_path / "lmtp"
    with Sink(path=path):
        assert found("relay", "--relay", f"lmtp:{path}") == ("ok", f"{path} answers without TLS")


# ---- the domain


def resolving(answer: list[str] | int) -> Callable[..., Any]:
    def getaddrinfo(*_: Any, **__: Any) -> Any:
        if isinstance(answer, int):
            raise socket.gaierror(answer, "as the name server says")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 25)) for each in answer]

    return getaddrinfo


@pytest.mark.parametrize(
    ("domain", "answer", "level", "text"),
    [
        ("games.pbm.test", ["192.0.2.2", "192.0.2.1"], "ok",
         "games.pbm.test is 192.0.2.1, 192.0.2.2."),
        ("games.pbm.test", socket.EAI_NONAME, "warn", "games.pbm.test has no address of its own"),
        ("games.pbm.test", socket.EAI_AGAIN, "warn", "games.pbm.test cannot be looked up now"),
        ("localhost", socket.EAI_NONAME, "ok", ""),
        ("games.localhost", socket.EAI_NONAME, "ok", ""),
    ],
)  # fmt: skip
def test_the_domain_of_the_address_is_looked_up_unless_it_is_this_host(
    domain: str, answer: list[str] | int, level: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving(answer))
    told = found("domain", "--address", f"pbm@{domain}")
    assert (told[0], told[1].startswith(text)) == (level, True), told
    if text:
        assert (answer == socket.EAI_AGAIN) != ("dig +short MX games.pbm.test" in told[1])


# ---- the certificate


def test_a_certificate_that_ends_soon_or_has_another_key_is_told(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        make_certificate(tmp_path / name)
    file, other = str(tmp_path / "one" / "certificate.pem"), str(tmp_path / "two" / "key.pem")
    for arguments, level, words in (
        ((file, "--tls-key", str(tmp_path / "one" / "key.pem")), "warn", "is good for 1 days, unt"),
        ((file, "--tls-key", other), "FAIL", f"the key {other} does not belong to {file}"),
        ((file,), "FAIL", "cannot be read"),
        (("nowhere.pem",), "FAIL", "cannot be read"),
        ((file, "--tls-key", "nowhere.pem"), "FAIL", "cannot be read"),
    ):
        told = found("certificate", "--tls-certificate", *arguments)
        assert (told[0], words in told[1]) == (level, True), told


def test_a_key_that_needs_a_password_is_refused_and_nobody_asked_for_it(tmp_path: Path) -> None:
    file, _ = make_certificate(tmp_path)
    locked = tmp_path / "locked.pem"
    openssl("ec", "-in", tmp_path / "key.pem", "-aes256", "-passout", "pass:secret", "-out", locked)
    # OpenSSL asks at a terminal, so the test needs one.
    at_a_terminal = (sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])")
    doctor = (sys.executable, "-m", "pbm", "doctor", "certificate", "--tls-certificate")
    typed = subprocess.run(
        [*at_a_terminal, *doctor, file, "--tls-key", locked],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    assert typed.stdout.startswith(f"FAIL certificate: {file} or its key {locked} cannot be read")


def test_the_days_that_are_left_are_counted(tmp_path: Path) -> None:
    file, _ = make_certificate(tmp_path)
    key = str(tmp_path / "key.pem")
    shown = load_pem_x509_certificate(file.read_bytes())
    begins, ends = shown.not_valid_before_utc, shown.not_valid_after_utc
    assert ends - begins == 2 * DAY
    for now, level, words in (
        (begins, "warn", "is good for 2 days"),
        (ends - 14 * DAY, "FAIL", "is not valid before"),
        (begins - timedelta(seconds=1), "FAIL", "is not valid before"),
        (ends - timedelta(seconds=1), "warn", "is good for 0 days"),
        (ends, "FAIL", "expired on"),
    ):
        told = certificate(str(file), key, now)
        assert (told.level, words in told.text) == (level, True), told


@pytest.mark.parametrize(
    "ends",
    ["2040-02-29 23:59:59", "2049-12-31 12:00:00", "2050-01-01 00:00:00", "2120-06-01 01:02"],
)
def test_a_certificate_that_lasts_is_read_as_openssl_reads_it(ends: str, tmp_path: Path) -> None:
    last = datetime.fromisoformat(ends).replace(tzinfo=UTC)
    file, key = tmp_path / "file.pem", tmp_path / "key.pem"
    make_certificate(tmp_path)
    openssl("req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", tmp_path / "request")
    (tmp_path / "index").touch()
    (tmp_path / "settings").write_text(
        f"[ca]\ndefault_ca=own\n[own]\ndatabase={tmp_path}/index\nnew_certs_dir={tmp_path}\n"
        "default_md=sha256\npolicy=any\nrand_serial=yes\n[any]\ncommonName=supplied\n"
    )
    openssl(
        "ca", "-batch", "-selfsign", "-config", tmp_path / "settings", "-keyfile", key,
        "-in", tmp_path / "request", "-startdate", "19550720201740Z",
        "-enddate", f"{last:%Y%m%d%H%M%SZ}", "-out", file,
    )  # fmt: skip
    told = certificate(str(file), str(key), datetime.now(UTC))
    assert (told.level, f"until {last:%Y-%m-%d %H:%M} UTC" in told.text) == ("ok", True)


def openssl(*arguments: str | Path) -> None:
    tool = shutil.which("openssl")
    assert tool is not None
    subprocess.run([tool, *arguments], check=True, capture_output=True)


# ---- the MTA of this host

LMTP = ("--lmtp", "/var/spool/postfix/pbm/lmtp", "--address", "pbm@games.pbm.test")
REFUSED = "550 5.1.1 User unknown"
NOBODY = {"no-such-address@games.pbm.test": REFUSED}


@pytest.mark.parametrize(
    ("answers", "level", "text"),
    [
        (NOBODY, "ok", "takes mails to pbm@games.pbm.test, to its replies and bounces"),
        ({}, "FAIL", "takes no-such-address@games.pbm.test, and would have to send it back"),
        ({**NOBODY, "bounce+doctor@games.pbm.test": REFUSED}, "FAIL",
         "refuses bounce+doctor@games.pbm.test (550 5.1.1 User unknown): see deploy/README.md"),
        ({**NOBODY, "postmaster@games.pbm.test": REFUSED}, "FAIL", "refuses postmaster@"),
    ],
)  # fmt: skip
def test_the_front_mta_is_asked_what_it_takes_and_gets_no_mail(
    answers: dict[str, str], level: str, text: str
) -> None:
    with Sink(answers) as sink:
        told = found("front", "--relay", f"smtp://127.0.0.1:{sink.port}", *LMTP)
    assert (told[0], text in told[1]) == (level, True), told
    assert sink.mails == []


def test_an_mta_that_is_not_on_this_host_is_not_asked() -> None:
    for relay in ("smtp://relay.example:25", "maildir:box", "pigeon:post"):
        assert found("front", "--relay", relay, *LMTP)[0] == "ok"
