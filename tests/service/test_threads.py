"""The mails of a match are one thread in every mail program, and those of two matches are two."""

import email
import email.policy
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from email.message import EmailMessage

import pytest

from tests.house import HouseUnderTest
from tests.jwz import Thread, gmail_threads, jwz_threads

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

OWNERS = ("alice", "bob")


class Mailbox:
    """The mails of one player, received and sent, as their mail program stores them."""

    def __init__(self, house: HouseUnderTest, owner: str) -> None:
        self.house, self.address = house, f"{owner}@example.org"
        self.written: list[EmailMessage] = []

    @property
    def received(self) -> list[EmailMessage]:
        return [mail for mail in self.house.sent if mail["To"] == self.address]

    def of(self, number: int) -> list[EmailMessage]:
        """Return the mails about a match in it: received, and written in answer to them."""
        return [mail for mail in (*self.received, *self.written) if _is_of(mail, number)]

    def answer(self, number: int, text: str) -> None:
        """Reply to the newest mail of a match as RFC 5322 section 3.6.4 asks of a program."""
        mail = [mail for mail in self.received if mail["Reply-To"] and _is_of(mail, number)][-1]
        name, subject = mail["Message-ID"], f"Re: {mail['Subject']}"
        headers = f"In-Reply-To: {name}\nReferences: {mail['References']} {name}\n"
        to = str(mail["Reply-To"]).strip("<>")
        self.house.mail(self.address, subject, text, to, headers)
        own = f"Message-ID: <letter-{self.house.letters}@example.org>\n"
        written = f"Subject: {subject}\n{headers}{own}\n"
        self.written.append(email.message_from_string(written, policy=email.policy.default))


def _is_of(mail: EmailMessage, number: int) -> bool:
    return f" {number}] " in str(mail["Subject"])


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mailbox]:
    """Two matches of the same players at a time, and a third, the rematch of the first."""
    house = HouseUnderTest(tmp_path_factory.mktemp("threads"))
    house.add(*OWNERS)
    boxes = {owner: Mailbox(house, owner) for owner in OWNERS}
    for _ in OWNERS:
        house.mail("alice@example.org", "gonnect challenge alice alice-pw bob -size=5")
    for owner, text in MATCH:
        boxes[owner].answer(101, text)
        boxes[owner].answer(102, text)
    boxes["bob"].answer(102, "resign")
    house.clock.now += timedelta(days=12)
    house.remind()
    boxes["bob"].answer(101, "resign")
    boxes["alice"].answer(101, "rematch")
    boxes["bob"].answer(103, "accept")
    return boxes


def news(mails: list[EmailMessage]) -> set[str]:
    return {str(mail["From"]).partition(" - ")[0] for mail in mails if mail["From"]}


def test_the_mails_tell_of_all_that_can_happen_in_a_match(boxes: dict[str, Mailbox]) -> None:
    assert news(boxes["alice"].of(101)) == {
        "Waiting for an answer", "Your move", "bob to move", "bob offers an undo", "Only a look",
        "Board", "You won", "A reminder",
    }  # fmt: skip
    assert news(boxes["bob"].of(101)) >= {
        "An invitation from alice", "Please check", "The record", "You lost",
    }  # fmt: skip


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("threads_of", [jwz_threads, gmail_threads])
def test_each_match_is_one_thread_in_which_nothing_else_stands(
    threads_of: Callable[[Sequence[EmailMessage]], list[Thread]],
    owner: str,
    boxes: dict[str, Mailbox],
) -> None:
    box = boxes[owner]
    threads = threads_of([*box.received, *box.written])
    for number in (101, 102, 103):
        (thread,) = [found for found in threads if box.of(number)[0] in found]
        assert {str(mail["Message-ID"]) for mail in thread} == {
            str(mail["Message-ID"]) for mail in box.of(number)
        }


def test_a_match_that_a_program_sees_in_another_order_is_one_thread(
    boxes: dict[str, Mailbox],
) -> None:
    mails = boxes["alice"].of(101)
    random.Random(7).shuffle(mails)
    assert len(jwz_threads(mails)) == len(gmail_threads(mails)) == 1


def test_the_algorithms_tell_threads_apart() -> None:
    def mail(name: str, subject: str, references: str = "") -> EmailMessage:
        text = f"Message-ID: <{name}>\nSubject: {subject}\nReferences: {references}\n\n"
        return email.message_from_string(text, policy=email.policy.default)

    mails = [mail("a", "One"), mail("b", "Re: One", "<a>"), mail("c", "Two", "<b> <a>")]
    assert [len(thread) for thread in gmail_threads(mails)] == [2, 1]
    assert [len(thread) for thread in jwz_threads(mails)] == [3]
    assert len(jwz_threads([mail("a", "One"), mail("b", "Two")])) == 2
