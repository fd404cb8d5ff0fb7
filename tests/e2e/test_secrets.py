"""Passwords and reply tokens are only where their owner reads them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.people import Person, begin_match, take_turn
from tests.e2e.server import Server, restless
from tests.processes import until
from tests.sink import Arrived, Sink

ALICE, BOB, WRONG = "zq-alice-pw-1", "zq-bob-pw-2", "zq-wrong-pw-3"
CHANGED, RESET = "zq-alice-pw-4", "zq-alice-pw-5"
PASSWORDS = (ALICE, BOB, WRONG, CHANGED, RESET)

ODD_LINES = (
    f"move 101 alice {ALICE} Z99",
    f"move 101 alice {WRONG} B1",
    f"move 101 alcie {ALICE} B1",
    f"move 101 {ALICE} alice B1",
    f"move 101 alice B1 {ALICE}",
    f"move {ALICE} alice 101 B1",
    f"moove 101 alice {ALICE} B1",
    f"gonnect 101 alice {ALICE} B1",
    f"gonnct move 101 alice {ALICE} B1",
    f"move 999 alice {ALICE} B1",
    f"swap 101 alice {ALICE}",
    f"challenge alice {ALICE} bob",
    f"gonnect challenge alice {ALICE} nobody",
    f"gonnect challenge alice bob {ALICE}",
    f"gonnect challenge alice {ALICE} bob -size={ALICE}",
    f"gonnect challenge alice {ALICE} bob -{ALICE}=5 --{ALICE}=5",
    f"accept {ALICE}",
    f"show {ALICE}",
    f"help {ALICE}",
    f"games {ALICE}",
    f"pow2 move 101 alice {ALICE} B1",
    f"resign alice {ALICE} 101 please",
    f"signup alice {ALICE} and more",
    f"change password alice {ALICE}",
    f"change password {ALICE} {WRONG}",
    f"change address alice {ALICE}",
    f"add alice {ALICE} {ALICE}",
    f"forgot {ALICE}",
    f"set alice {ALICE} zone {ALICE}",
    f"set alice {ALICE} {ALICE} yes",
    f"signoff alice {ALICE} please",
)
"""Lines from alice that are refused, or should be, with her password in all sorts of places."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Sink]]:
    """Yield a server at which a match was played to its end, carelessly."""
    home = tmp_path_factory.mktemp("secrets")
    with Sink() as sink, Server(home, "--relay", sink.relay, program=restless) as server:
        alice, bob = Person("alice", server, sink), Person("bob", server, sink)
        alice.opens_account(ALICE)
        bob.write("Hello", f"signup bob {BOB}\n\nthat is me\n")
        bob.answer(bob.next("Open your account"), f"yes\n{BOB}")
        bob.next("Your account is open")
        play_carelessly(alice, bob)
        yield server, sink


def play_carelessly(alice: Person, bob: Person) -> None:
    """Play to the end, with secrets in commands and comments, short mails and long ones."""
    mail, _ = begin_match(alice, bob, ALICE, "gonnect", "-size=5")
    mail = take_turn(alice, bob, mail, f"C3\n\nmove 101 alice {ALICE} C3 would have done it too")
    mail = take_turn(bob, alice, mail, f"swap\n\nI write to {mail.reply_to}, don't I?")
    alice.write(f"move 101 alice {ALICE} C4", f"See my\nalice {ALICE}\nwhich is safe with you.")
    alice.next("bob to move")
    bob.next("your move")
    long = "\n".join(f"line {number} of a long letter" for number in range(800))
    bob.write("Hello", f"move 101 bob {BOB} B3\n\n{long}\nbob {BOB}\n{long}\nend of it\n")
    bob.next("alice to move")
    mail = alice.next("your move")
    for line in ODD_LINES:
        alice.write(line)
        alice.next()
    for text in (ALICE, f"move {ALICE}", f"move 101 {ALICE}", f"{ALICE} B4", f"alice {ALICE} Z99"):
        alice.answer(mail, text)
        alice.next()
    alice.write(f"change password alice {ALICE} {CHANGED}")
    alice.next("your password has changed")
    alice.write("forgot alice")
    alice.answer(alice.next("To choose a new one"), f"password {RESET}")
    alice.next("your password has changed")
    # The new password has made her earlier mails worthless.
    alice.write("show 101")
    mail = alice.next("as asked")
    players = [alice, bob]
    for number, move in enumerate(("B4", "D3", "D4", "A3", "E4")):
        mail = take_turn(players[number % 2], players[1 - number % 2], mail, move)
    bob.answer(mail, "E3")
    bob.next("You won")
    alice.next("You lost")


def tokens(sink: Sink) -> set[str]:
    return {mail.token for mail in sink.mails if mail.token}


def without_reply_to(mail: Arrived) -> str:
    """Return everything in a mail, raw and decoded, except where its token belongs.

    That is its Reply-To, and the links to that address.
    """
    raw = re.sub(r"(?m)^Reply-To: .*$", "", mail.content.decode("ascii"))
    return raw.replace(f'"mailto:{mail.reply_to}?', "") + mail.sender + mail.text


def found(secrets: set[str], text: str) -> set[str]:
    lowered = text.lower()
    return {secret for secret in secrets if secret in lowered}


def in_the_database(home: Path, secrets: set[str]) -> set[str]:
    """Return `file: secret` for each secret in a file of the database, deleted or not."""
    files = [file for file in (home / "var").glob("pbm.db*") if file.is_file()]
    assert files
    return {
        f"{file.name}: {secret}"
        for file in files
        for secret in found(secrets, file.read_bytes().decode("latin-1"))
    }


def test_no_mail_holds_a_password(played: tuple[Server, Sink]) -> None:
    for mail in played[1].mails:
        said = mail.content.decode("ascii") + mail.text
        assert not found(set(PASSWORDS), said), said


def test_a_token_stands_only_in_the_reply_to_of_mails_to_one_player(
    played: tuple[Server, Sink],
) -> None:
    sink = played[1]
    assert len(tokens(sink)) > 20
    for mail in sink.mails:
        assert not found(tokens(sink), without_reply_to(mail)), mail.text
    for token in tokens(sink):
        assert len({mail.recipient for mail in sink.mails if mail.token == token}) == 1


def test_no_secret_is_logged(played: tuple[Server, Sink]) -> None:
    server, sink = played
    assert "taken by smtp" in server.log
    assert not found(tokens(sink) | set(PASSWORDS), server.log)


def test_the_database_forgets_secrets_when_their_mails_are_done_even_in_freed_pages(
    played: tuple[Server, Sink],
) -> None:
    server, sink = played
    secrets = tokens(sink) | set(PASSWORDS)
    until(lambda: not in_the_database(server.home, secrets), "a database without secrets")
    assert server.stop() == 0
    assert not in_the_database(server.home, secrets)
