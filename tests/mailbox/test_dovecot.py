"""Servers that fetch from a real Dovecot."""

import os
import re
import signal
import smtplib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.cli import main
from pbm.server.mailbox import connection, fetching
from tests.e2e.people import PASSWORD as WORD
from tests.e2e.people import Person, begin_match, take_turn
from tests.e2e.server import Server
from tests.mailbox.dovecot import ADDRESS, MISSING, PASSWORD, Dovecot, dovecot, is_installed, token
from tests.processes import Process, Program, Streams, clean_environment, fork, run_pbm, until
from tests.sink import Sink

pytestmark = pytest.mark.skipif(not is_installed(), reason=MISSING)


@pytest.fixture(scope="module")
def sink() -> Iterator[Sink]:
    """The host to which the provider passes on what is submitted."""
    with Sink() as served:
        yield served


@pytest.fixture(scope="module")
def provider(sink: Sink) -> Iterator[Dovecot]:
    with dovecot(sink.port) as running:
        yield running


@pytest.fixture
def box(provider: Dovecot) -> Dovecot:
    """A provider whose mailbox is empty."""
    provider.empty()
    return provider


def server(
    home: Path, box: Dovecot, *options: str, password: str = PASSWORD, program: Program = main
) -> Server:
    return Server(
        home, "--address", ADDRESS, "--mailbox", box.url, "--no-robots", *options,
        "--mailbox-password-command", f"echo {password}", "--mailbox-since", "2026-01-01",
        environment=clean_environment(SSL_CERT_FILE=box.certificate), program=program,
    )  # fmt: skip


def question(number: int = 0, *, named: bool = True) -> bytes:
    message_id = f"Message-ID: <{number}@example.com>\r\n" if named else ""
    head = f"From: p{number}@example.com\r\nTo: {ADDRESS}\r\n{message_id}Subject: games\r\n"
    return f"{head}\r\n\r\n".encode()


def answers(home: Path) -> list[Path]:
    return [*(home / "var/mail/new").glob("*")]


def stored(home: Path, table: str, column: str) -> list[str]:
    with sqlite3.connect(home / "var/pbm.db") as database:
        return [value for (value,) in database.execute(f"SELECT {column} FROM {table}")]


def taken(home: Path) -> list[str]:
    return stored(home, "inbox", "content_key")


def test_a_mail_is_answered_within_two_seconds(tmp_path: Path, box: Dovecot) -> None:
    with server(tmp_path, box):
        box.deliver(question(1))
        until(lambda: answers(tmp_path), "the first answer")
        began = time.monotonic()
        box.deliver(question(2))
        until(lambda: len(answers(tmp_path)) == 2, "the second answer")
        assert time.monotonic() - began < 2
        until(lambda: not box.maildir(), "the move")
    assert len(box.maildir("pbm")) == 2


@pytest.mark.slow
def test_three_hundred_mails_wait_no_longer_than_half_a_minute(
    tmp_path: Path, box: Dovecot
) -> None:
    for number in range(300):
        box.deliver(question(number % 3, named=False), sender="p@example.com")
    with server(tmp_path, box):
        began = time.monotonic()
        until(lambda: not box.maildir(), "300 mails")
        assert time.monotonic() - began < 30
    assert len(taken(tmp_path)) == 300


@pytest.mark.slow
def test_a_server_that_is_killed_thirty_times_loses_and_doubles_nothing(
    tmp_path: Path, box: Dovecot
) -> None:
    home = server(tmp_path, box, "--roles", "intake,fetch")
    for number in range(30):
        box.deliver(question(number, named=number % 2 == 0))
        home.start()
        time.sleep(0.01 * number)
        home.kill()
    with home:
        until(lambda: not box.maildir(), "the last mails")
    assert len(taken(tmp_path)) == 30


@pytest.mark.slow
def test_two_fetchers_of_one_mailbox_take_each_mail_once(tmp_path: Path, box: Dovecot) -> None:
    for number in range(60):
        box.deliver(question(number, named=number % 2 == 0))
    one = server(tmp_path, box, "--roles", "intake,fetch")
    with one, Server(tmp_path, *one._options, environment=one._environment, program=one._program):
        until(lambda: not box.maildir(), "60 mails")
    assert len(taken(tmp_path)) == 60


