"""The processes that think, as the stage sees them: started on first need, ended when idle.

They are started anew, never forked: a fork of a server with threads may hang.
"""

import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from pbm.engine import frozen
from pbm.robots.tasks import Task
from pbm.system.cores import run_on


@frozen
class TaskResult:
    """The result of a task, after so many `seconds` of a core."""

    value: Any
    seconds: float


@frozen
class Fault:
    """The reason why a task failed, after so many `seconds` of a core."""

    trace: str
    seconds: float


COMMAND = (sys.executable, "-P", "-m", "pbm.server.thinking.worker")
"""-P: a folder of the place where the server was started must not be taken for one of ours."""

HANG_SECONDS = 900.0
"""The time limit of a task by the clock. On a busy machine a minute of a core takes long."""

IDLE_SECONDS = 300.0
"""The time after which a process without a task is ended."""


@dataclass(eq=False)
class Worker:
    """A process. While it thinks it has a `task`, which it began, or became idle, at `since`."""

    process: "subprocess.Popen[bytes]"
    since: float
    task: Task | None = None
    hung: bool = False


@dataclass
class Workers:
    """At most `most` processes, on these cores.

    `wake` is called, in another thread, when one has answered.
    """

    most: int
    cores: Collection[int]
    wake: Callable[[], None] = lambda: None
    now: Callable[[], float] = time.monotonic
    _workers: list[Worker] = field(default_factory=list)
    _answers: "SimpleQueue[tuple[Worker, TaskResult | Fault | None]]" = field(
        default_factory=SimpleQueue
    )

    @property
    def busy(self) -> int:
        """The number of processes that think."""
        return sum(worker.task is not None for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that there are."""
        return [worker.process.pid for worker in self._workers]

    @property
    def has_room(self) -> bool:
        """True if another task could be begun at once."""
        return self.busy < self.most

    def begin(self, task: Task) -> Worker:
        """Give a task to an idle process, or to a new one; there must be room. Returns which."""
        idle = (worker for worker in self._workers if worker.task is None)
        worker = next(idle, None) or self._started()
        worker.task, worker.since = task, self.now()
        # The end of its output shows when one has died meanwhile.
        with suppress(OSError):
            assert worker.process.stdin is not None  # noqa: S101 - it is a pipe
            pickle.dump(task, worker.process.stdin)
            worker.process.stdin.flush()
        return worker

    def answered(self) -> Iterator[tuple[Worker, TaskResult | Fault]]:
        """Yield the results since the last time, and the tasks that failed and why."""
        while True:
            try:
                worker, answer = self._answers.get_nowait()
            except Empty:
                return
            was_thinking = worker.task is not None
            worker.task, worker.since = None, self.now()
            if answer is None:
                self._workers = [each for each in self._workers if each is not worker]
                answer = Fault(_end_of(worker), 0.0)
            if was_thinking:
                yield worker, answer

    def tidy(self) -> None:
        """End processes that hang, which then answer so, and those that have long been idle."""
        for worker in tuple(self._workers):
            seconds = self.now() - worker.since
            if worker.task is not None and seconds > HANG_SECONDS:
                worker.hung = True
                worker.process.kill()
            elif worker.task is None and seconds > IDLE_SECONDS:
                worker.process.kill()
                self._workers.remove(worker)

    def close(self) -> None:
        """End all processes, whatever they think."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.wait()
            worker.task = None
        self._workers.clear()

    def _started(self) -> Worker:
        process = subprocess.Popen(  # noqa: S603 - our own module
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        run_on(self.cores, process.pid)  # and not on the one that the server keeps to
        worker = Worker(process, self.now())
        self._workers.append(worker)
        threading.Thread(target=self._listen, args=(worker,), daemon=True).start()
        return worker

    def _listen(self, worker: Worker) -> None:
        """Pass on what a process answers; None once it has ended."""
        process = worker.process
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        assert process.stdout is not None  # noqa: S101 - as well
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._tell(worker, pickle.load(process.stdout))  # noqa: S301 - our own process
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        process.kill()
        process.wait()
        self._tell(worker, None)

    def _tell(self, worker: Worker, answer: TaskResult | Fault | None) -> None:
        self._answers.put((worker, answer))
        self.wake()


def _end_of(worker: Worker) -> str:
    """Return why a process has ended."""
    if worker.hung:
        return f"it did not answer within {HANG_SECONDS:.0f} seconds"
    code = worker.process.returncode
    return f"its process ended by signal {-code}" if code < 0 else f"its process ended ({code})"
