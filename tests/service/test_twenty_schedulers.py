"""Twenty schedulers at once: each reminder and each forfeit happens once, whoever does it."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from threading import Barrier

import pytest

from pbm.bootstrap import House, prepare_database
from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind
from pbm.operator.upkeep import verify_all
from pbm.store.unit import UnitOfWork
from tests.databases import postgres_database, postgres_server
from tests.house import START, HouseUnderTest
from tests.service.waiting import (
    NAG,
    WARNING,
    add_players,
    number_of,
    reminders,
    seat,
    tells_of_a_forfeit,
)

DAY = timedelta(days=1)
SCHEDULERS = 20

GROUPS = {0: "late", 2: "warned", 4: "nagged"}
"""On which day the clocks of each group begin. With nagtime 1 and forfeittime 5, the forfeits,
last warnings and nags are all due on the fifth day."""

PLAYERS, BOARDS = 4, 9
"""Players in a group, and boards of each player; together more boards than a batch holds."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HouseUnderTest]:
    """Yield a house on the fifth day, when all earlier mails are delivered."""
    house = HouseUnderTest(tmp_path)
    if request.param == "sqlite":
        live_until_all_is_due(house)
        yield house
        return
    with postgres_database(postgres_server()) as url:
        prepare_database(url)
        house.house = House(replace(house.house.settings, database=url), house.clock)
        live_until_all_is_due(house)
        yield house
        house.house.close()


def live_until_all_is_due(house: HouseUnderTest) -> None:
    for day in range(5):
        house.clock.now = START + day * DAY
        if day in GROUPS:
            with house.house.open_unit() as work:
                begin(house.house, work, GROUPS[day])
                work.commit()
        house.remind()
    house.clock.now = START + 5 * DAY


def begin(house: House, work: UnitOfWork, group: str) -> None:
    """Begin the boards of a group: its players are to move, and one opponent waits for them all."""
    names = [*(f"{group}{n}" for n in range(PLAYERS)), f"{group}-waits"]
    *movers, waits = add_players(work, names, house.clock())
    for mover in movers:
        for _ in range(BOARDS):
            seat(house, work, "gonnect", (mover.id, waits.id), Terms(1, 5))


def all_at_once(house: HouseUnderTest) -> Counter[str]:
    """Start schedulers with their own connections at the same moment; return what they did.

    Each goes on until nothing is left to do, as `pbm remind` and `pbm serve` do.
    """
    ready = Barrier(SCHEDULERS)

    def remind(_: int) -> Counter[str]:
        own = House(house.house.settings, house.clock)
        own.silent_since()  # connects
        ready.wait(60)
        done = own.do_what_is_due()
        own.close()
        return done

    with ThreadPoolExecutor(SCHEDULERS) as pool:
        return sum(pool.map(remind, range(SCHEDULERS)), Counter())


def test_twenty_schedulers_at_once_remind_once_and_forfeit_once(house: HouseUnderTest) -> None:
    done = all_at_once(house)
    mails = house.deliver()
    each = PLAYERS * BOARDS
    assert (done["forfeit"], done["warning"], done["nag"]) == (each, each, each)
    check_mails(mails, each)
    with house.house.open_reading() as work:
        check_logs(work)
        assert set(dict(verify_all(work, house.house.catalogue)).values()) == {()}


def check_mails(mails: list[EmailMessage], each: int) -> None:
    """Check that each board is in one reminder, each mover gets one, and each end is told once."""
    ended = Counter((str(m["To"]), number_of(m)) for m in mails if tells_of_a_forfeit(m))
    assert (len(ended), set(ended.values())) == (2 * each, {1})
    reminded = [(str(mail["To"]), reminders(mail)) for mail in mails if reminders(mail)]
    movers = [f"{group}{n}@example.org" for group in ("nagged", "warned") for n in range(PLAYERS)]
    assert sorted(to for to, _ in reminded) == movers
    told = Counter((n, what) for _, boards in reminded for n, (what, _) in boards.items())
    assert set(told.values()) == {1}
    assert Counter(what for _, what in told) == {NAG: each, WARNING: each}


def check_logs(work: UnitOfWork) -> None:
    for number in work.matches.numbers():
        found = work.matches.get(number)
        assert found is not None
        (mover, *_) = work.players.by_ids(found[0].starters[:1]).values()
        kinds = [entry.kind for entry in found[0].log]
        assert kinds == ([EntryKind.FORFEIT] if mover.userid.startswith("late") else [])
