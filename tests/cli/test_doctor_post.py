"""`pbm doctor` on the path of mails: relay, domain, certificate."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.x509 import load_pem_x509_certificate

from pbm.diagnosis.net import certificate
from tests.cli.patients import found
from tests.relay.relays import make_certificate
from tests.sink import LOGIN, PASSWORD, Sink

pytestmark = pytest.mark.usefixtures("table")

DAY = timedelta(days=1)


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


def test_a_relay_that_throws_mails_away_is_warned_of() -> None:
    assert found("relay", "--relay", "null:")[0] == "warn"


@pytest.mark.parametrize("url", ["pigeon:post", "smtp://", "smtp://bob:hun/ter22@relay.example"])
def test_a_relay_url_that_cannot_be_read_is_told_without_its_password(url: str) -> None:
    level, text = found("relay", "--relay", url)
    assert level == "FAIL"
    assert "ter22" not in text


def test_a_relay_that_does_not_answer_is_told() -> None:
    level, text = found("relay", "--relay", "smtp://127.0.0.1:1")
    assert (level, text) == (
        "FAIL", "127.0.0.1:1: The relay cannot be used: Connection refused."
    )  # fmt: skip


def test_a_relay_is_greeted_logged_in_at_and_sent_no_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, context = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with Sink(logins=True, settings={"tls_context": context}) as sink:
        where = f"localhost:{sink.port}"
        told = found("relay", "--relay", f"smtp+starttls://{LOGIN}@{where}")
        assert told == ("ok", f"{where} answers under TLS and takes the login")
        level, text = found("relay", "--relay", f"smtp+starttls://pbm:wrong-one@{where}")
        assert (level, text) == ("FAIL", f"{where}: The relay refuses the login (code 535).")
    assert sink.passwords[0] == PASSWORD.encode()
    assert sink.greeted[0] == "localhost"
    assert sink.mails == []


def test_a_relay_whose_certificate_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    _, context = make_certificate(tmp_path)
    with Sink(settings={"tls_context": context}) as sink:
        where = f"localhost:{sink.port}"
        level, text = found("relay", "--relay", f"smtp+starttls://{where}")
        assert (level, "certificate cannot be verified" in text) == ("FAIL", True)
        assert found("relay", "--relay", f"smtp://{where}")[1] == f"{where} answers under TLS"


def test_a_relay_that_offers_no_tls_will_do_unless_it_is_demanded(tmp_path: Path) -> None:
    with Sink() as sink:
        where = f"127.0.0.1:{sink.port}"
        assert found("relay", "--relay", f"smtp://{where}") == (
            "ok", f"{where} answers without TLS"
        )  # fmt: skip
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
    ("answer", "level", "text"),
    [
        (["192.0.2.2", "192.0.2.1"], "ok", "games.pbm.test is 192.0.2.1, 192.0.2.2."),
        (socket.EAI_NONAME, "warn", "games.pbm.test has no address of its own, so it needs"),
        (socket.EAI_AGAIN, "warn", "games.pbm.test cannot be looked up now"),
    ],
)
def test_the_domain_of_the_address_is_looked_up(
    answer: list[str] | int, level: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving(answer))
    told = found("domain", "--address", "pbm@games.pbm.test")
    assert (told[0], told[1].startswith(text)) == (level, True), told
    assert (answer == socket.EAI_AGAIN) != ("dig +short MX games.pbm.test" in told[1])


def test_localhost_needs_no_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving(socket.EAI_NONAME))
    assert found("domain")[0] == "ok"
    assert found("domain", "--address", "pbm@games.localhost")[0] == "ok"


# ---- the certificate


def test_a_certificate_that_ends_soon_is_warned_of(tmp_path: Path) -> None:
    file, _ = make_certificate(tmp_path)
    key = tmp_path / "key.pem"
    level, text = found("certificate", "--tls-certificate", str(file), "--tls-key", str(key))
    assert (level, " is good for 1 days, until " in text) == ("warn", True)


def test_a_certificate_needs_its_own_key(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        make_certificate(tmp_path / name)
    file, other = tmp_path / "one" / "certificate.pem", tmp_path / "two" / "key.pem"
    told = found("certificate", "--tls-certificate", str(file), "--tls-key", str(other))
    assert told == ("FAIL", f"the key {other} does not belong to {file}")
    for arguments in ((str(file),), ("nowhere.pem",), (str(file), "--tls-key", "nowhere.pem")):
        level, text = found("certificate", "--tls-certificate", *arguments)
        assert (level, "cannot be read" in text) == ("FAIL", True), text


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
    [
        datetime(2040, 2, 29, 23, 59, 59, tzinfo=UTC),
        datetime(2049, 12, 31, 12, 0, 0, tzinfo=UTC),
        datetime(2050, 1, 1, 0, 0, 0, tzinfo=UTC),
        datetime(2120, 6, 1, 1, 2, 3, tzinfo=UTC),
    ],
)
def test_a_certificate_that_lasts_is_read_as_openssl_reads_it(
    ends: datetime, tmp_path: Path
) -> None:
    file, key = tmp_path / "file.pem", tmp_path / "key.pem"
    begins = datetime(1955, 7, 20, 20, 17, 40, tzinfo=UTC)
    make_certificate(tmp_path)
    openssl("req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", tmp_path / "request")
    (tmp_path / "index").touch()
    (tmp_path / "settings").write_text(
        f"[ca]\ndefault_ca=own\n[own]\ndatabase={tmp_path}/index\nnew_certs_dir={tmp_path}\n"
        "default_md=sha256\npolicy=any\nrand_serial=yes\n[any]\ncommonName=supplied\n"
    )
    openssl(
        "ca", "-batch", "-selfsign", "-config", tmp_path / "settings", "-keyfile", key,
        "-in", tmp_path / "request", "-startdate", f"{begins:%Y%m%d%H%M%SZ}",
        "-enddate", f"{ends:%Y%m%d%H%M%SZ}", "-out", file,
    )  # fmt: skip
    told = certificate(str(file), str(key), datetime.now(UTC))
    assert (told.level, f"until {ends:%Y-%m-%d %H:%M} UTC" in told.text) == ("ok", True)


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
