"""The unsubscribe button and a lost key, through a real server."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.e2e.people import letter
from tests.e2e.town import ALICE, CAROL, Town, open_town, password_of, recipients
from tests.processes import run_pbm
from tests.sink import Arrived


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with open_town(tmp_path_factory.mktemp("trust"), "alice", "bob", "carol") as town:
        yield town


def reply(mail: Arrived, text: str) -> bytes:
    return letter(mail.recipient, f"Re: {mail.subject}", text, to=mail.reply_to)


def moved(town: Town, mail: Arrived, text: str) -> list[Arrived]:
    return town.provoked(reply(mail, text), to=mail.reply_to)


def test_the_button_of_a_mail_program_stops_the_mails_and_a_second_one_is_silent(
    town: Town,
) -> None:
    mail, _ = town.match("alice", "bob")
    town.attacked(CAROL, f"subscribe {mail.board} carol {password_of('carol')}")
    after = moved(town, mail, "C3")
    (to_carol,) = (each for each in after if each.recipient == CAROL)
    uri = str(to_carol.message["List-Unsubscribe"])
    to, _, subject = uri.strip("<>").removeprefix("mailto:").partition("?subject=")
    press = letter(CAROL, unquote(subject), "", to=to)
    (noted,) = town.provoked(press, to=to)
    assert f"you no longer follow board {mail.board}" in noted.prose
    assert town.provoked(letter(CAROL, unquote(subject), "again", to=to), to=to) == []
    (to_bob,) = (each for each in after if each.recipient not in (CAROL, ALICE))
    assert CAROL not in recipients(moved(town, to_bob, "swap"))
    assert to_bob.message["List-Unsubscribe"] is None
    # Without a key nothing is signed.
    assert not [each for each in after if each.message["DKIM-Signature"]]


def test_with_a_lost_key_it_does_not_start_and_with_a_new_one_old_mails_get_their_board(
    town: Town,
) -> None:
    mail, _ = town.match("alice", "bob")
    server, key = town.server, town.server.home / "var" / "secret.key"
    assert server.stop() == 0
    key.unlink()
    refused = run_pbm("serve", "--smtp", "127.0.0.1:0", home=server.home)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("pbm: There is no key file var/secret.key, and mails are out.")
    assert not key.exists()
    told = run_pbm("key", "new", "--why", "the disk is gone", home=server.home)
    assert told.returncode == 0, told.stderr
    server.start()
    (answer,) = moved(town, mail, "C3")
    assert answer.recipient == ALICE
    assert "The link in the mail that you answered is too old." in answer.prose
    assert "A B C D E" in answer.prose
    assert "C3" not in town.typed("game", "show", mail.board)
    moved(town, answer, "C3")
    assert "C3" in town.typed("game", "show", mail.board)


def test_the_database_holds_a_fingerprint_and_no_part_of_the_key(town: Town) -> None:
    home: Path = town.server.home
    (secret, *_) = (home / "var" / "secret.key").read_text().split()
    with closing(sqlite3.connect(home / "var" / "pbm.db")) as database:
        rows = [row[0] for row in database.execute("SELECT fingerprint FROM token_keys")]
    assert rows
    assert not any(row in secret or secret[:16] == row for row in rows)
    assert secret[:12] not in (home / "serve.log").read_text()
