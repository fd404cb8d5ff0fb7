"""A program that answers each of our mails and does not say that it is one."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.dispatch.answers import ANSWERS_A_DAY
from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    """Return a house where bob is to move, whom a program answers for."""
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.begin_match()
    house.reply(house.last_to(ALICE), "C3")
    return house


def answers(house: HouseUnderTest, words: str, times: int = 60) -> int:
    """Return how many mails bob gets who answers each, but `times` at most, with `words`.

    A "#" in them is the number of the answer.
    """
    mail: EmailMessage = house.last_to(BOB)
    for count in range(times):
        house.clock.now += timedelta(seconds=20)
        told = house.reply(mail, words.replace("#", str(count)))
        got = [mail for mail in told if mail["To"] == BOB]
        if not got:
            return count
        mail = got[0]
    return times


@pytest.mark.parametrize(
    "words",
    [
        "I am out of the office until Monday and will read your mail then.",
        "Ticket # has been opened for your request.",
        "Gone fishing",
        "C3",
    ],
)
def test_a_program_that_answers_each_mail_is_answered_twenty_times_a_day_and_told_so(
    house: HouseUnderTest, words: str
) -> None:
    assert answers(house, words) == ANSWERS_A_DAY + 1
    assert "get no more answers" in " ".join(text_of(house.last_to(BOB)).split())
    house.clock.now += timedelta(hours=3)
    assert answers(house, words) == 0
    house.clock.now += timedelta(days=1)
    assert answers(house, words) == ANSWERS_A_DAY + 1


def test_the_player_behind_it_is_still_answered_and_moves(house: HouseUnderTest) -> None:
    turn = house.last_to(BOB)
    answers(house, "Gone fishing")
    assert [mail["To"] for mail in house.reply(turn, "show")] == [BOB]
    assert {mail["To"] for mail in house.reply(turn, "B2")} == {ALICE, BOB}
