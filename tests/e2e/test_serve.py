"""`pbm serve` as a supervisor and other servers see it: start, signals, sockets, cores, systemd."""

import fcntl
import json
import os
import re
import shutil
import signal
import smtplib
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbm.core.passwords import Wanted
from pbm.dispatch.script import Reading
from pbm.server.hashing import HashWorks
from pbm.system.cores import one_of, usable
from tests.databases import migrated_file
from tests.doors import TokenMint
from tests.e2e.people import ALICE, SERVER, letter
from tests.e2e.server import Server
from tests.e2e.systemd import Systemd
from tests.house import QUICK_PASSWORDS
from tests.processes import (
    PATIENCE,
    PBM,
    Streams,
    clean_environment,
    fork,
    lasting_port,
    run,
    run_pbm,
    start,
    until,
)
from tests.service.houses import GRAMMAR, mail
from tests.sink import Sink

NULL = ("--relay", "null:")


def test_it_says_where_it_listens_ends_with_status_0_and_keeps_what_it_took(tmp_path: Path) -> None:
    listeners = ("--smtp", "127.0.0.1:0,127.0.0.1:0", "--lmtp", str(tmp_path / "lmtp"))
    streams = Streams(errors=tmp_path / "serve.log")
    assert run_pbm("db", "upgrade", home=tmp_path).returncode == 0
    with start(
        *PBM, "serve", *listeners, "--roles", "intake",
        home=tmp_path, environment=clean_environment(), streams=streams,
    ) as process:  # fmt: skip
        lines = [process.stdout.readline() for _ in range(3)]
        ports = {int(line.removeprefix("listening smtp 127.0.0.1:")) for line in lines[:2]}
        assert (len(ports), min(ports) > 0) == (2, True)
        assert lines[2] == f"listening lmtp {tmp_path / 'lmtp'}\n"
        with smtplib.SMTP("127.0.0.1", ports.pop(), timeout=PATIENCE) as client:
            client.sendmail(ALICE, [SERVER], letter(ALICE, "signup alice green-apple-tree"))
        assert process.end() == 0
        assert process.stdout.read() == ""
    log = (tmp_path / "serve.log").read_text()
    assert ("stopping" in log, "Traceback" in log) == (True, False)
    worked = run_pbm("work", "--log-level", "INFO", home=tmp_path)
    assert (worked.returncode, "INFO pbm.play: in:1 played: signup" in worked.stderr) == (0, True)
    assert "Open your account" in run_pbm("mail", "list", home=tmp_path).stdout


ROUND_TRIP = Path(__file__).resolve().parents[2] / "deploy" / "round-trip.py"


def test_the_round_trip_of_deploy_prints_the_seconds_until_the_answer(tmp_path: Path) -> None:
    def tried(server: Server, *options: str) -> tuple[int, str]:
        asked = ("--from", "you@example.org", "--to", SERVER, "--smtp", server.address)
        maildir = ("--maildir", tmp_path / "mail")
        ended = run(sys.executable, ROUND_TRIP, *asked, *maildir, *options)
        return ended.returncode, ended.stdout + ended.stderr

    with Server(tmp_path, "--relay", f"maildir:{tmp_path / 'mail'}") as server:
        status, told = tried(server)
        assert status == 0
        assert re.fullmatch(r"answered after \d+\.\d s\n", told)
        assert server.stop() == 0
        silent = Server(tmp_path, *NULL, "--roles", "intake").start()
        assert tried(silent, "--wait", "0.2") == (1, "no answer within 0.2 s\n")
        silent.kill()
    status, told = tried(server)
    assert (status, f"{server.address} does not take the mail" in told) == (1, True)


# ---- one server for one socket


def greeting(path: Path) -> bytes:
    """Return the first word of whoever listens at a Unix socket."""
    with smtplib.LMTP(str(path)) as client:
        return client.ehlo()[1].partition(b"\n")[0]


def refusal(home: Path, *options: str) -> str:
    """Return the one line with which another server does not start."""
    ended = run_pbm("serve", *options, home=home)
    assert (ended.returncode, ended.stdout) == (1, "")
    line, *further = [line for line in ended.stderr.splitlines() if line.startswith("pbm: ")]
    assert not further
    assert "Traceback" not in ended.stderr
    return line


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "b" / "var").mkdir(parents=True)
    shutil.copyfile(migrated_file(), tmp_path / "b" / "var" / "pbm.db")
    return tmp_path


