"""Several at once on the same boards, scores and accounts: all is done, and each thing once."""

import logging
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Barrier

import pytest

from pbm.config import Settings
from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind
from pbm.domain.mail import ReceivedMail
from pbm.domain.ratings import Rating
from pbm.operator.upkeep import verify_all
from pbm.server.assembly import App
from pbm.server.play_stage import BATCH
from pbm.system import utc_now
from tests.databases import new_database
from tests.doors import Conflict
from tests.house import ADDRESS, QUICK_PASSWORDS, START, Clock, HouseUnderTest, SeededChance, Work
from tests.processes import PATIENCE, another
from tests.service.waiting import (
    NAG,
    WARNING,
    add_players,
    number_of,
    reminders,
    seat,
    snapshot_of,
    table_of,
    tells_of_a_forfeit,
)

DAY = timedelta(days=1)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HouseUnderTest]:
    """Yield a house on each database."""
    with new_database(request.param, tmp_path) as url:
        house = HouseUnderTest(tmp_path, url=url)
        yield house
        house.house.close()


# ---- what was read before somebody else saved


@pytest.mark.parametrize(
    ("author", "line"), [("bob", "queue 101 bob bob-pw B2 if C3"), ("alice", "C3"), ("", "")]
)
def test_who_has_not_seen_what_another_saved_must_play_its_mail_again(
    house: HouseUnderTest, author: str, line: str
) -> None:
    """A new queue, a move, a reminder: on PostgreSQL each can run beside another on its board."""
    house.add("alice", "bob")
    house.begin_match()
    house.clock.now += 19 * DAY
    before = table_of(house.house, 101)
    if author:
        house.reply(house.last_to(f"{author}@example.org"), line)
    else:
        assert len(house.remind()) == 1
    with house.house.open_unit() as work, pytest.raises(Conflict):
        work.matches.save(before.match, before.match, snapshot_of(before), before.to_move)


def test_two_matches_of_a_player_that_end_at_once_both_count(house: HouseUnderTest) -> None:
    """A rating computed from an outdated one is not written over the current one."""
    house.add("alice", "bob")
    house.begin_match()
    for name, line in (("alice", "C3"), ("bob", "C4"), ("alice", "resign")):
        house.reply(house.last_to(f"{name}@example.org"), line)
    with house.house.open_unit() as work:
        (alice,) = work.players.by_address("alice@example.org")
        for outdated in (None, Rating(updated_at=house.clock())):
            with pytest.raises(Conflict):
                work.ratings.save("gonnect", alice.id, outdated, Rating(1600))


# ---- processes that start at once


def test_processes_that_start_at_once_make_each_robot_once(house: HouseUnderTest) -> None:
    houses = [App(house.house.settings, Clock(), SeededChance(), QUICK_PASSWORDS) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = sum(pool.map(lambda each: each.robots.make(), houses), ())
    assert sorted(made) == [f"robot-{level}" for level in range(1, 6)]
    assert house.house.robots.make() == ()
    with house.house.open_reading() as work:
        assert [robot.userid for robot in work.players.listing()] == sorted(made)
    for each in houses:
        each.close()


# ---- twenty schedulers

SCHEDULERS = 20
GROUPS = {0: "late", 2: "warned", 4: "nagged"}
"""On which day the clocks of each group begin. With nagtime 1 and forfeittime 5, the forfeits,
last warnings and nags are all due on the fifth day."""
PLAYERS, BOARDS = 4, 9
"""Players in a group, and boards of each player; together more boards than a batch holds."""


@pytest.mark.slow
def test_twenty_schedulers_at_once_remind_once_and_forfeit_once(house: HouseUnderTest) -> None:
    for day in range(5):
        house.clock.now = START + day * DAY
        if day in GROUPS:
            with house.house.open_unit() as work:
                begin(house.house, work, GROUPS[day])
                work.commit()
        house.remind()
    house.clock.now = START + 5 * DAY
    done, each = all_at_once(house), PLAYERS * BOARDS
    assert (done["forfeit"], done["warning"], done["nag"]) == (each, each, each)
    check_mails(house.deliver(), each)
    with house.house.open_reading() as work:
        for number in work.matches.numbers():
            found = work.matches.get(number)
            assert found is not None
            (mover, *_) = work.players.by_ids(found[0].starters[:1]).values()
            late = [EntryKind.FORFEIT] * mover.userid.startswith("late")
            assert [entry.kind for entry in found[0].log] == late
        assert set(dict(verify_all(work, house.house.catalogue)).values()) == {()}


def begin(house: App, work: Work, group: str) -> None:
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
        own = App(house.house.settings, house.clock)
        own.silent_since()  # connects
        ready.wait(60)
        done = own.do_what_is_due()
        own.close()
        return done

    with ThreadPoolExecutor(SCHEDULERS) as pool:
        return sum(pool.map(remind, range(SCHEDULERS)), Counter())


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


# ---- two processes that play a batch each


def work_off(told: Connection, url: str, key: Path) -> None:
    """Be a process that plays all that waits; tell when it has read ahead, and what it has done."""
    lines = StringIO()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=lines)
    asked: list[bool] = []

    def clock() -> datetime:
        # It is first asked for the time when it has claimed a batch and read ahead.
        if not asked:
            asked.append(True)
            told.send("has read")
            told.recv()
        return utc_now()

    stage = App(Settings(ADDRESS, url, "null:", key), clock).play_stage
    while played := stage.play_waiting():
        print("played", played, file=lines)
    told.send(lines.getvalue())