@pytest.mark.slow
def test_fetching_goes_on_when_the_provider_is_back(tmp_path: Path, box: Dovecot) -> None:
    with server(tmp_path, box) as serving:
        box.deliver(question(1))
        until(lambda: answers(tmp_path), "an answer")
        box.stop()
        until(lambda: "the mailbox cannot be read" in serving.log, "the log")
        box.start()
        box.deliver(question(2))
        until(lambda: len(answers(tmp_path)) == 2, "an answer after the outage")
        assert "the mailbox works again" in serving.log


def impatient(arguments: list[str]) -> None:
    """Be a `pbm` for which a mailbox that says nothing is lost after two seconds."""
    fetching.IDLE_SECONDS = connection.TIMEOUT = 1.0
    main(arguments)


@pytest.mark.slow
def test_a_connection_that_is_half_dead_is_made_again(tmp_path: Path, box: Dovecot) -> None:
    with server(tmp_path, box, program=impatient) as serving:
        box.deliver(question(1))
        until(lambda: answers(tmp_path), "an answer")
        frozen = box.sessions()[-1]
        os.kill(frozen, signal.SIGSTOP)
        box.deliver(question(2))
        until(lambda: len(answers(tmp_path)) == 2, "an answer by another connection")
        assert box.sessions()[-1] != frozen
        assert serving.stop() == 0
    os.kill(frozen, signal.SIGKILL)


def test_a_wrong_password_is_said_in_the_log(tmp_path: Path, box: Dovecot) -> None:
    with server(tmp_path, box, password="wrong-word") as serving:
        until(lambda: "cannot be read: [AUTHENTICATIONFAILED]" in serving.log, "the log")
        assert serving.stop() == 0
    assert "wrong-word" not in serving.log


@pytest.mark.slow
def test_a_token_is_asked_for_at_each_login(tmp_path: Path, box: Dovecot, sink: Sink) -> None:
    sink.mails.clear()
    (tmp_path / "token").write_text(token(good_for=-60))
    relay = box.relay_url.replace(f":{PASSWORD}@", "@")
    options = ("--relay", relay, "--mailbox-auth", "xoauth2")
    with server(tmp_path, box, *options, password=f"$(cat {tmp_path}/token)") as serving:
        until(lambda: "cannot be read: [AUTHENTICATIONFAILED]" in serving.log, "the log")
        (tmp_path / "token").write_text(token())
        box.deliver(question(1))
        sink.wait(lambda mails: mails, "the answer")
        assert serving.stop() == 0


@pytest.mark.slow
def test_a_full_mailbox_is_emptied(tmp_path: Path) -> None:
    with dovecot(most=3) as box:
        for number in range(3):
            box.deliver(question(number))
        with pytest.raises(smtplib.SMTPDataError, match="Quota exceeded"):
            box.deliver(question(3))
        with server(tmp_path, box) as serving:
            until(lambda: len(answers(tmp_path)) == 3, "the answers")
            until(lambda: len(box.maildir("pbm")) == 3, "the moves")
            assert serving.stop() == 0
        assert "cannot be read" not in serving.log


class Distant(Person):
    """A player whose mails come to the provider."""

    def hand_in(self, content: bytes, to: str = "") -> None:
        self.host.deliver(content, to or self.server, self.address)


@pytest.mark.slow
def test_a_match_and_a_robot_are_played_by_the_mailbox(
    tmp_path: Path, box: Dovecot, sink: Sink
) -> None:
    sink.mails.clear()
    options = ("--address", ADDRESS, "--mailbox", box.url, "--relay", box.relay_url)
    account = ("--mailbox-password-command", f"echo {PASSWORD}", "--mailbox-since", "2026-01-01")
    environment = clean_environment(SSL_CERT_FILE=box.certificate)
    alice, bob = (Distant(name, box, sink, server=ADDRESS) for name in ("alice", "bob"))
    accounts = tuple((each.name, WORD) for each in (alice, bob))
    with Server(
        tmp_path, *options, *account, environment=environment, accounts=accounts
    ) as serving:
        mail, _ = begin_match(alice, bob, WORD)
        players = [alice, bob]
        for number, move in enumerate(("C3", "C4", "B3", "B4", "D3", "D4", "A3", "E4")):
            mail = take_turn(players[number % 2], players[1 - number % 2], mail, move)
        alice.answer(mail, "E3")
        alice.next("You won")
        bob.next("You lost")
        alice.write(f"gonnect challenge alice {WORD} robot-1 -size=5")
        alice.answer(alice.next("your move"), "C3")
        alice.next("You played C3. robot-1")
        assert serving.stop() == 0
    assert "Traceback" not in serving.log
    names = [each.message_id for each in sink.mails]
    assert len(set(names)) == len(names)


