"""Passwords and reply tokens are only where their owner reads them, whatever goes wrong."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.databases import postgres_database, postgres_server
from tests.e2e.people import SERVER, Table, begin_match, hand_in, letter, open_table, take_turn
from tests.e2e.server import Server, restless
from tests.processes import PBM, clean_environment, lasting_port, run, run_pbm, until
from tests.sink import Arrived

pytestmark = pytest.mark.slow

ALICE, BOB, WRONG = "zq-alice-pw-1", "zq-bob-pw-2", "zq-wrong-pw-3"
CHANGED, RESET = "zq-alice-pw-4", "zq-alice-pw-5"
PASSWORDS = {ALICE, BOB, WRONG, CHANGED, RESET}

ODD_LINES = Path(__file__).with_name("odd_lines.txt").read_text().format(ALICE=ALICE, WRONG=WRONG)
"""Lines from alice that are refused, or should be, with her password in all sorts of places."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Yield a server at which a match was played to its end, carelessly."""
    home = tmp_path_factory.mktemp("secrets")
    with open_table(home, program=restless, accounts=()) as table:
        play_carelessly(table)
        yield table


def play_carelessly(table: Table) -> None:
    """Play to the end, with secrets in commands and comments, short mails and long ones."""
    alice, bob = table.alice, table.bob
    alice.opens_account(ALICE)
    bob.write("Hello", f"signup bob {BOB}\n\nthat is me\n")
    bob.answer(bob.next("Open your account"), f"yes\npassword {BOB}")
    bob.next("Your account is open")
    mail, _ = begin_match(alice, bob, ALICE)
    mail = take_turn(alice, bob, mail, f"C3\n\nmove 101 alice {ALICE} C3 would have done it too")
    mail = take_turn(bob, alice, mail, f"swap\n\nI write to {mail.reply_to}, don't I?")
    alice.write(f"move 101 alice {ALICE} C4", f"See my\nalice {ALICE}\nwhich is safe with you.")
    alice.next("bob to move")
    bob.next("your move")
    long = "\n".join(f"line {number} of a long letter" for number in range(800))
    bob.write("Hello", f"move 101 bob {BOB} B3\n\n{long}\nbob {BOB}\n{long}\nend of it\n")
    bob.next("alice to move")
    mail = alice.next("your move")
    for line in ODD_LINES.splitlines():
        alice.write(line)
        alice.next()
    for text in (ALICE, f"move {ALICE}", f"move 101 {ALICE}", f"{ALICE} B4", f"alice {ALICE} Z99"):
        alice.answer(mail, text)
        alice.next()
    alice.write(f"change password alice {ALICE} {CHANGED}")
    alice.next("your password has changed")
    alice.write("forgot alice")
    alice.answer(alice.next("asked for a new password"), f"password {RESET}")
    alice.next("your password has changed")
    # The new password has made her earlier mails worthless.
    alice.write("show 101")
    mail = alice.next("Board - Gonnect")
    players = [alice, bob]
    for number, move in enumerate(("B4", "D3", "D4", "A3", "E4")):
        mail = take_turn(players[number % 2], players[1 - number % 2], mail, move)
    bob.answer(mail, "E3")
    bob.next("You won")
    alice.next("You lost")


def tokens(table: Table) -> set[str]:
    return {mail.token for mail in table.sink.mails if mail.token}


def without_reply_to(mail: Arrived) -> str:
    """Return everything in a mail, raw and decoded, except where its token belongs.

    That is its Reply-To, and the links to that address.
    """
    raw = re.sub(r"(?m)^Reply-To: .*$", "", mail.content.decode("ascii"))
    return raw.replace(f'"mailto:{mail.reply_to}?', "") + mail.sender + mail.text


def found(secrets: set[str], text: str) -> set[str]:
    lowered = text.lower()
    return {secret for secret in secrets if secret in lowered}


def in_the_files(home: Path, secrets: set[str]) -> set[str]:
    """Return `file: secret` for each secret in a file of the database, deleted or not."""
    files = [file for file in (home / "var").glob("pbm.db*") if file.is_file()]
    assert files
    return {
        f"{file.name}: {secret}"
        for file in files
        for secret in found(secrets, file.read_bytes().decode("latin-1"))
    }


def test_no_mail_holds_a_password_and_a_token_stands_in_the_reply_to_of_one_player_alone(
    played: Table,
) -> None:
    assert len(tokens(played)) > 20
    for mail in played.sink.mails:
        assert not found(PASSWORDS, mail.content.decode("ascii") + mail.text), mail.text
        assert not found(tokens(played), without_reply_to(mail)), mail.text
    for token in tokens(played):
        assert len({mail.recipient for mail in played.sink.mails if mail.token == token}) == 1


def test_neither_log_nor_database_nor_backup_keeps_a_secret_even_in_freed_pages(
    played: Table,
) -> None:
    server, home, secrets = played.server, played.server.home, tokens(played) | PASSWORDS
    assert "taken by smtp" in server.log
    assert not found(secrets, server.log)
    until(lambda: not in_the_files(home, secrets), "a database without secrets")
    server.pbm("db", "backup", "var/pbm.db.copy")
    assert server.stop() == 0
    assert not in_the_files(home, secrets)
    # The database has a fingerprint of the key, and no part of it.
    (key, *_) = (home / "var" / "secret.key").read_text().split()
    with closing(sqlite3.connect(home / "var" / "pbm.db")) as database:
        prints = [row[0] for row in database.execute("SELECT fingerprint FROM token_keys")]
    assert prints
    assert not any(row in key or key[:16] == row for row in prints)
    assert key[:12] not in server.log


# ---- passwords in URLs

URL_SECRETS = ("zq-database-pw", "zq-relay-pw")


@pytest.fixture
def database() -> Iterator[str]:
    """Yield the URL of a database, with a password that a trusting server does not ask for."""
    with postgres_database(postgres_server()) as url:
        yield make_url(url).set(password=URL_SECRETS[0]).render_as_string(hide_password=False)


def dropped(database: str, table: str) -> None:
    url = make_url(database).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP TABLE {table} CASCADE")


@pytest.mark.postgres
def test_no_password_stands_in_log_arguments_traceback_doctor_or_queues(
    tmp_path: Path, database: str
) -> None:
    relay = f"smtp://pbm:{URL_SECRETS[1]}@127.0.0.1:{lasting_port()}"
    environment = clean_environment(PBM_DATABASE=database, PBM_RELAY=relay)
    server = Server(tmp_path, "--log-level", "DEBUG", environment=environment, command=PBM).start()

    def write(name: str) -> None:
        author = f"{name}@example.com"
        hand_in(server, author, letter(author, "Hello"), SERVER)

    write("alice")
    shown = []

    def told(*command: str) -> str:
        ended = run_pbm(*command, home=tmp_path, environment=environment)
        shown.append(ended.stdout + ended.stderr)
        return ended.stdout

    until(lambda: "cannot be used" in told("outbox", "list"), "a mail that the relay did not take")
    # Everybody on the host sees the arguments of a process.
    shown.append(run("ps", "-ww", "-o", "args=", str(server.pid)).stdout)
    assert "serve" in shown[-1]
    assert "FAIL relay" in told("doctor")
    dropped(database, "outbox_texts")
    write("bob")
    assert server.wait() == 1
    assert "has failed. Traceback:" in server.log
    told("doctor")
    told("outbox", "list")
    shown.append(server.log)
    assert not [secret for secret in URL_SECRETS if any(secret in text for text in shown)]
