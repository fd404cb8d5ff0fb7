"""What people write who have read no help is carried out, passed on or answered."""

import shutil
from collections.abc import Callable, Mapping
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.house import HouseUnderTest, text_of
from tests.service.sentences import ROWS, Did, Row

ALICE, BOB, BOB2 = "alice@example.org", "bob@example.org", "bob2@example.org"


def invitation(house: HouseUnderTest) -> EmailMessage:
    house.mail(ALICE, "gonnect challenge alice alice-pw bob -size=5")
    return house.last_to(BOB)


def old_invitation(house: HouseUnderTest) -> EmailMessage:
    invited = invitation(house)
    house.reply(invited, "accept")
    return invited


def board(house: HouseUnderTest) -> EmailMessage:
    old_invitation(house)
    house.reply(house.last_to(ALICE), "C3")
    return house.last_to(BOB)


def old_board(house: HouseUnderTest) -> EmailMessage:
    old = board(house)
    house.reply(old, "D4")
    return old


def after(*lines: str) -> Callable[[HouseUnderTest], EmailMessage]:
    """Return what writes `lines` in alice's name at the board; the first is the subject."""

    def write(house: HouseUnderTest) -> EmailMessage:
        board(house)
        house.mail(ALICE, lines[0], "\n".join(lines[1:]))
        return house.last_to(BOB)

    return write


def message(house: HouseUnderTest) -> EmailMessage:
    house.mail(ALICE, "message alice alice-pw bob", "Who plays Olix?")
    return house.last_to(BOB)


def broadcast(house: HouseUnderTest) -> EmailMessage:
    house.mail(BOB, "set bob bob-pw broadcast yes")
    house.mail(ALICE, "broadcast alice alice-pw", "A tournament begins.")
    return house.last_to(BOB)


def reminder(house: HouseUnderTest) -> EmailMessage:
    board(house)
    house.mail("carol@example.org", "gonnect challenge carol carol-pw bob -size=5")
    house.reply(house.last_to(BOB), "accept")
    house.reply(house.last_to("carol@example.org"), "C3")
    house.clock.now += timedelta(days=8)
    house.remind()
    return house.last_to(BOB)


def own_invitation(house: HouseUnderTest) -> EmailMessage:
    house.mail(BOB, "gonnect challenge bob bob-pw alice -size=5")
    return house.last_to(BOB)


def confirmation(house: HouseUnderTest) -> EmailMessage:
    house.mail(BOB2, "signup bob2 three-long-words")
    return house.last_to(BOB2)


def welcome(house: HouseUnderTest) -> EmailMessage:
    house.reply(confirmation(house), "yes")
    return house.last_to(BOB2)


MAILS: Mapping[str, Callable[[HouseUnderTest], EmailMessage]] = {
    "invitation": invitation,
    "own invitation": own_invitation,
    "old invitation": old_invitation,
    "board": board,
    "old board": old_board,
    "draw": after("draw 101 alice alice-pw"),
    "undo": after("undo 101 alice alice-pw"),
    "end": after("resign 101 alice alice-pw"),
    "chat": after("chat 101 alice alice-pw", "How is the weather in Bonn?"),
    "message": message,
    "broadcast": broadcast,
    "reminder": reminder,
    "confirmation": confirmation,
    "welcome": welcome,
}
"""How each mail comes about that is answered."""


class Houses:
    """Houses in which a certain mail has just come, each built once and copied for every row."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._built: dict[str, tuple[HouseUnderTest, EmailMessage]] = {}

    def copy(self, answered: str, folder: Path) -> tuple[HouseUnderTest, EmailMessage]:
        """Return a house of its own, and the mail that is to be answered in it."""
        if answered not in self._built:
            original = self._folder / answered
            original.mkdir()
            house = HouseUnderTest(original)
            house.add("alice", "bob", "carol")
            self._built[answered] = house, MAILS[answered](house)
            house.house.close()
        original_house, mail = self._built[answered]
        for name in ("pbm.db", "key"):
            shutil.copy(original_house.folder / name, folder / name)
        return HouseUnderTest(folder, clock=original_house.clock, letters=100), mail


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Houses:
    return Houses(tmp_path_factory.mktemp("houses"))


def written(house: HouseUnderTest, answered: EmailMessage, text: str) -> list[EmailMessage]:
    if not text.startswith("subject: "):
        return house.reply(answered, text)
    to = str(answered["Reply-To"]).strip("<>")
    return house.mail(str(answered["To"]), text.removeprefix("subject: "), "", to)


def words(mails: list[EmailMessage], *to: str) -> str:
    """Return what is read in the newest of the mails to an address, with white space folded."""
    found = [f"{mail['From']} {text_of(mail)}" for mail in mails if mail["To"] in to]
    return " ".join(found[-1].split()) if found else ""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.answered}: {row.text[:40]!a}")
def test_a_sentence_of_somebody_who_has_read_no_help_does_what_it_says(
    row: Row, houses: Houses, tmp_path: Path
) -> None:
    house, answered = houses.copy(row.answered, tmp_path)
    mails = written(house, answered, row.text)
    told = "\n".join(f"to {mail['To']}: {text_of(mail)}" for mail in mails)
    for expected, heard in ((row.bob, words(mails, BOB, BOB2)), (row.alice, words(mails, ALICE))):
        assert expected in heard, told
        assert bool(expected) == bool(heard), told
    if row.did in (Did.ASKED_BACK, Did.TOLD, Did.NOTHING):
        assert not words(mails, ALICE), "alice must hear nothing of it"
    house.house.close()


def test_there_are_a_hundred_sentences_and_each_mail_that_can_be_answered() -> None:
    assert len({(row.answered, row.text) for row in ROWS}) == len(ROWS) >= 100
    assert {row.answered for row in ROWS} == set(MAILS)
    assert {row.did for row in ROWS} == set(Did)


def test_a_signature_with_the_name_of_the_mail_program_reaches_the_other_whole(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    asked = board(house)
    named = "=?utf-8?q?Bob_M=C3=BCller?= <bob@example.org>"
    house.reply(asked, "B4\n\nHave fun!\n\nBob M\u00fcller", named)
    assert "Bob M\u00fcller" in text_of(house.last_to(ALICE))