def test_work_fetches_once(tmp_path: Path, box: Dovecot) -> None:
    home = server(tmp_path, box)
    with home:
        pass
    box.deliver(question(1))
    said = home.pbm("work", *home._options[:-2], "--mailbox-since", "2026-01-01")
    assert said == "1 mail fetched, 1 mail played, 1 handed to the relay\n"
    assert len(answers(tmp_path)) == 1


@pytest.mark.slow
def test_a_reply_is_found_by_its_token_even_in_junk(
    tmp_path: Path, box: Dovecot, sink: Sink
) -> None:
    sink.mails.clear()
    home = server(tmp_path, box, "--relay", box.relay_url)
    with home:
        box.deliver(signup("p1"))
        box.deliver(signup("p2"))
        sink.wait(lambda mails: len(mails) == 2, "two questions")
        asked = {mail.recipient: mail.message["Reply-To"].addresses[0] for mail in sink.mails}
        box.deliver(signup("p1", "yes"), asked["p1@example.com"].addr_spec)
        sink.wait(lambda mails: len(mails) == 3, "the welcome")
        assert home.stop() == 0
    box.deliver(signup("p2", "yes", asked["p2@example.com"].addr_spec))
    box.into_junk()
    with home:
        sink.wait(lambda mails: len(mails) == 4, "the welcome of a reply in Junk")
    assert [mail.recipient for mail in sink.mails[2:]] == ["p1@example.com", "p2@example.com"]


def signup(name: str, text: str = "", to: str = ADDRESS) -> bytes:
    head = f"From: {name}@example.com\r\nTo: {to}\r\nSubject: {text and 'Re: '}signup {name}\r\n"
    return f"{head}\r\n{text}\r\n".encode()


def report(to: str, copy: bytes, answered: str = "<x@provider.example>") -> bytes:
    status = "Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; p1@example.com\r\n"
    head = (
        f"From: MAILER-DAEMON@provider.example\r\nTo: {to}\r\nSubject: Undelivered\r\n"
        f"Message-ID: <r1@provider.example>\r\nIn-Reply-To: {answered}\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n"
        "--x\r\n\r\nNo such user.\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"{status}Action: failed\r\nStatus: 5.1.1\r\n\r\n"
        "--x\r\nContent-Type: message/rfc822\r\n\r\n"
    )
    return head.encode() + copy + b"\r\n--x--\r\n"


@pytest.mark.slow
@pytest.mark.parametrize("known_by", ["address", "copy", "answer"])
def test_a_mail_that_comes_back_is_noted(
    tmp_path: Path, box: Dovecot, sink: Sink, known_by: str
) -> None:
    sink.mails.clear()
    relay = box.relay_url.replace(f":{PASSWORD}@", "@")
    strict = known_by != "address"
    options = ("--relay", relay, *(["--mailbox-strict"] if strict else []))
    with server(tmp_path, box, *options) as serving:
        box.deliver(question(1))
        sink.wait(lambda mails: mails, "the answer")
        (answer,) = sink.mails
        tagged = re.fullmatch(r"me\+bounce-[a-z2-7]{24}@provider\.example", answer.sender)
        assert answer.sender == ADDRESS if strict else tagged
        copy = answer.content if known_by == "copy" else b""
        answered = {"answered": answer.message_id} if known_by == "answer" else {}
        box.deliver(report(answer.sender, copy, **answered), answer.sender, sender="")
        until(lambda: "The mail bounced 5.1.1" in stored(tmp_path, "outbox", "error"), "the report")
        assert serving.stop() == 0


OWN = "me+pbm@provider.example"


