"""`pbm doctor` on what others see: listeners, relay, domain, certificate, MTA and name server.

More of it is in tests/conversations/operator_doctor.txt.
"""

import json
import os
import shutil
import smtplib
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest
from cryptography.x509 import load_pem_x509_certificate

from pbm.operator.doctor.net import certificate
from tests.cli.terminal import done, found, pbm
from tests.relay.relays import make_certificate
from tests.sink import LOGIN, PASSWORD, Sink
from tests.smtp.house import House

pytestmark = pytest.mark.usefixtures("table")

DAY = timedelta(days=1)


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


def test_another_program_at_a_listener_that_was_named_is_a_fault() -> None:
    with saying(b"220 mail.example.org ESMTP Postfix\r\n") as at:
        told = found("listeners", "--smtp", at)
    other = f"another program than pbm answers at smtp {at}: ss -ltnp shows which"
    assert told == ("FAIL", other)


# ---- the relay


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
         "refuses bounce+doctor@games.pbm.test (550 5.1.1 User unknown): pbm setup prints"),
        ({**NOBODY, "postmaster@games.pbm.test": REFUSED}, "FAIL", "refuses postmaster@"),
        (NOBODY, "warn", "and to nobody else, but offers no STARTTLS: pbm setup prints the lines"),
    ],
)  # fmt: skip
def test_the_front_mta_is_asked_what_it_takes_and_gets_no_mail(
    answers: dict[str, str], level: str, text: str, tmp_path: Path
) -> None:
    _, context = make_certificate(tmp_path)
    with Sink(answers, settings={} if level == "warn" else {"tls_context": context}) as sink:
        told = found("front", "--relay", f"smtp://127.0.0.1:{sink.port}", *LMTP)
    assert (told[0], text in told[1]) == (level, True), told
    assert sink.mails == []


