"""Bounds are drawn before the work: the attacks that anybody can write, and what they cost now."""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import pytest

from pbm.core.budget import ANSWER, DAY_FACTOR, PROVEN, REFUSAL, UNPROVEN, Cost
from tests.house import HouseUnderTest, text_of
from tests.sent_mails import SentMail
from tests.service.worst_mails import ALICE, CHATTY, HOUR, MAILS, long_boards

BOB = "bob@example.org"

ONE_PIECE = Cost(units=3_000, octets=40_000, answers=3)
"""The cost of the piece of work that is begun while there is still something to spend."""

MOST = PROVEN.mail + ONE_PIECE + REFUSAL * 11 + ANSWER

_COST = re.compile(r"mail \d+: (\d+) units, (\d+) octets, (\d+) answers")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with long boards."""
    return long_boards(tmp_path_factory.mktemp("long"))


@pytest.fixture
def house(original: HouseUnderTest, tmp_path: Path) -> Iterator[HouseUnderTest]:
    """Yield a copy of that house; check after the test that no mail met a bug."""
    house = original.twin(tmp_path)
    yield house
    assert house.shunted() == ()
    house.house.close()


def octets(mails: list[EmailMessage]) -> int:
    """Return the octets of mails, the end of a line as one."""
    return sum(len(cast("SentMail", mail).content.replace(b"\r\n", b"\n")) for mail in mails)


def text(mail: EmailMessage) -> str:
    return " ".join(text_of(mail).split())


def priced(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture, *mail: str
) -> tuple[list[EmailMessage], Cost]:
    """Let alice write a mail; return the mails that result, and what the log says of its cost."""
    with caplog.at_level(logging.DEBUG, "pbm.play"):
        sent = house.mail(ALICE, *mail)
    (found,) = map(_COST.fullmatch, (r.getMessage() for r in caplog.records if "units" in r.msg))
    assert found
    return sent, Cost(*map(int, found.groups()))


@pytest.mark.parametrize("name", MAILS)
def test_no_mail_costs_more_than_its_bounds(
    name: str, house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    sent, cost = priced(house, caplog, "many", MAILS[name])
    assert sent
    assert cost.within(MOST), cost
    assert octets(sent) <= MOST.octets
    assert len(sent) <= 11
    assert all(mail["To"] in (ALICE, BOB) for mail in sent)


ASKING = {
    "boards at many plies": "\n".join(
        f"show {' '.join(f'{CHATTY}#{370 - k - n}' for n in range(20))}" for k in range(10)
    ),
    "the reference": "\n".join(["help reference"] * 10),
    "records": "\n".join(f"record {CHATTY} {part}" for part in range(1, 11)),
    "every page": MAILS["helped"],
    "what is no command": MAILS["not understood"],
    "wrong passwords": MAILS["queued without proof"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKING)
def test_a_flood_in_somebodys_name_sends_them_few_answers(name: str, house: HouseUnderTest) -> None:
    sent = house.flood(ALICE, *[("many", ASKING[name])] * 35)
    assert {mail["To"] for mail in sent} == {ALICE}
    assert len(sent) <= UNPROVEN.hour.answers + 1
    assert octets(sent) <= UNPROVEN.hour.octets + UNPROVEN.mail.octets
    assert sum("No more answers for a while" in mail["Subject"] for mail in sent) == 1
    house.clock.now += HOUR
    (again,) = house.mail(ALICE, "help")
    assert "This is a play-by-email game server" in text(again)
    for _ in range(9):
        sent += house.flood(ALICE, *[("many", ASKING[name])] * 35)
        house.clock.now += HOUR
    assert len(sent) <= DAY_FACTOR * UNPROVEN.hour.answers + 1
    house.clock.now += 15 * HOUR
    (again,) = house.mail(ALICE, "help")


def test_somebody_who_proves_who_they_are_is_answered_while_others_write_in_their_name(
    house: HouseUnderTest,
) -> None:
    (shown,) = house.mail(ALICE, "show 203")
    house.flood(ALICE, *[("help", "")] * 60)
    assert house.mail(ALICE, "help") == []
    (answer,) = house.reply(shown, "help")
    assert "This is a play-by-email game server" in text(answer)
    for _ in range(PROVEN.hour.answers):
        house.reply(shown, "help")
    assert house.reply(shown, "help") == []
    assert "Moves still work" in text(house.last_to(ALICE))
    told = house.reply(shown, "chat\n\nStill here.") + house.reply(shown, "draw")
    assert [mail["To"] for mail in told].count(BOB) == 2


def test_a_flood_is_told_of_once_a_day(house: HouseUnderTest) -> None:
    for _ in range(5):
        house.flood(ALICE, *[("help", "")] * (UNPROVEN.hour.answers + 5))
        house.clock.now += HOUR
    told = [mail for mail in house.sent if "No more answers" in mail["Subject"]]
    assert len(told) == 1
    assert "ask for more" in text(told[0])


def test_a_mail_that_asks_too_much_is_told_how_to_ask_for_less(house: HouseUnderTest) -> None:
    (mail,) = house.mail(ALICE, "many", ASKING["boards at many plies"])
    assert "more than one mail may ask for: ask for fewer boards" in text(mail)
    assert "Try: games" in text(mail)
    (mail,) = house.mail(ALICE, f"show {CHATTY} {CHATTY}#370 {CHATTY}#371 {CHATTY}#370")
    assert text(mail).count(f"Board {CHATTY} after") == 3


def test_a_player_with_fifty_boards_sees_them_all_twice_a_day(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    numbers = [house.create_match("alice", "bob", options={}) for _ in range(50)]
    house.play()
    for _ in range(2):
        for some in (numbers[:20], numbers[20:40], numbers[40:]):
            (mail,) = house.mail(ALICE, f"show {' '.join(map(str, some))}")
            assert text(mail).count(" after 0 moves.") == len(some)
        house.clock.now += timedelta(hours=12)
    house.house.close()


QUESTIONS = (
    "help", "list", "standings", "history", "games", "record 203", "show 201", "show 204#3",
    "preview 205", "help reference",
)  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_price_of_an_answer_is_no_less_than_its_octets(
    name: str, house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    sent, cost = priced(house, caplog, name)
    assert octets(sent) <= cost.octets


def test_a_deed_is_paid_for_each_mail_about_it(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    sent, cost = priced(house, caplog, "many", "chat 203 alice alice-pw\n\nHello!")
    assert cost.units >= ANSWER.units * len(sent) > ANSWER.units
