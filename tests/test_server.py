"""A stage of `pbm serve`: when it works and when it waits."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbm.service.ports import StoreUnavailable
from pbm.stage import Stage

PATIENCE = 10.0


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
    monkeypatch.setattr("pbm.stage.OUTAGE_SECONDS", 0.0)
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
