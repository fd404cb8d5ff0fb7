"""Password hashes: three a mail, worked out while nothing is locked, and nobody's oracle."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from threading import Event

import pytest

from pbm.domain.errors import NotAllowed
from pbm.domain.mail import ReceivedMail
from pbm.service.context import hour_of
from pbm.service.passwords import (
    STRANGE_HASHES,
    STRANGE_HASHES_AN_HOUR,
    HashesOfMail,
    Wanted,
    work_out,
)
from pbm.service.ports import BanRow
from tests.house import ADDRESS, QUICK_PASSWORDS, HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"


class Watched:
    """The usual passwords, with a count of hashes, and of those made while a database is locked."""

    def __init__(self, database: Path) -> None:
        self.hashes = self.under_lock = 0
        self._database = database

    def _count(self) -> None:
        self.hashes += 1
        with closing(sqlite3.connect(self._database, timeout=0)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                self.under_lock += 1

    def hash(self, password: str) -> str:
        self._count()
        return QUICK_PASSWORDS.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        self._count()
        return QUICK_PASSWORDS.verify(password_hash, password)

    def well_known(self, password: str) -> bool:
        return QUICK_PASSWORDS.well_known(password)


@pytest.fixture
def watched(tmp_path: Path) -> tuple[HouseUnderTest, Watched]:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    passwords = Watched(tmp_path / "pbm.db")
    house.house = replace(house.house, passwords=passwords)
    return house, passwords


def test_a_hash_in_a_transaction_is_noticed(watched: tuple[HouseUnderTest, Watched]) -> None:
    house, passwords = watched
    with house.house.open_unit():
        passwords.hash("word")
    passwords.hash("word")
    assert (passwords.hashes, passwords.under_lock) == (2, 1)


TEN_GUESSES = "\n".join(f"show 101 alice guess-{n}" for n in range(10))
LONG_TALK = "\n".join(f"alice word-{n} alice word" for n in range(200))

MAILS = [
    ("set alice alice-pw", "", 1),
    ("set alice wrong-pw", "", 1),
    ("set nobody wrong-pw", "", 0),
    ("help", "", 0),
    ("", "set alice alice-pw\n" * 10, 1),
    ("", TEN_GUESSES.replace("show 101", "set"), 3),
    ("", "\n".join(f"set {n} guess-{k}" for n in ("alice", "bob") for k in range(5)), 3),
    ("message alice alice-pw bob", LONG_TALK, 1),
    ("message alice wrong-pw bob", LONG_TALK, 1),
    ("change password alice alice-pw three-new-words", "", 2),
    (
        "",
        "change password alice alice-pw a-new-word\nchange password alice a-new-word b-new-word",
        3,
    ),
    ("change password nobody old-word three-new-words", "", 0),
    ("signup dora three-new-words", "", 1),
    ("", "\n".join(f"signup dora{n} three-new-words-{n}" for n in range(9)), 3),
]


@pytest.mark.parametrize(("subject", "text", "most"), MAILS)
def test_a_mail_costs_few_hashes_and_none_of_them_under_the_lock(
    watched: tuple[HouseUnderTest, Watched], subject: str, text: str, most: int
) -> None:
    house, passwords = watched
    house.mail(ALICE, subject, text)
    assert (passwords.hashes, passwords.under_lock) == (most, 0)


def test_a_new_password_by_reply_is_hashed_outside_the_lock(
    watched: tuple[HouseUnderTest, Watched],
) -> None:
    house, passwords = watched
    house.mail(ALICE, "forgot alice")
    house.reply(house.last_to(ALICE), "password three-new-words")
    assert (passwords.hashes, passwords.under_lock) == (1, 0)


def test_signups_that_lead_to_nothing_cost_no_hash_once_there_were_many(
    watched: tuple[HouseUnderTest, Watched],
) -> None:
    house, passwords = watched
    with house.house.open_unit() as work:
        work.add_to_tally(STRANGE_HASHES, hour_of(house.clock()), STRANGE_HASHES_AN_HOUR - 1)
        work.commit()
    for _ in range(3):
        house.mail("mallory@example.net", "signup alice three-new-words")
    assert passwords.hashes == 1
    assert len(house.mail("dora@example.net", "signup dora three-new-words")) == 1


def test_a_banned_guesser_costs_no_hash(watched: tuple[HouseUnderTest, Watched]) -> None:
    house, passwords = watched
    with house.house.open_unit() as work:
        work.bans.add(BanRow("mallory@example.net", house.clock(), "spam"))
        work.commit()
    house.mail("mallory@example.net", "set alice guess")
    assert passwords.hashes == 0


class Held:
    """The usual passwords, whose verdicts come when the test lets them."""

    def __init__(self) -> None:
        self.asked, self.let = Event(), Event()

    def hash(self, password: str) -> str:
        return QUICK_PASSWORDS.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        self.asked.set()
        assert self.let.wait(30)
        return QUICK_PASSWORDS.verify(password_hash, password)

    def well_known(self, password: str) -> bool:
        return QUICK_PASSWORDS.well_known(password)


def test_moves_do_not_wait_for_the_hash_of_a_mail_before_them(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    house.reply(house.last_to(ALICE), "accept")
    to = str(house.last_to(BOB)["Reply-To"]).strip("<>")
    held = Held()
    house.house = replace(house.house, passwords=held)
    letters = [(ALICE, "set alice alice-pw", "", ADDRESS), (BOB, "Re: 101", "B4", to)]
    for author, subject, text, address in letters:
        raw = f"From: {author}\r\nSubject: {subject}\r\n\r\n{text}\r\n"
        mail = ReceivedMail(author, (address,), raw.encode(), house.clock())
        house.house.inbox.put([mail])
    stage = house.house.play_stage
    assert stage.play_waiting() == 1
    assert "You played B4." in text_of(next(m for m in house.deliver() if m["To"] == BOB))
    assert held.asked.wait(30)
    held.let.set()
    assert stage.play_waiting() == 1
    assert "Your settings" in text_of(house.deliver()[0])
    assert stage.play_waiting() == 0


def test_mails_of_one_author_are_played_in_their_order_though_one_needs_no_hash(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    house.reply(house.last_to(ALICE), "accept")
    to = str(house.last_to(BOB)["Reply-To"]).strip("<>")
    for subject, text, address in [
        ("chat 101 bob bob-pw", "First words.", ADDRESS),
        ("", "B4", to),
    ]:
        raw = f"From: {BOB}\r\nSubject: {subject}\r\n\r\n{text}\r\n"
        house.house.inbox.put([ReceivedMail(BOB, (address,), raw.encode(), house.clock())])
    told = [text_of(mail) for mail in house.play() if mail["To"] == ALICE]
    assert ["First words." in text for text in told] == [True, False]


def test_every_mail_that_needs_a_hash_gets_it(watched: tuple[HouseUnderTest, Watched]) -> None:
    house, passwords = watched
    for n in range(40):
        raw = f"From: {ALICE}\r\nMessage-ID: <{n}@x>\r\nSubject: set alice alice-pw\r\n\r\n"
        mail = ReceivedMail(ALICE, (ADDRESS,), raw.encode(), house.clock())
        house.house.inbox.put([mail])
    assert len(house.play()) == 40
    assert passwords.hashes == 40


def test_a_verdict_counts_only_for_the_hash_that_it_was_made_with() -> None:
    old, new = QUICK_PASSWORDS.hash("old-word"), QUICK_PASSWORDS.hash("new-word")
    known = work_out(QUICK_PASSWORDS, [Wanted("old-word", old)])
    passwords = HashesOfMail(QUICK_PASSWORDS, known)
    assert passwords.verify(old, "old-word")
    assert not passwords.verify(new, "old-word")


def test_a_mail_gets_no_fourth_hash_in_the_transaction_either() -> None:
    stored = QUICK_PASSWORDS.hash("right")
    passwords = HashesOfMail(QUICK_PASSWORDS, work_out(QUICK_PASSWORDS, [Wanted("a", stored)]))
    passwords.verify(stored, "b")
    passwords.hash("c")
    with pytest.raises(NotAllowed, match="at most 3 different passwords"):
        passwords.verify(stored, "right")
    assert not passwords.verify(stored, "a")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice and bob are at a board."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    house.reply(house.last_to(ALICE), "accept")
    return house


TALK = ["alice {}", "I am alice {} b2", "move 101 alice {} b2", "mvoe 101 alice {} b2", "{}"]


@pytest.mark.parametrize("line", TALK)
@pytest.mark.parametrize(
    "command", ["message bob", "chat 101", "draw 101", "gonnect challenge bob"]
)
def test_no_answer_tells_whether_a_word_in_the_text_is_the_password(
    begun: HouseUnderTest, tmp_path: Path, line: str, command: str
) -> None:
    seen = []
    for word in ("alice-pw", "wrong-pw"):
        mails = _told(begun, tmp_path / word, command, line.format(word))
        seen.append([(str(mail["To"]), text_of(mail).replace(word, "WORD")) for mail in mails])
    assert seen[0] == seen[1]


def _told(begun: HouseUnderTest, folder: Path, command: str, text: str) -> list[EmailMessage]:
    """Return what is mailed because of a reply of alice, which needs no password."""
    folder.mkdir()
    house = begun.twin(folder)
    return house.mail(ALICE, command, text, str(house.last_to(ALICE)["Reply-To"]).strip("<>"))
