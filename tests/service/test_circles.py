"""A program that answers each of our mails and does not say that it is one."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.service.circles import ANSWERS_A_DAY
from tests.house import HouseUnderTest

AWAY = "I am out of the office until Monday and will read your mail then."
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
    """Return how many mails bob gets who answers each, but `times` at most, with `words`."""
    mail: EmailMessage = house.last_to(BOB)
    for count in range(times):
        house.clock.now += timedelta(seconds=20)
        got = [mail for mail in house.reply(mail, words) if mail["To"] == BOB]
        if not got:
            return count
        mail = got[0]
    return times


def test_a_program_that_says_the_same_to_each_mail_is_answered_five_times_a_day(
    house: HouseUnderTest,
) -> None:
    assert answers(house, AWAY) == ANSWERS_A_DAY
    house.clock.now += timedelta(hours=3)
    assert answers(house, AWAY) == 0
    house.clock.now += timedelta(days=1)
    assert answers(house, AWAY) == ANSWERS_A_DAY


def test_the_player_behind_it_is_still_answered_and_moves(house: HouseUnderTest) -> None:
    answers(house, AWAY)
    assert answers(house, "Which move was that again, please?", 2) == 2
    assert {mail["To"] for mail in house.reply(house.last_to(BOB), "B2")} == {ALICE, BOB}


def test_a_wrong_move_is_told_each_time(house: HouseUnderTest) -> None:
    assert answers(house, "C3", ANSWERS_A_DAY + 2) == ANSWERS_A_DAY + 2
