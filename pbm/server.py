"""`pbm serve`: the stages of a process, each a thread that works until told to stop."""

import asyncio
import contextlib
import functools
import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from functools import partial

from pbm.bootstrap import House
from pbm.holders import hold, this_process
from pbm.service.bugs import trace_of
from pbm.service.delivery import Relay
from pbm.service.ports import StoreUnavailable
from pbm.service.ports.post import Letterbox
from pbm.service.ports.waking import Wakes
from pbm.service.pulse import SERVING, parts_of
from pbm.service.scheduling import BUG
from pbm.smtp import Listener, ListenerSettings, listening
from pbm.systemd import Supervisor
from pbm.watch.spells import Spell
from pbm.watch.turning import Watching, what_stands_still
from pbm.wheels import WatchedLetterbox, Wheel

log = logging.getLogger("pbm")

POLL_SECONDS = 5.0
"""How long an idle stage sleeps before it looks for work by itself, though nobody has called."""

DEAF_SECONDS = 1.0
"""The same while the calls of other processes cannot be heard."""

ROUND_SECONDS = 60.0
"""The time between two rounds of reminders, and between two signs of life."""

SWITCH_SECONDS = 0.0005
"""How long a thread keeps Python's lock while others want it. With the usual 5 ms, intake waits for
play at every step: in one process this takes a sixth off the CPU of a move."""

OUTAGE_SECONDS = 5.0
"""How long a stage waits when the database is unavailable."""

GARBAGE_AFTER = 50_000
"""How many more objects come than go before Python looks for garbage. Hardly any is left that
counting does not free, and to look after each 700, as is usual, takes a thirtieth of the CPU."""

JOIN_SECONDS = 2.5
"""How long the stages may take to end once intake has. Supervisors give the whole a few seconds."""


class Stage(threading.Thread):
    """A thread that repeats `step` while that returns work done, and otherwise waits to be woken.

    If nobody wakes it, it looks again after `every()` seconds. After work and one quiet wait, it
    calls `rest` until that returns True.
    A bug in it ends the whole process through `on_bug`, so that a supervisor restarts it: a
    server that takes mails and never plays them would be worse.
    """

    def __init__(
        self, name: str, step: Callable[[], int], rest: Callable[[], bool],
        on_bug: Callable[[], None], every: Callable[[], float],
    ) -> None:  # fmt: skip
        super().__init__(name=f"pbm-{name}", daemon=True)
        self._step = step
        self._rest = rest
        self._on_bug = on_bug
        self._every = every
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self.failed = False
        self.wheel = Wheel(name)
        self.outages = _outages()
        """Who is without the database; the stages of a process share it."""

    @property
    def stopping(self) -> bool:
        """True once the stage has been asked to stop."""
        return self._stopping.is_set()

    def goes_on(self) -> bool:
        """Return True until asked to stop. A step that asks shows that it is not stuck."""
        self.wheel.go_on()
        return not self.stopping

    def wake(self) -> None:
        """Say that there may be work."""
        self._wake.set()

    def stop(self) -> None:
        """Ask the stage to stop after its current step."""
        self._stopping.set()
        self._wake.set()

    def run(self) -> None:
        """Work until stopped."""
        rested = False
        try:
            while not self.stopping:
                self._wake.clear()
                done = self._work(self._step)
                if done or done is None:
                    rested = False
                elif not self._wake.wait(self._every()) and not rested:
                    rested = bool(self._work(self._rest))
        except BaseException as bug:  # noqa: BLE001 - whatever it is, the process ends
            self.failed = True
            trace = trace_of(bug)  # without values, of which a password may be one
            log.error("the stage %s has failed. Traceback:\n%s", self.name, trace)  # noqa: TRY400
            self._on_bug()

    def _work(self, piece: Callable[[], int]) -> int | None:
        """Return how much a piece of work has done; None if the database is away, after a pause."""
        try:
            with self.wheel.turning():
                done = piece()
        except StoreUnavailable as outage:
            self.outlast(outage)
            return None
        self.outages.is_over(self.name)
        return done

    def outlast(self, outage: StoreUnavailable) -> bool:
        """Wait a while for the database; return False if the stage has been asked to stop."""
        self.outages.holds(self.name, str(outage))
        self._stopping.wait(OUTAGE_SECONDS)
        return self.goes_on()


def _outages() -> Spell:
    """Return what says that the database is away, and that it is back."""
    return Spell(log, "%s", "the database works again, after %(lasted)s", time.monotonic)


async def serve(
    house: House,
    settings: ListenerSettings,
    roles: frozenset[str],
    on_ready: Callable[[tuple[Listener, ...]], None],
    watched: Watching | None = None,
) -> bool:
    """Run the stages named by `roles` until SIGTERM or SIGINT; return False if one failed.

    Stopping is orderly: each stage ends with the mail in its hands, new mails are no longer
    taken, and those on their way are stored. What still waits is in the database for the next
    start. A stage that does not end in time is left behind, as if it had been killed. `watched`
    is told what works.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    with ExitStack() as held:
        sockets = (*settings.smtp, *settings.lmtp)
        hold(held, house.sqlite_file(), sockets, this_process(house.clock()))
        return await _serve(house, settings, roles, on_ready, ended, watched)


async def _serve(
    house: House,
    settings: ListenerSettings,
    roles: frozenset[str],
    on_ready: Callable[[tuple[Listener, ...]], None],
    ended: asyncio.Event,
    watched: Watching | None,
) -> bool:
    """Run the stages until `ended` is set; return False if one failed."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.call_soon_threadsafe(ended.set)

    sys.setswitchinterval(SWITCH_SECONDS)
    _look_for_garbage_seldom()
    relay = house.new_relay()
    stages = _stages(house, relay, roles, end)
    inbox = WatchedLetterbox(house.inbox, Wheel("intake"))
    wheels = [inbox.wheel, *(stage.wheel for stage in stages.values())]
    outages = _outages()
    for stage in stages.values():
        stage.outages = outages
    if watched:
        watched.watch(partial(what_stands_still, loop, stages))
    with _hearing(house, stages), _running(stages, relay):
        wake = stages["play"].wake if "play" in stages else _nobody
        async with _listeners(house, inbox, settings, roles, wake) as listeners:
            on_ready(listeners)
            if watched:
                watched.listens()
            log.info("begins: %s", ", ".join(sorted(roles)))
            async with Supervisor(os.environ).told_of(roles, wheels):
                await ended.wait()
                log.info("stopping")
            _stop(stages)
    return not any(stage.failed for stage in stages.values())