def test_a_socket_has_one_server_and_that_of_a_killed_one_is_taken_over(home: Path) -> None:
    path = home / "lmtp"
    at_path = ("--lmtp", str(path), *NULL)
    with Server(home / "a", *at_path) as first:
        line = refusal(home / "b", "--smtp", "", *at_path)
        assert line.startswith(f"pbm: {path} is taken by process {first.pid} on {os.uname()[1]}, ")
        assert line.endswith(" UTC.")
        Path(f"{path}.lock").unlink()  # as an older pbm, which makes none
        line = refusal(home / "b", "--smtp", "", *at_path)
        assert line == f"pbm: {path} is taken by another process: ss -lxp shows which."
        assert greeting(path)
        first.kill()
    assert path.is_socket()
    with Server(home / "b", *at_path) as second:
        assert greeting(path)
        assert second.stop() == 0
    assert not path.exists()
    path.write_text("mine")
    line = refusal(home / "b", "--smtp", "", *at_path)
    assert (line, path.read_text()) == (f"pbm: {path} is there, and is no socket.", "mine")


def test_a_second_server_at_a_port_is_refused_and_ctrl_c_ends_the_first(
    home: Path,
) -> None:
    with Server(home / "a", *NULL) as first:
        line = refusal(home / "b", "--smtp", first.address, *NULL)
        who = "another process: ss -ltnp shows which."
        assert line == f"pbm: {first.address} is taken by {who}"
        assert first.stop(signal.SIGINT) == 0


def test_the_web_pages_are_served_at_the_port_of_their_address(home: Path) -> None:
    (site := home / "site").mkdir()
    address = f"http://127.0.0.1:{lasting_port()}/"
    told = clean_environment(PBM_SITE_URL=address)
    with fork("site", "serve", str(site), home=home, environment=told) as served:
        assert served.stdout.readline() == f"The web pages: {address}\n"


def test_two_hosts_do_not_share_a_sqlite_file(home: Path) -> None:
    file = home / "pbm.db"
    options = (*NULL, "--database", f"sqlite:///{file}")
    beside = home / "pbm.db-host"
    beside.write_text("77 2026-11-22T03:00:00+00:00 0d5a1e6c-another-boot elsewhere\n")
    with beside.open() as held:
        # As a pbm does on a host that has the file by a network file system.
        fcntl.flock(held, fcntl.LOCK_SH)
        line = refusal(home / "b", "--smtp", "127.0.0.1:0", *options)
    holder = "process 77 on elsewhere, since 2026-11-22 03:00:00 UTC"
    assert line == (
        f"pbm: {file} is in use by {holder}, and SQLite cannot be shared between hosts. "
        "Use PostgreSQL, or stop pbm there first."
    )
    assert not file.exists()
    with Server(home / "b", *options) as alone:  # the other host has let go
        assert alone.stop() == 0


# ---- cores, as the kernel sees them (sched_setaffinity(2))

ALL = usable()
several_cores = pytest.mark.skipif(len(ALL) < 2, reason="this machine has one core")


@several_cores
@pytest.mark.parametrize(
    ("roles", "cores"),
    [
        ("intake,play,deliver,remind,think", 1),
        ("intake,deliver", 1),
        ("play", 1),
        ("intake", len(ALL)),
    ],
)
def test_a_server_keeps_to_one_core_unless_it_has_but_one_busy_role(
    tmp_path: Path, roles: str, cores: int
) -> None:
    log = tmp_path / "log"
    listens = "127.0.0.1:0" if "intake" in roles else ""
    options = ("serve", "--smtp", listens, "--roles", roles, *NULL)
    assert run_pbm("db", "upgrade", home=tmp_path).returncode == 0
    with fork(*options, home=tmp_path, streams=Streams(log, log)) as process:
        until(lambda: log.exists() and "begins: " in log.read_text(), "the process to begin")
        tasks = Path(f"/proc/{process.pid}/task").iterdir()
        assert len(set().union(*(os.sched_getaffinity(int(x.name)) for x in tasks))) == cores


@several_cores
def test_processes_spread_over_all_cores_whatever_other_houses_have_claimed() -> None:
    with ExitStack() as stack:
        for _ in range(2):
            taken: list[int] = []
            stack.enter_context(one_of(ALL, "another"))
            with ExitStack() as ours:
                for _ in ALL:
                    ours.enter_context(one_of(ALL, "ours"))
                    taken += usable()
            assert sorted(taken) == sorted(ALL)
    assert usable() == ALL
    alone: set[int] = set()
    with ExitStack() as stack:
        # Servers of other tests may have claimed some.
        for house in range(32):
            stack.enter_context(one_of(ALL, str(house)))
            alone |= usable()
    assert alone == ALL


