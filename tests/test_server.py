"""A process of the server: what it takes up when it opens, when its stages work and wait."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.config import Settings
from pbm.server.assembly import App
from pbm.server.stage import Stage
from tests.doors import StoreUnavailable
from tests.house import ADDRESS, HouseUnderTest
from tests.processes import PATIENCE

HOST = socket.gethostname()


@pytest.mark.parametrize(
    ("owner", "taken"),
    [
        (f"{HOST}:999999999:word", 1),
        (f"{HOST}:{os.getpid()}:word", 1),  # a number that has been ours and is again
        (f"{HOST}:1:word", 0),
        ("elsewhere:1:word", 0),
    ],
    ids=["dead", "dead, its number ours again", "alive", "elsewhere"],
)
def test_what_a_dead_process_was_delivering_is_taken_up_at_once_and_no_other(
    tmp_path: Path, owner: str, taken: int
) -> None:
    house = HouseUnderTest(tmp_path)
    house.busy = True
    house.mail("alice@example.org", "help")
    house.house.play_stage.play_waiting()
    now = house.clock()
    with house.house.open_unit() as work:
        work.outbox.claim(10, owner, now, now + timedelta(hours=1))
        work.commit()
    assert house.house.deliver_waiting(house.house.new_relay()) == taken


def test_a_house_hashes_passwords_at_the_cost_that_was_chosen_unless_told_otherwise(
    tmp_path: Path,
) -> None:
    settings = Settings(ADDRESS, f"sqlite:///{tmp_path}/pbm.db", "null:", tmp_path / "key")
    stored = App(settings).passwords.hash("hunter2")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


class Steps:
    """Steps that find work as often as `work` says, and count their calls."""

    def __init__(self, work: int = 0, wanted: int = 1) -> None:
        self.done = 0
        self.reached = threading.Event()
        self.bugs = threading.Event()
        self._work, self._wanted = work, wanted

    def step(self) -> int:
        self.done += 1
        if self.done >= self._wanted:
            self.reached.set()
        return int(self.done <= self._work)


@contextmanager
def running(steps: Steps, every: float) -> Iterator[Stage]:
    stage = Stage("test", steps.step, lambda: True, steps.bugs.set, lambda: every)
    stage.start()
    yield stage
    stage.stop()
    stage.join(PATIENCE)
    assert not stage.is_alive()


def test_a_stage_works_on_while_there_is_work_and_then_waits_for_its_time() -> None:
    steps = Steps(work=3, wanted=4)
    with running(steps, every=3600):
        assert steps.reached.wait(PATIENCE)
        steps.reached.clear()
        assert not steps.reached.wait(0.1)
    assert steps.done == 4


def test_a_stage_looks_again_when_its_time_has_come() -> None:
    steps = Steps(wanted=3)
    with running(steps, every=0.01):
        assert steps.reached.wait(PATIENCE)


def test_a_stage_that_waits_long_can_be_woken() -> None:
    steps = Steps()
    with running(steps, every=3600) as stage:
        assert steps.reached.wait(PATIENCE)
        steps.reached.clear()
        stage.wake()
        assert steps.reached.wait(PATIENCE)


@pytest.mark.parametrize("error", [StoreUnavailable("the database is away"), ValueError("a bug")])
def test_only_a_bug_ends_the_process(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbm.server.stage.OUTAGE_SECONDS", 0.0)
    steps = Steps()

    def fail() -> int:
        steps.step()
        raise error

    stage = Stage("test", fail, lambda: True, steps.bugs.set, lambda: 3600)
    stage.start()
    assert steps.reached.wait(PATIENCE)
    assert steps.bugs.wait(PATIENCE if isinstance(error, ValueError) else 0.1) is stage.failed
    assert stage.failed is isinstance(error, ValueError)
    stage.stop()
    stage.join(PATIENCE)
