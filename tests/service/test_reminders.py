"""Reminders and vacations where something is broken, or a setting of the server says how long.

The rest is in conversations/reminders.txt and vacation.txt.
"""

import logging
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbm.core.relaying import Deferred, Sent
from pbm.domain.settings import Periods
from tests.house import START, HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move since START: on 101 with bob, on 102 with carol."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    for opponent in ("bob", "carol"):
        begin(house, opponent)
    return house


def begin(house: HouseUnderTest, opponent: str) -> None:
    house.mail(ALICE, f"gonnect challenge alice alice-pw {opponent} -size=5")
    house.reply(house.last_to(f"{opponent}@example.org"), "accept")


def on_day(house: HouseUnderTest, day: float) -> list[tuple[str, str]]:
    """Turn the clock to `day` days after START and do what is due; return who is told what."""
    house.clock.now = START + day * DAY
    return [(str(mail["To"]), str(mail["Subject"])) for mail in house.remind()]


def spoil(house: HouseUnderTest, statement: str) -> None:
    with closing(sqlite3.connect(house.folder / "pbm.db")) as database, database:
        database.execute(statement)


def test_many_boards_that_wait_are_one_mail_a_day(tmp_path: Path) -> None:
    """A board begins every three hours; the reminders of one day come together, not one by one."""
    house = HouseUnderTest(tmp_path)
    house.add("alice", "carol", text_alone=True)
    for _ in range(20):
        begin(house, "carol")
        house.clock.now += timedelta(hours=3)
    told = {hour: len(on_day(house, 7 + hour / 24)) for hour in range(72)}
    # Nags are due from hour 0 to hour 57, and each mail includes those of the next day.
    assert {hour: mails for hour, mails in told.items() if mails} == {0: 1, 27: 1, 54: 1}


def test_a_game_that_is_gone_holds_no_other_board_up(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(house, "UPDATE matches SET game = 'gone' WHERE number = 101")
    with caplog.at_level(logging.ERROR):
        assert on_day(house, 7) == [(ALICE, "[Gonnect 102] alice - carol")]
    assert "board 101 cannot be looked at" in caplog.text
    assert on_day(house, 19) == [(ALICE, "[Gonnect 102] alice - carol")]


def test_a_job_that_meets_a_bug_stops_no_other_job(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    """The test has an invitation that cannot be read, as after a bug in an earlier version."""
    house.mail(ALICE, "gonnect challenge alice alice-pw carol")
    spoil(house, "UPDATE invitations SET terms = '{'")
    house.clock.now = START + 20 * DAY
    with caplog.at_level(logging.ERROR):
        done = house.house.do_what_is_due()
    assert (done["warning"], done["bug"]) == (2, 1)
    assert "met a bug" in caplog.text
    assert "JSONDecodeError" in caplog.text


def asks(house: HouseUnderTest, words: str, userid: str = "alice") -> list[str]:
    """Return the answer to a player's `vacation WORDS`, and what others are told."""
    mails = house.mail(f"{userid}@example.org", f"vacation {userid} {userid}-pw {words}".strip())
    return [" ".join(text_of(mail).split()) for mail in mails]


def test_the_operator_says_how_long_a_vacation_can_be(house: HouseUnderTest) -> None:
    settings = replace(house.house.settings, periods=Periods(vacation=3))
    house.house = replace(house.house, settings=settings)
    (refused,) = asks(house, "4 days")
    assert "Of the 3 days of vacation in a calendar year you have 3 days left" in refused
    assert len(asks(house, "3 days")) == 3
    (shown,) = asks(house, "")
    assert "You have 0 days of vacation left in 2026 (of 3 days" in shown
    house.house = replace(house.house, settings=replace(settings, periods=Periods(vacation=0)))
    for words in ("", "1 day", "until whenever"):
        (told,) = asks(house, words, "carol")
        assert "The next allowance" not in told, "where there are no vacations, none are promised"


def test_a_broken_board_holds_up_only_the_mail_that_would_tell_of_it(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    asks(house, "2 days")
    asks(house, "2 days", "bob")
    spoil(house, "UPDATE snapshots SET state = '[]' WHERE match_number = 101")
    with caplog.at_level(logging.ERROR):
        assert (BOB, "Your vacation is over") in on_day(house, 3)
    assert "the end of vacation 1 cannot be told" in caplog.text
    assert on_day(house, 3.1) == []


def test_a_clock_that_was_stopped_for_a_mail_runs_again_once_the_mail_is_dropped(
    house: HouseUnderTest,
) -> None:
    house.says = lambda mail: Deferred("452 full") if mail.recipient == ALICE else Sent()
    house.mail(BOB, "message bob bob-pw alice", "Are you there?")
    on_day(house, 1)
    assert ends_of_stops(house) == [None]
    with house.house.open_unit() as work:
        (waiting,) = work.outbox.listing()
        assert work.outbox.drop(waiting.id)
        work.commit()
    on_day(house, 2)
    assert ends_of_stops(house) == [START + 2 * DAY]


def ends_of_stops(house: HouseUnderTest) -> list[datetime | None]:
    """Return the ends of the pauses of alice."""
    with house.house.open_reading() as work:
        (alice,) = work.players.by_address(ALICE)
        return [pause.until for pause in work.pauses.of(alice.id)]
