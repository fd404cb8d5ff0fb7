"""The mails of a match are one thread: whatever they answer, they refer to the root of its board.

Mail programs join mails of one subject that share an id. No conversation shows these headers.
"""

import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from tests.house import HouseUnderTest

MATCH = (
    ("bob", "accept\nThanks for the invitation!"),
    ("alice", "C3"),
    ("bob", "swap"),
    ("bob", "C4"),  # it is not their turn
    ("alice", "chat\nHello Bob, how are you?"),
    ("alice", "B2\ndraw\nThis looks even."),
    ("bob", "reject\nNot yet."),
    ("bob", "undo"),
    ("alice", "accept"),
    ("bob", "zz9"),  # no such point
    ("bob", "queue if D5 then E5"),
    ("alice", "preview D4"),
    ("bob", "D4"),
    ("alice", "show"),
    ("bob", "record"),
)
"""The player who answers the newest mail of each match, and the answer."""

NEWS = {
    "Waiting for an answer", "Your move", "bob to move", "bob offers an undo", "Only a look",
    "Board", "You won", "A reminder", "An invitation from alice", "Please check", "The record",
    "You lost",
}  # fmt: skip


def number_of(mail: EmailMessage) -> int:
    """Return the number of the match in a subject, or 0."""
    found = re.search(r" (\d+)\] ", str(mail["Subject"]))
    return int(found[1]) if found else 0


def test_each_mail_of_a_match_refers_to_the_root_of_its_board_and_no_other_mail_does(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")

    def answer(owner: str, number: int, text: str) -> None:
        mails = [mail for mail in house.sent if number_of(mail) == number and mail["Reply-To"]]
        house.reply([mail for mail in mails if mail["To"] == f"{owner}@example.org"][-1], text)

    for _ in "ab":
        house.mail("alice@example.org", "gonnect challenge alice alice-pw bob -size=5")
    for owner, text in MATCH:
        answer(owner, 101, text)
        answer(owner, 102, text)
    answer("bob", 102, "resign")
    house.clock.now += timedelta(days=12)
    house.remind()
    answer("bob", 101, "resign")
    answer("alice", 101, "rematch")
    answer("bob", 103, "accept")
    told = {str(m["From"]).partition(" - ")[0] for m in house.sent if number_of(m) == 101}
    assert told >= NEWS
    for mail in house.sent:
        named = {mail["References"], mail["In-Reply-To"]}
        if number := number_of(mail):
            assert named == {f"<board-{number}@games.example.org>"}, mail["From"]
        else:
            assert "board-" not in str(named), mail["From"]
    assert {number_of(mail) for mail in house.sent} >= {101, 102, 103}