@pytest.mark.slow
def test_a_plus_address_of_ones_own_mailbox_opens_no_other_mail(
    tmp_path: Path, box: Dovecot, sink: Sink
) -> None:
    sink.mails.clear()
    with server(tmp_path, box, "--relay", box.relay_url, "--address", OWN) as serving:
        box.deliver(question(1))
        box.deliver(signup("p1", to=OWN), OWN)
        sink.wait(lambda mails: mails, "the question")
        (asked,) = sink.mails
        assert re.fullmatch(r"me\+pbm-[a-z2-7]{42}@provider\.example", asked.reply_to)
        box.deliver(signup("p1", "yes", asked.reply_to), asked.reply_to)
        sink.wait(lambda mails: len(mails) == 2, "the welcome")
        welcome = sink.mails[1]
        assert welcome.subject == "Welcome"
        box.deliver(report(welcome.sender, b""), welcome.sender, sender="")
        until(lambda: "The mail bounced 5.1.1" in stored(tmp_path, "outbox", "error"), "the report")
        assert serving.stop() == 0
    (private,) = box.maildir()
    assert not private.name.partition(":2,")[2]


def set_up(home: Path, box: Dovecot, command: str = f"echo {PASSWORD}") -> Process:
    (home / "hosts").write_text(f"localhost:{box.imaps}\nlocalhost:{box.submission}\n\n")
    return fork(
        "setup", "--mailbox", ADDRESS, "--password-command", command,
        home=home, environment=clean_environment(SSL_CERT_FILE=box.certificate),
        streams=Streams(home / "said", home / "errors", home / "hosts"),
    )  # fmt: skip


@pytest.mark.slow
def test_setup_writes_the_settings_of_a_mailbox_that_it_has_tried(
    tmp_path: Path, box: Dovecot, sink: Sink
) -> None:
    sink.mails.clear()
    box.deliver(question(1))
    with set_up(tmp_path, box) as setting_up:
        sink.wait(lambda mails: mails, "the test mail")
        (tried,) = sink.mails
        vouching = b"Authentication-Results: mx.provider.example; dmarc=pass\r\n"
        box.deliver(vouching + tried.content, tried.recipient, tried.sender)
        assert setting_up.wait() == 0, (tmp_path / "errors").read_text()
    said = (tmp_path / "said").read_text()
    assert "1 mail there already" in said
    assert "The test mail has come." in said
    assert 'authserv_id = "mx.provider.example"' in (tmp_path / "pbm.toml").read_text()
    environment = clean_environment(SSL_CERT_FILE=box.certificate)
    for words in ("db upgrade", "doctor mailbox relay domain"):
        done = run_pbm(*words.split(), home=tmp_path, environment=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "ok   mailbox: localhost takes the login; 0 mails there to be fetched, and 1 mail" in (
        done.stdout
    )
    with Server(tmp_path, "--no-robots", environment=environment) as serving:
        box.deliver(question(2))
        sink.wait(lambda mails: len(mails) == 2, "the answer")
        assert serving.stop() == 0
    assert [mail.recipient for mail in sink.mails[1:]] == ["p2@example.com"]
    assert len(box.maildir()) == 1


def test_setup_says_what_is_wrong(tmp_path: Path, box: Dovecot) -> None:
    with set_up(tmp_path, box, "echo wrong-word") as setting_up:
        assert setting_up.wait() == 1
    error = (tmp_path / "errors").read_text()
    assert error == "pbm: localhost: [AUTHENTICATIONFAILED] Authentication failed.\n"
    assert not (tmp_path / "pbm.toml").exists()


@pytest.mark.slow
def test_no_more_than_mailbox_daily_mails_are_sent_in_a_day(
    tmp_path: Path, box: Dovecot, sink: Sink
) -> None:
    sink.mails.clear()
    with server(tmp_path, box, "--relay", box.relay_url, "--mailbox-daily", "2") as serving:
        for number in range(2):
            box.deliver(question(number))
        sink.wait(lambda mails: len(mails) == 2, "two answers")
        box.deliver(question(2))
        until(lambda: "the relay is down: All mails that mailbox_daily" in serving.log, "the log")
        assert serving.stop() == 0
    assert len(sink.mails) == 2
    assert stored(tmp_path, "outbox", "state").count("waiting") == 1
