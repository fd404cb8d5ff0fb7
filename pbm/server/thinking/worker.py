"""A process that thinks: `python -m pbm.server.thinking.worker`, started by the think stage.

It reads tasks from its standard input and writes what it found to its standard output, one pickle
after the other; both come from, and go to, the process that started it. It ends when its input
does, so it never outlives that process. It takes only what time of the cores nobody else wants.
"""

import os
import pickle
import resource
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import BinaryIO

from pbm.core.bugs import trace_of
from pbm.domain.catalogue import Catalogue
from pbm.engine import AnyGame, quote
from pbm.plugins import installed_games, robot_called
from pbm.robots.others import Question, turn_of
from pbm.robots.tasks import MoveFound, MoveTask, OtherRobot, Task
from pbm.server.thinking.workers import Fault, TaskResult
from pbm.system.time_limit import TimeLimit

NICENESS = 19
"""As low as it gets: whoever writes a mail does not wait for a robot."""

CORE_SECONDS = 60.0
"""Seconds of a core after which a search plays the best that it has found."""

LAST_SECONDS = 180.0
"""The same after which the system ends a process that does not listen any more."""

OCTETS = 2 * 1024**3
"""The memory that a game gone wild can take."""

OTHERS_SECONDS = 30.0
"""Seconds of a core for a robot of others: a player waits a minute for a robot at most."""

STAND_IN = 1
"""The level that plays the move that a robot of others did not find."""

LONGEST_FAULT = 200
"""Characters of an exception that the operator is shown."""


def main() -> None:
    """Think about what comes in, until nothing can come any more."""
    _be_modest()
    answers = _standard_output()
    tasks: SimpleQueue[Task] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, tasks), daemon=True).start()
    catalogue = installed_games()
    while True:
        found = think(tasks.get(), catalogue)
        try:
            pickle.dump(found, answers)
            answers.flush()
        except BrokenPipeError:
            os._exit(0)  # nobody is there to hear it


def _be_modest() -> None:
    """Let everybody else go first, and leave it to the server when to end."""
    with suppress(OSError):  # a unit of systemd may forbid it
        os.nice(NICENESS)
    if hasattr(os, "sched_setscheduler"):  # Linux
        with suppress(OSError):
            # It never takes a core from what wakes up (sched(7)).
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (OCTETS, most))
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not SIG_IGN, which programs that a robot of others starts would inherit.
        signal.signal(number, lambda *_: None)


def _standard_output() -> BinaryIO:
    """Return where answers go; what a game prints goes to the log instead."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _read(source: BinaryIO, tasks: "SimpleQueue[Task]") -> None:
    """Put the tasks that come into the queue; end the process, whatever it does, after the last."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            tasks.put(pickle.load(source))  # noqa: S301 - from the server itself
    os._exit(0)


def think(task: Task, catalogue: Catalogue) -> TaskResult | Fault:
    """Return the result of a task."""
    began = core_seconds()

    def is_over() -> bool:
        return core_seconds() - began > CORE_SECONDS

    signal.setitimer(signal.ITIMER_PROF, LAST_SECONDS)
    try:
        game = _rules_of(task, catalogue)
        if isinstance(task, MoveTask) and task.other is not None:
            value: object = asked(task, task.other, game, is_over)
        else:
            value = task.run(game, is_over)
        pickle.dumps(value)
    except BaseException as bug:  # noqa: BLE001 - whatever it is, the process can go on
        return Fault(trace_of(bug), core_seconds() - began)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return TaskResult(value, core_seconds() - began)


def _rules_of(task: Task, catalogue: Catalogue) -> AnyGame:
    game = catalogue.rules(task.game, task.rules_version)
    if game is None:
        raise LookupError("the game is not installed here in that version of its rules")
    return game


def core_seconds() -> float:
    """Return what this process and those that it has started have used of the cores."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def asked(
    task: MoveTask, other: OtherRobot, game: AnyGame, is_over: Callable[[], bool]
) -> MoveFound:
    """Return the move of a robot of others; if it raises anything, one of our own search."""
    moment = task.moment
    question = Question(
        other.setup, other.turns, other.own_seats, moment.position(game), moment.seat
    )
    try:
        with TimeLimit(OTHERS_SECONDS)():
            return MoveFound(turn_of(robot_called(other.entry), game, question), moment.ply + 1)
    except Exception as error:  # noqa: BLE001 - a robot of others may raise anything
        raised = quote(f"{type(error).__name__}: {error}", LONGEST_FAULT)
    level = min(task.level, STAND_IN)
    own = replace(task, level=level).run(game, is_over)
    return replace(own, fault=f"It raised {raised}.")


if __name__ == "__main__":
    main()
