"""Password hashes: three a mail, worked out while nothing is locked, and nobody's oracle; guesses.

These are costs and floods; tests/conversations/guessing.txt has what a guesser and a player see.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from itertools import count, islice
from pathlib import Path
from threading import Event

import pytest

from pbm.core.budget import UNPROVEN
from pbm.core.passwords import (
    NETWORK_AN_HOUR,
    STRANGE_AN_HOUR,
    HashesOfMail,
    Wanted,
    pause_after,
    work_out,
)
from pbm.dispatch.carry_out import UNPROVEN_AN_HOUR
from pbm.domain.errors import NotAllowed
from tests.conversations.conversation import prepare
from tests.house import QUICK_PASSWORDS, HouseUnderTest, text_of
from tests.readings import answers

ALICE, BOB, EVE = "alice@example.org", "bob@example.org", "eve@example.org"
PASS = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
FROM_A_NETWORK = "Received: from x (x [192.0.2.{}]) by mx.example.org\n"


@dataclass
class Watched:
    """The usual passwords, with a count of hashes, and of those made while a database is locked.

    A verdict comes once `let` is set.
    """

    database: Path
    hashes: int = 0
    under_lock: int = 0
    asked: Event = field(default_factory=Event)
    let: Event = field(default_factory=Event)

    def _count(self) -> None:
        self.hashes += 1
        with closing(sqlite3.connect(self.database, timeout=0)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                self.under_lock += 1

    def hash(self, password: str) -> str:
        self._count()
        return QUICK_PASSWORDS.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        self.asked.set()
        assert self.let.wait(30)
        self._count()
        return QUICK_PASSWORDS.verify(password_hash, password)

    def well_known(self, password: str) -> bool:
        return QUICK_PASSWORDS.well_known(password)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move on board 101, against bob."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), authserv_id="mx.example.org")
    house.add("alice", "bob", "eve")
    house.begin_match()
    return house


@pytest.fixture
def passwords(house: HouseUnderTest) -> Watched:
    """Let the house work with watched passwords."""
    watched = Watched(house.folder / "pbm.db")
    watched.let.set()
    house.house = replace(house.house, passwords=watched)
    return watched


def set_tally(house: HouseUnderTest, name: str, number: int) -> None:
    with house.house.open_unit() as work:
        work.add_to_tally(name, house.clock().replace(minute=0), number)
        work.commit()


# ---- hashes


def test_a_hash_in_a_transaction_is_noticed(house: HouseUnderTest, passwords: Watched) -> None:
    with house.house.open_unit():
        passwords.hash("word")
    passwords.hash("word")
    assert (passwords.hashes, passwords.under_lock) == (2, 1)


TEN_GUESSES = "\n".join(f"set alice guess-{n}" for n in range(10))
LONG_TALK = "\n".join(f"alice word-{n} alice word" for n in range(200))

MAILS = [
    ("set alice alice-pw", "", 1),
    ("set alice wrong-pw", "", 1),
    ("set nobody wrong-pw", "", 0),
    ("help", "", 0),
    ("", "set alice alice-pw\n" * 10, 1),
    ("", TEN_GUESSES, 3),
    ("", "\n".join(f"set {n} guess-{k}" for n in ("alice", "bob") for k in range(5)), 3),
    ("message alice alice-pw bob", LONG_TALK, 1),
    ("message alice wrong-pw bob", LONG_TALK, 1),
    ("change password alice alice-pw three-new-words", "", 2),
    ("", "change password alice alice-pw a-new-word\nchange password alice a-new-word b-word", 3),
    ("change password nobody old-word three-new-words", "", 0),
    ("signup dora three-new-words", "", 0),
]  # fmt: skip


def test_a_mail_costs_few_hashes_and_none_of_them_under_the_lock(
    begun: HouseUnderTest, tmp_path: Path
) -> None:
    for number, (subject, text, most) in enumerate(MAILS):
        (tmp_path / str(number)).mkdir()
        house = begun.twin(tmp_path / str(number))
        passwords = Watched(house.folder / "pbm.db")
        passwords.let.set()
        house.house = replace(house.house, passwords=passwords)
        house.mail(ALICE, subject, text)
        assert (passwords.hashes, passwords.under_lock) == (most, 0), (subject, text)


def test_a_new_password_by_reply_is_hashed_outside_the_lock(
    house: HouseUnderTest, passwords: Watched
) -> None:
    prepare(house, "alice> forgot alice\nalice replies> password three-new-words")
    assert (passwords.hashes, passwords.under_lock) == (1, 0)


def test_the_password_below_a_yes_is_hashed_outside_the_lock_and_once(
    house: HouseUnderTest, passwords: Watched
) -> None:
    prepare(house, "dora> signup dora\ndora replies> My name is Dora\n| password three-new-words")
    prepare(house, "2 times dora replies 1> yes\n| password three-new-words")
    assert (passwords.hashes, passwords.under_lock) == (1, 0)


def test_a_banned_guesser_costs_no_hash(house: HouseUnderTest, passwords: Watched) -> None:
    prepare(house, "$ pbm ban add mallory@example.net\nmallory@example.net> set alice guess")
    assert passwords.hashes == 0


def test_moves_do_not_wait_for_the_hash_of_a_mail_before_them(
    house: HouseUnderTest, passwords: Watched
) -> None:
    passwords.let.clear()
    prepare(house, "busy\nbob> set bob bob-pw\nalice replies> B4")
    stage = house.house.play_stage
    assert stage.play_waiting() == 1
    assert "You played B4." in text_of(next(m for m in house.deliver() if m["To"] == ALICE))
    assert passwords.asked.wait(30)
    passwords.let.set()
    assert stage.play_waiting() == 1
    assert "Your settings" in text_of(house.deliver()[0])
    assert stage.play_waiting() == 0


def test_mails_of_one_author_are_played_in_their_order_though_one_needs_no_hash(
    house: HouseUnderTest,
) -> None:
    prepare(house, "busy\nalice> chat 101 alice alice-pw\n| First words.\nalice replies> B4")
    told = [text_of(mail) for mail in house.play() if mail["To"] == BOB]
    assert ["First words." in text for text in told] == [True, False]


def test_every_mail_that_needs_a_hash_gets_it(house: HouseUnderTest, passwords: Watched) -> None:
    prepare(house, "busy\n40 times alice> set alice alice-pw")
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


TALK = ["alice {}", "I am alice {} b2", "move 101 alice {} b2", "mvoe 101 alice {} b2", "{}"]


@pytest.mark.parametrize(
    "command", ["message bob", "chat 101", "draw 101", "gonnect challenge bob"]
)
def test_no_answer_tells_whether_a_word_in_the_text_is_the_password(
    begun: HouseUnderTest, tmp_path: Path, command: str
) -> None:
    to = str(begun.last_to(ALICE)["Reply-To"]).strip("<>")
    for number, line in enumerate(TALK):
        seen = []
        for word in ("alice-pw", "wrong-pw"):
            (folder := tmp_path / f"{number} {word}").mkdir()
            mails = begun.twin(folder).mail(ALICE, command, line.format(word), to)
            seen.append([(str(mail["To"]), text_of(mail).replace(word, "WORD")) for mail in mails])
        assert seen[0] == seen[1]


# ---- guesses


def texts(mails: list[EmailMessage], address: str) -> str:
    return "\n".join(text_of(mail) for mail in mails if mail["To"] == address)


PAUSES = """
0 -> 0
4 -> 0
5 -> 1
6 -> 2
7 -> 4
10 -> 32
15 -> 1024
16 -> 1440
1000000000 -> 1440
"""


def test_pauses_grow_to_a_day() -> None:
    assert answers(PAUSES, lambda wrong: pause_after(int(wrong)) // timedelta(minutes=1)) == PAUSES


@pytest.mark.slow
def test_in_a_week_a_guesser_gets_few_guesses_and_the_owner_is_told_once_a_day(
    house: HouseUnderTest,
) -> None:
    tried, told = 0, []
    for _ in range(7 * 24 * 2):
        mails = house.mail(EVE, f"set alice guess-{tried}")
        tried += "does not match" in texts(mails, EVE)
        told.append("several wrong" in texts(mails, ALICE))
        house.clock.now += timedelta(minutes=30)
    assert tried < 25
    # From noon on: one for the rest of the first day, for the second day, and so on.
    assert [sum(told[:24]), sum(told[24:72]), sum(told[72:120])] == [1, 1, 1]


def test_guesses_count_though_their_sender_writes_too_much_to_be_read(
    house: HouseUnderTest,
) -> None:
    set_tally(house, f"read:{EVE}", UNPROVEN_AN_HOUR)
    prepare(house, "5 times eve> set alice guess-{n}")
    assert "several wrong" in text_of(house.last_to(ALICE))
    assert "zone" not in texts(house.mail(EVE, "set alice alice-pw"), ALICE)


def test_too_many_wrong_ones_in_all_stop_strangers_and_nobody_else(house: HouseUnderTest) -> None:
    five = ("\n".join(f"set nobody{n} guess-{n}{k}" for k in range(5)) for n in count())
    house.flood(EVE, *(("", guesses) for guesses in islice(five, STRANGE_AN_HOUR // 5)))
    assert "too many wrong passwords" in texts(house.mail(BOB, "set alice alice-pw"), BOB)
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    house.clock.now += timedelta(hours=1)
    assert "zone" in texts(house.mail(EVE, "set alice alice-pw"), ALICE)


def test_too_many_wrong_ones_from_a_network_stop_strangers_there(house: HouseUnderTest) -> None:
    for n in range(NETWORK_AN_HOUR):
        house.mail(EVE, f"set nobody{n} guess", headers=FROM_A_NETWORK.format(n))
    there, elsewhere = FROM_A_NETWORK.format(200), FROM_A_NETWORK.replace("192", "198").format(1)
    line = "set alice alice-pw"
    assert "too many wrong passwords" in texts(house.mail(EVE, line, headers=there), EVE)
    assert "zone" in texts(house.mail(EVE, line, headers=elsewhere), ALICE)
    assert "zone" in texts(house.mail(ALICE, line, headers=there), ALICE)


def test_forged_mails_do_not_hide_a_players_own_without_a_word(house: HouseUnderTest) -> None:
    set_tally(house, f"read:{ALICE}", UNPROVEN_AN_HOUR)
    assert "Too many mails" in str(house.mail(ALICE, "help")[0]["Subject"])
    assert house.mail(ALICE, "help") == []
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)


def test_answers_to_forged_mails_do_not_use_up_those_to_a_players_own(
    house: HouseUnderTest,
) -> None:
    own = house.last_to(ALICE)
    house.flood(ALICE, *[("help", "")] * UNPROVEN.hour.answers)
    (silence,) = house.mail(ALICE, "help")
    assert "Too many requests came in your name" in text_of(silence)
    assert house.mail(ALICE, "help") == []
    assert house.reply(own, "help")
    assert house.mail(ALICE, "games", "", headers=PASS)
