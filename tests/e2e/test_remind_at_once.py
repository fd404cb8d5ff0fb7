"""`pbm serve` and `pbm remind` as processes at the same time: each reminder and forfeit once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbm.domain.invitations import Terms
from tests.e2e.server import Server
from tests.house import ADDRESS, HouseUnderTest
from tests.processes import PATIENCE, clean_environment, run_pbm, until
from tests.service.waiting import (
    NAG,
    WARNING,
    add_players,
    number_of,
    reminders,
    seat,
    tells_of_a_forfeit,
)

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)
MOVERS = 5
"""Players to move in each of the three groups, on two boards each."""


def house_with_all_due(home: Path) -> HouseUnderTest:
    """Return a house where a third of the boards is due for each of nag, warning and forfeit."""
    house, now = HouseUnderTest(home), datetime.now(UTC)
    for day in range(5):
        house.clock.now = now - timedelta(minutes=1) - (5 - day) * DAY
        if day in (0, 2, 4):
            with house.house.open_unit() as work:
                *movers, waits = add_players(
                    work, [f"day{day}n{n}" for n in range(MOVERS + 1)], house.clock()
                )
                for mover in movers * 2:
                    seat(house.house, work, "gonnect", (mover.id, waits.id), Terms(1, 5))
                work.commit()
        house.remind()
    house.clock.now = now
    return house


def test_a_server_and_two_calls_of_remind_at_once_do_each_thing_once(tmp_path: Path) -> None:
    house = house_with_all_due(tmp_path)
    settings = house.house.settings
    environment = clean_environment(
        PBM_DATABASE=settings.database, PBM_ADDRESS=ADDRESS, PBM_SECRET=str(settings.secret),
        PBM_RELAY="null:", PBM_ROLES="intake,remind",
    )  # fmt: skip
    with ThreadPoolExecutor(2) as pool:
        calls = [
            pool.submit(run_pbm, "remind", home=tmp_path, environment=environment) for _ in range(2)
        ]
        with Server(tmp_path, environment=environment) as server:
            ended_calls = [call.result(PATIENCE) for call in calls]
            until(lambda: house.house.list_what_is_due() == [], "everything to be done")
            assert server.stop() == 0
    assert [(call.returncode, call.stderr) for call in ended_calls] == [(0, "")] * 2
    house.clock.now += DAY  # by then all mails of the processes are due
    mails = house.deliver()
    ended = Counter((str(m["To"]), number_of(m)) for m in mails if tells_of_a_forfeit(m))
    assert (len(ended), set(ended.values())) == (4 * MOVERS, {1})
    told = Counter(what for mail in mails for what, _ in reminders(mail).values())
    assert told == {NAG: 2 * MOVERS, WARNING: 2 * MOVERS}
    assert len([mail for mail in mails if reminders(mail)]) == 2 * MOVERS
