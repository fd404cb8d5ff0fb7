"""Two processes play at once, a whole batch each, on the same boards: all is played, and once."""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from pbm.bootstrap import House
from pbm.config import Settings
from pbm.domain.logs import EntryKind
from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.operator.administration import Administration
from pbm.operator.upkeep import verify_all
from pbm.service.token_masking import opened
from pbm.system import utc_now
from pbm.worker import BATCH
from tests.databases import postgres_database, postgres_server
from tests.house import ADDRESS, QUICK_PASSWORDS
from tests.processes import PATIENCE, another

NOW = datetime.now(UTC)


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

    stage = House(Settings(ADDRESS, url, "null:", key), clock).play_stage
    while played := stage.play_waiting():
        print("played", played, file=lines)
    told.send(lines.getvalue())


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = f"sqlite:///{tmp_path / 'pbm.db'}"
        else:
            url = stack.enter_context(postgres_database(postgres_server()))
        settings = Settings(ADDRESS, url, "null:", tmp_path / "key")
        house = House(settings, passwords=QUICK_PASSWORDS)
        stack.callback(house.close)
        yield house


def posted(house: House) -> list[OutgoingMail]:
    """Return the mails in the outbox, which are sent then."""
    with house.open_unit() as work:
        rows = work.outbox.claim(1000, "test:1:x", NOW + timedelta(hours=1), NOW)()
        work.outbox.sent([row.id for row in rows], NOW)
        work.commit()
    return [opened(house.services.mint, row.mail) for row in rows]


def replies(house: House) -> list[ReceivedMail]:
    """Begin a batch of boards; return the moves of all who are to move, then talk of the others."""
    with house.open_unit() as work:
        operator = Administration(house.services, work, NOW)
        for n in range(BATCH):
            names = (f"first{n}", f"second{n}")
            for name in names:
                player = operator.add_player(name, f"zq-{name}-1", [f"{name}@example.org"])
                # It is composed sooner.
                work.players.set_setting(player.id, "format", "text")
            operator.create_match(house.catalogue.get("gonnect"), names, {"size": "5"}, {})
        work.commit()
    moves: list[ReceivedMail] = []
    talk: list[ReceivedMail] = []
    for mail in posted(house):
        headers = message_from_bytes(mail.content)
        to, moves_now = headers["Reply-To"], "Your move" in headers["From"]
        text = "C3" if moves_now else "chat\r\nHello."
        raw = f"From: {mail.recipient}\r\nSubject: Re: {headers['Subject']}\r\n\r\n{text}\r\n"
        (moves if moves_now else talk).append(
            ReceivedMail(mail.recipient, (to,), raw.encode(), NOW)
        )
    return [*moves, *talk]


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


def test_two_processes_play_a_batch_each_on_the_same_boards(house: House, tmp_path: Path) -> None:
    waiting = replies(house)
    assert len(waiting) == 2 * BATCH
    house.inbox.put(waiting)
    with ExitStack() as stack:
        workers = [
            stack.enter_context(beside(house.settings.database, tmp_path / "key")) for _ in range(2)
        ]
        assert [heard(worker) for worker in workers] == ["has read"] * 2
        for worker in workers:
            worker.send("go on")
        told = [heard(worker) for worker in workers]
    assert "another worker was first" in "".join(told)
    with house.open_reading() as work:
        assert work.inbox.waiting() == 0
        assert work.shunt.listing() == ()
        for number in work.matches.numbers():
            stored = work.matches.get(number)
            assert stored is not None
            assert sorted(entry.kind for entry in stored[0].log) == [EntryKind.CHAT, EntryKind.MOVE]
        assert not any(faults for _, faults in verify_all(work, house.catalogue))
    mails = Counter(mail.recipient for mail in posted(house))
    # Both are told of the move, and both of the talk.
    assert mails == {f"{name}{n}@example.org": 2 for name in ("first", "second") for n in range(64)}