@pytest.mark.parametrize(
    ("said", "level", "text"),
    [
        ("normalize", "ok", "and to nobody else"),
        ("no", "warn", "but needs smtpd_forbid_bare_newline = yes"),
        ("", "warn", "but needs smtpd_forbid_bare_newline = yes"),  # too old to know it
    ],
)
def test_a_postfix_that_takes_bare_newlines_is_told(
    said: str, level: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postconf = tmp_path / "postconf"
    postconf.write_text(f'#!/bin/sh\n[ "$2" = smtpd_forbid_bare_newline ] && echo "{said}"\n')
    postconf.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    _, context = make_certificate(tmp_path)
    with Sink(NOBODY, settings={"tls_context": context}) as sink:
        told = found("front", "--relay", f"smtp://127.0.0.1:{sink.port}", *LMTP)
    assert (told[0], text in told[1]) == (level, True), told


# ---- the records of the domain, asked of a real name server on a port of the test's

DOMAIN = "games.pbm.test"
ADDRESS = ("--address", f"pbm@{DOMAIN}")

Zone = Mapping[tuple[str, str], tuple[str, ...]]

COMPLETE: Zone = {
    (DOMAIN, "MX"): ("10 mail.pbm.test.",),
    (DOMAIN, "TXT"): ('"google-site=1"', '"v=spf1 mx" " -all"'),
    (f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=quarantine"',),
    ("mail.pbm.test", "A"): ("192.0.2.7",),
    ("mail.pbm.test", "AAAA"): ("2001:db8::7",),
    ("7.2.0.192.in-addr.arpa", "PTR"): ("mail.pbm.test.",),
    (f"7.{'0.' * 23}8.b.d.0.1.0.0.2.ip6.arpa", "PTR"): ("mail.pbm.test.",),
}


@contextmanager
def name_server(zone: Zone, trouble: dns.rcode.Rcode = dns.rcode.NXDOMAIN) -> Iterator[str]:
    """Yield the address of a name server that knows `zone`; of other names it says `trouble`."""

    class Answering(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            octets, sock = self.request
            question = dns.message.from_wire(octets)
            answer = dns.message.make_response(question)
            asked = question.question[0]
            name, kind = asked.name.to_text(omit_final_dot=True), asked.rdtype.name
            found = zone.get((name.lower(), kind), ())
            if found:
                answer.answer.append(dns.rrset.from_text(asked.name, 60, "IN", kind, *found))
            elif all(name.lower() != known for known, _ in zone):
                answer.set_rcode(trouble)
            answer.flags |= dns.flags.RA
            sock.sendto(answer.to_wire(), self.client_address)

    with socketserver.UDPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def looked(zone: Zone, *arguments: str) -> dict[str, tuple[str, str]]:
    """Return level and text of each record."""
    with name_server(zone) as server:
        typed = pbm("doctor", "--dns", "--name-server", server, "--json", *ADDRESS, *arguments)
    told = {each["name"]: (each["level"], each["text"]) for each in json.loads(typed.out)}
    assert typed.status == int("FAIL" in {level for level, _ in told.values()})
    return told


def test_records_that_are_set_are_found() -> None:
    assert pbm("dkim", "new", "key.pem", *ADDRESS).status == 0
    line = done("dkim", "show", "--dkim-key", "key.pem", *ADDRESS)
    text = line.partition("( ")[2].rpartition(" )")[0]
    zone = {**COMPLETE, (f"pbm._domainkey.{DOMAIN}", "TXT"): (text,)}
    told = looked(zone, "--dkim-key", "key.pem")
    assert list(told) == ["MX", "address", "PTR", "SPF", "DKIM", "DMARC"]
    assert {level for level, _ in told.values()} == {"ok"}, told
    assert told["DKIM"][1].startswith(line.strip())
    assert told["address"][1].endswith("is 192.0.2.7 and 2001:db8::7")


def test_of_a_bare_domain_each_record_is_told_as_it_is_written_into_a_zone() -> None:
    told = looked({(DOMAIN, "A"): ("192.0.2.7",)})
    assert told["MX"] == ("FAIL", f"{DOMAIN}. MX 10 HOST.   is not set: nobody's mail arrives")
    assert told["SPF"][0] == told["DMARC"][0] == "FAIL"
    assert f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=quarantine; rua=mailto:post' in told["DMARC"][1]
    assert told["DKIM"][1].endswith("there is no key yet: see pbm dkim new")


@pytest.mark.parametrize(
    ("changed", "name", "level", "text"),
    [
        ({(DOMAIN, "TXT"): ('"v=spf1 -all"', '"v=spf1 mx -all"')}, "SPF", "FAIL", "set twice"),
        ({(f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=none"',)}, "DMARC", "warn", "for nothing"),
        ({("7.2.0.192.in-addr.arpa", "PTR"): ("static.isp.test.",)}, "PTR", "FAIL",
         "192.0.2.7 is called static.isp.test"),
    ],
)  # fmt: skip
def test_a_record_that_is_wrong_is_told(changed: Zone, name: str, level: str, text: str) -> None:
    found = looked({**COMPLETE, **changed})[name]
    assert (found[0], text in found[1]) == (level, True), found


def test_the_mta_of_this_host_says_by_which_name_it_is_known() -> None:
    with Sink() as sink:
        relay = ("--relay", f"smtp://127.0.0.1:{sink.port}")
        with smtplib.SMTP("127.0.0.1", sink.port) as client:
            name = client.ehlo()[1].decode().split()[0]
        found = looked(COMPLETE, *relay)["MX"]
    assert found == ("warn", f"{DOMAIN}. MX 10 {name}.   differs: mails go to mail.pbm.test")


def test_a_name_server_in_trouble_is_told_and_what_to_set_all_the_same() -> None:
    with name_server({}, dns.rcode.SERVFAIL) as server:
        told = pbm("doctor", "--dns", "--name-server", server, *ADDRESS)
    assert f"MX: {DOMAIN}. MX 10 HOST.   cannot be looked up" in told.out
