"""Outages that no conversation can say: a relay or a database that fails, and a drill.

tests/conversations/outages.txt has the others.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from pbm.dispatch.jobs import do_what_is_due
from pbm.relay import open_relay
from pbm.service.ports import StoreUnavailable
from tests.conversations.conversation import prepare
from tests.house import START, HouseUnderTest, text_of

DAY = timedelta(days=1)
OURS = ("intake", "play", "deliver")
SILENT = ["alice@example.org: The server was silent", "bob@example.org: The server was silent"]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with a match of alice and bob on board 101, alice to move since START."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    house.begin_match()
    return house


@pytest.fixture
def relay(house: HouseUnderTest) -> Callable[[], int]:
    """Return what gives waiting mails to a relay, which fails while a file is in its place."""
    mails = house.folder / "mail"
    mails.touch()
    relay = open_relay(f"maildir:{mails}", "games.example.org")
    return lambda: house.house.deliver_waiting(relay)


def beat(house: HouseUnderTest, day: float, *parts: str, days: int = 0) -> None:
    house.clock.now = START + day * DAY
    house.beat(*parts, days=days)


def day_of_silence(house: HouseUnderTest) -> float | None:
    since = house.house.silent_since()
    return None if since is None else (since - START) / DAY


def test_a_drill_runs_although_nobody_gives_signs_of_life_at_its_time(
    house: HouseUnderTest,
) -> None:
    beat(house, 0)
    house.clock.now = START + 8 * DAY
    assert house.house.do_what_is_due().total() == 0
    assert house.house.do_what_is_due(drill=True)["nag"] == 1


def test_interrupted_news_go_on_where_they_stopped(house: HouseUnderTest) -> None:
    """Of 151 players a hundred are told before the database fails, and the others afterwards."""
    names = [f"player{number}" for number in range(149)]
    house.add(*names)
    for name in names:
        house.create_match("alice", name)
    house.deliver()
    beat(house, 1)
    beat(house, 2, days=365)
    opened = 0

    def open_unit() -> Any:
        nonlocal opened
        opened += 1
        if opened == 2:
            raise StoreUnavailable("the database is away")
        return house.house.open_unit()

    with suppress(StoreUnavailable):
        do_what_is_due(open_unit, house.house.services, house.clock())
    before = [str(mail["To"]) for mail in house.deliver()]
    after = [str(mail["To"]) for mail in house.remind()]
    assert (len(before), len(after)) == (100, 51)
    assert len({*before, *after}) == 151


def test_a_relay_that_fails_for_days_moves_deadlines_and_holds_reminders(
    house: HouseUnderTest, relay: Callable[[], int]
) -> None:
    beat(house, 7, "relay")
    beat(house, 7, *OURS, days=365)
    house.house.do_what_is_due()
    assert relay() == 1
    for day in (8, 11):
        beat(house, day, *OURS, "relay", days=365)
        assert relay() == 1
        assert day_of_silence(house) == 7
    assert "by Fri 11 Dec 2026 12:00 UTC" in shown(house), "nothing is given back yet"
    (house.folder / "mail").unlink()
    house.clock.now = START + 11.2 * DAY
    assert relay() == 1
    beat(house, 11.2, days=365)
    assert [f"{mail['To']}: {mail['Subject']}" for mail in house.remind()] == SILENT
    # 21 days from 20 Nov 12:00, and the 4.2 days for which the relay failed.
    assert "by Tue 15 Dec 2026 16:48 UTC" in shown(house)


def shown(house: HouseUnderTest) -> str:
    return " ".join(text_of(house.mail("alice@example.org", "show 101")[-1]).split())


def test_a_relay_that_failed_and_has_nothing_left_to_take_holds_nothing_up(
    house: HouseUnderTest, relay: Callable[[], int]
) -> None:
    beat(house, 7)
    house.house.do_what_is_due()
    relay()
    prepare(house, "$ pbm outbox drop 5")  # after the four of the beginning
    beat(house, 9, days=365)
    assert day_of_silence(house) is None
    assert "by Sun 13 Dec 2026 12:00 UTC" in shown(house)


def test_a_relay_that_failed_while_the_time_was_ahead_still_fails_when_it_is_put_back(
    house: HouseUnderTest, relay: Callable[[], int]
) -> None:
    beat(house, 40)
    house.house.do_what_is_due()
    assert relay() == 1
    beat(house, 2, days=365)
    house.clock.now = START + 2.1 * DAY
    assert day_of_silence(house) == 2


def test_mails_composed_in_a_time_that_has_not_come_go_out_at_once(house: HouseUnderTest) -> None:
    beat(house, 1)
    beat(house, 40)
    house.house.do_what_is_due()
    beat(house, 2, days=365)
    assert [f"{mail['To']}: {mail['Subject']}" for mail in house.deliver()] == SILENT