@several_cores
@pytest.mark.parametrize("name", [b"pbm-core/evil/1", b"pbm-core/", b"caf\xe9", b"pbm-core/9" * 9])
def test_sockets_of_others_hinder_nobody_whatever_their_names(name: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(b"\0" + name)
        with one_of(ALL, "ours"):
            assert len(usable()) == 1


class Roaming:
    """The usual passwords, with the cores on which they were compared."""

    hash = QUICK_PASSWORDS.hash
    well_known = QUICK_PASSWORDS.well_known
    cores: frozenset[int] = frozenset()

    def verify(self, password_hash: str, password: str) -> bool:
        self.cores = usable()
        return QUICK_PASSWORDS.verify(password_hash, password)


@several_cores
def test_passwords_are_compared_on_all_cores_though_the_server_keeps_to_one() -> None:
    passwords = Roaming()
    works = HashWorks(passwords, ALL)
    reading = Reading(mail(), GRAMMAR, TokenMint(b"k" * 32))
    with one_of(ALL, "here"):
        works.begin(1, reading, [Wanted("secret", QUICK_PASSWORDS.hash("secret"))])
        works.wait([1])
    works.close()
    assert passwords.cores == ALL


# ---- systemd

WATCHDOG_SECONDS = 0.5


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(tmp_path / "notify", WATCHDOG_SECONDS)
    yield listening
    listening.close()


def test_systemd_hears_that_the_server_is_ready_lives_and_ends(
    tmp_path: Path, systemd: Systemd
) -> None:
    with Server(tmp_path, environment=clean_environment(**systemd.variables)) as server:
        assert systemd.hear() == ["READY=1", "STATUS=at work: deliver, intake, play, remind, think"]
        assert systemd.heard_within(2 * WATCHDOG_SECONDS).count("WATCHDOG=1") >= 4
        assert server.stop() == 0
        assert systemd.hear_of("STOPPING") == "STOPPING=1"


def test_a_stage_that_hangs_ends_the_signs_of_life_and_says_so_in_the_log(
    tmp_path: Path, systemd: Systemd
) -> None:
    environment = clean_environment(**systemd.variables)
    # A relay that lets everybody in and never says a word.
    with socket.create_server(("127.0.0.1", 0)) as relay:
        url = f"smtp://127.0.0.1:{relay.getsockname()[1]}"
        with Server(tmp_path, "--relay", url, environment=environment) as server:
            signup = letter(ALICE, "signup alice green-apple-tree")
            with smtplib.SMTP("127.0.0.1", server.port) as client:
                client.sendmail(ALICE, [SERVER], signup)
            assert systemd.hear_of("deliver for ").startswith("STATUS=stuck: ")
            assert "WATCHDOG=1" not in systemd.heard_within(WATCHDOG_SECONDS)
            assert "deliver for " in server.log
            server.stop(signal.SIGABRT)  # as systemd's watchdog does
            assert "most recent call first" in server.log
            assert "green-apple-tree" not in server.log


@pytest.mark.parametrize(
    ("deaf", "told"),
    [
        (True, "STOPPING=1: Resource temporarily unavailable"),
        (False, "READY=1: No such file or directory"),
    ],
)
def test_a_systemd_that_does_not_listen_or_is_not_there_holds_up_nothing(
    tmp_path: Path, systemd: Systemd, deaf: bool, told: str
) -> None:
    while deaf and systemd.says_to_itself("WATCHDOG=1"):
        pass
    there = {} if deaf else {"NOTIFY_SOCKET": str(tmp_path / "nobody-is-here")}
    environment = clean_environment(**{**systemd.variables, **there})
    with Server(tmp_path, environment=environment) as server:
        assert server.stop() == 0
    assert f"systemd cannot be told {told}" in server.log


# ---- the postmaster (RFC 5321 section 4.5.1)


def write_to_the_postmaster(server: Server) -> None:
    with smtplib.SMTP(server.host, server.port, timeout=PATIENCE) as client:
        client.ehlo()
        client.mail("carol@example.net")
        assert client.rcpt("Postmaster")[0] == client.rcpt("abuse@localhost")[0] == 250
        assert client.rcpt("nobody@localhost")[0] == 550
        client.data(letter("carol@example.net", "Spam from you", to="postmaster@localhost"))


def test_mail_to_the_postmaster_goes_to_the_operator(tmp_path: Path) -> None:
    with (
        Sink() as sink,
        Server(tmp_path, "--relay", sink.relay, "--operator", "operator@example.com") as server,
    ):
        write_to_the_postmaster(server)
        sink.wait(lambda mails: mails, "a mail for the operator")
        assert sink.mails[0].recipient == "operator@example.com"
        assert "Somebody wrote to the postmaster" in sink.mails[0].subject


def test_mail_to_the_postmaster_waits_until_there_is_an_operator(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        write_to_the_postmaster(server)
        (kept,) = until(
            lambda: json.loads(run_pbm("shunt", "list", "--json", home=tmp_path).stdout),
            "a mail in the shunt",
        )
    assert kept["error"] == "NoOperatorError"
    named = clean_environment(PBM_OPERATOR="operator@example.com")
    for words in (("shunt", "retry", str(kept["id"])), ("work",), ("mail", "show", "1")):
        shown = run_pbm(*words, home=tmp_path, environment=named).stdout
    assert "To: operator@example.com" in shown
    assert "Somebody wrote to the postmaster" in shown