@contextmanager
def beside(url: str, key: Path) -> Iterator[Connection]:
    """Run a process that works off what waits; yield what it tells, and check that it ends well."""
    with another(work_off, url, key) as worker:
        yield worker.told
        worker.process.join(PATIENCE)
        assert worker.process.exitcode == 0


def heard(worker: Connection) -> str:
    """Return what a process tells next."""
    assert worker.poll(PATIENCE), "it says nothing"
    return str(worker.recv())


def replies(house: HouseUnderTest) -> list[ReceivedMail]:
    """Begin a batch of boards; return the moves of all who are to move, then talk of the others."""
    house.add(*(f"{who}{n}" for n in range(BATCH) for who in ("first", "second")), text_alone=True)
    for n in range(BATCH):
        house.create_match(f"first{n}", f"second{n}")
    moves: list[ReceivedMail] = []
    talk: list[ReceivedMail] = []
    for mail in house.play():
        moves_now = "Your move" in mail["From"]
        text = "C3" if moves_now else "chat\r\nHello."
        raw = f"From: {mail['To']}\r\nSubject: Re: {mail['Subject']}\r\n\r\n{text}\r\n"
        to = (str(mail["Reply-To"]),)
        reply = ReceivedMail(str(mail["To"]), to, raw.encode(), house.clock())
        (moves if moves_now else talk).append(reply)
    return [*moves, *talk]


@pytest.mark.slow
def test_two_processes_play_a_batch_each_on_the_same_boards(
    house: HouseUnderTest, tmp_path: Path
) -> None:
    house.clock.now = datetime.now(UTC)
    waiting = replies(house)
    assert len(waiting) == 2 * BATCH
    house.house.inbox.put(waiting)
    url, key = house.house.settings.database, tmp_path / "key"
    with ExitStack() as stack:
        workers = [stack.enter_context(beside(url, key)) for _ in range(2)]
        assert [heard(worker) for worker in workers] == ["has read"] * 2
        for worker in workers:
            worker.send("go on")
        told = [heard(worker) for worker in workers]
    assert "another worker was first" in "".join(told)
    with house.house.open_reading() as work:
        assert work.inbox.waiting() == 0
        assert work.shunt.listing() == ()
        for number in work.matches.numbers():
            stored = work.matches.get(number)
            assert stored is not None
            assert sorted(entry.kind for entry in stored[0].log) == [EntryKind.CHAT, EntryKind.MOVE]
        assert not any(faults for _, faults in verify_all(work, house.house.catalogue))
    house.clock.now += timedelta(hours=1)
    mails = Counter(str(mail["To"]) for mail in house.deliver())
    # Both are told of the move, and both of the talk.
    assert mails == {
        f"{name}{n}@example.org": 2 for name in ("first", "second") for n in range(BATCH)
    }
