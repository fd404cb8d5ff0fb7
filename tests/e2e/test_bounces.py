"""A mail comes back by SMTP: its reader's clocks stand until that player writes again."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.e2e.people import PASSWORD, Person, Table, hand_in, open_table
from tests.processes import PATIENCE
from tests.sink import Arrived

OPERATOR = "operator@example.com"
LETTER = Path(__file__).parent.parent / "mail" / "reading" / "letters" / "reports" / "postfix.eml"


def comes_back(table: Table, mail: Arrived) -> None:
    """Report, as bob's host does, that `mail` could not be delivered."""
    report = LETTER.read_bytes().replace(b"\n", b"\r\n")
    # Each mail gets its own report, named as hosts name them.
    report = report.replace(b"20261124115831", mail.sender.encode("ascii"))
    hand_in(table.server, "", report, mail.sender)


def a_day_passes(home: Path) -> None:
    """Forget what was counted today."""
    with closing(sqlite3.connect(home / "var" / "pbm.db", timeout=PATIENCE)) as database, database:
        database.execute("DELETE FROM tallies WHERE key LIKE 'returned:%'")


def test_clocks_stand_while_mails_come_back_and_run_when_the_player_writes_again(
    tmp_path: Path,
) -> None:
    with open_table(tmp_path, "--operator", OPERATOR) as table:
        alice, bob = table.alice, table.bob
        operator = Person("operator", table.server, table.sink)
        mail, _ = table.begin()
        alice.answer(mail, "C3")
        alice.next("bob to move")
        board, first = mail.board, bob.next("your move")

        comes_back(table, first)
        alice.write(f"chat {board} alice {PASSWORD}", "Are you there?")
        alice.next("Are you there?")
        second = bob.next("Are you there?")
        a_day_passes(tmp_path)
        comes_back(table, second)

        assert "bob@example.com" in operator.next("Email to bob is bouncing (status 5.1.1)").prose
        alice.next("email to bob is bouncing")

        bob.write(f"set bob {PASSWORD}")
        bob.next("you can be reached again, and your clocks are running")
        bob.next("Your settings")
        alice.next("can be reached again")
        bob.answer(second, "D4")
        bob.next("alice to move")