def _look_for_garbage_seldom() -> None:
    """Leave alone what was made at the start, and look at the rest after a few hundred mails."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER)


def _hearing(house: House, stages: dict[str, Stage]) -> AbstractContextManager[object]:
    """Wake the stages when another process makes work for them."""
    return house.bell.listening({name: stages[name].wake for name in Wakes if name in stages})


def _look(house: House) -> float:
    """Return after how many seconds a stage looks for work by itself."""
    return POLL_SECONDS if house.bell.hears else DEAF_SECONDS


def _each_round() -> float:
    return ROUND_SECONDS


def _nobody() -> None:
    """Wake nobody: another process does what comes next."""


def _stages(
    house: House, relay: Relay, roles: frozenset[str], on_bug: Callable[[], None]
) -> dict[str, Stage]:
    # The first beat comes before all else. It records how long the server was away, according
    # to the last sign of life, and nobody may be reminded before that.
    stages = {"beat": _beating(house, roles, on_bug)}
    if "deliver" in roles:
        stages["deliver"] = _delivering(house, relay, on_bug)
    wake = stages["deliver"].wake if "deliver" in stages else _nobody
    if "play" in roles:
        stages["play"] = _playing(house, wake, on_bug)
    if "remind" in roles:
        remind = _then(lambda: _done_in_a_round(house), wake)
        stages["remind"] = Stage("remind", remind, house.forget_done, on_bug, _each_round)
    return stages


def _playing(house: House, wake: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that plays, and ends between two mails when it is told to stop."""

    def play() -> int:
        played = house.play_stage.play_waiting(stopping=lambda: not stage.goes_on())
        return played + house.play_stage.go_on()

    prepare = functools.cache(house.prepare)

    def rest() -> bool:
        prepare()  # not at the start, which that would slow down
        return house.forget_done()

    stage = Stage("play", _then(play, wake), rest, on_bug, partial(_look, house))
    return stage


def _beating(house: House, roles: frozenset[str], on_bug: Callable[[], None]) -> Stage:
    """Give the first sign of life, and return the stage that gives the others."""
    parts = parts_of(roles)

    def beat() -> int:
        house.beat(parts, SERVING)
        return 0

    beat()
    return Stage("beat", beat, house.forget_done, on_bug, _each_round)


def _delivering(house: House, relay: Relay, on_bug: Callable[[], None]) -> Stage:
    """Take over what a killed process left, and return the stage that delivers."""
    house.release_dead()
    stage = Stage(
        "deliver",
        lambda: house.deliver_waiting(relay, lambda: not stage.goes_on(), stage.outlast),
        house.forget_done,
        on_bug,
        partial(_look, house),
    )
    return stage


def _done_in_a_round(house: House) -> int:
    """Do what is due and return how much was done. What met a bug waits for the next round."""
    done = house.do_what_is_due()
    if done:
        house.witness.done_by_itself(done)
    return done.total() - done[BUG]


def _then(step: Callable[[], int], wake: Callable[[], None]) -> Callable[[], int]:
    """Return a step that does the same and, if it did anything, calls `wake`."""

    def work() -> int:
        done = step()
        if done:
            wake()
        return done

    return work


@contextlib.contextmanager
def _running(stages: dict[str, Stage], relay: Relay) -> Iterator[None]:
    for stage in stages.values():
        stage.start()
    try:
        yield
    finally:
        _stop(stages)
        late = _joined(stages.values())
        if late:
            log.warning("left behind: %s; the next start takes over", ", ".join(late))
        else:
            relay.close()


def _stop(stages: dict[str, Stage]) -> None:
    for stage in stages.values():
        stage.stop()


def _joined(stages: Collection[Stage]) -> list[str]:
    """Wait until the stages have ended; return the names of those that take too long.

    A relay that hangs must not hold the process: the lease of its mail ends with it.
    """
    until = time.monotonic() + JOIN_SECONDS
    for stage in stages:
        stage.join(max(0.0, until - time.monotonic()))
    return [stage.name for stage in stages if stage.is_alive()]


@asynccontextmanager
async def _listeners(
    house: House,
    inbox: Letterbox,
    settings: ListenerSettings,
    roles: frozenset[str],
    wake: Callable[[], None],
) -> AsyncIterator[tuple[Listener, ...]]:
    if "intake" not in roles:
        yield ()
        return
    async with listening(
        settings,
        inbox,
        house.settings.accepts,
        on_stored=wake,
        now=house.clock,
        log=logging.getLogger("pbm.smtp"),
        witness=house.witness,
    ) as listeners:
        yield listeners
