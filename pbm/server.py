"""`pbm serve`: the stages of a process, each awake while there is work, until told to stop."""

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

from pbm.bootstrap import House
from pbm.service.delivery import Relay
from pbm.service.ports import StoreUnavailable
from pbm.smtp import Listener, ListenerSettings, listening

log = logging.getLogger("pbm")

POLL_SECONDS = 1.0
"""How long an idle stage sleeps when nothing in this process wakes it: other processes' work."""

OUTAGE_SECONDS = 5.0
"""How long a stage waits when the database is away."""


class Stage(threading.Thread):
    """A thread that repeats `step` while it returns work done, and otherwise waits to be woken.

    When it has worked and a second has been quiet, it calls `rest` until that returns True.
    A bug in it ends the whole process through `on_bug`, so that a supervisor restarts it: a
    server that takes mails and never plays them would be worse.
    """

    def __init__(
        self, name: str, step: Callable[[], int], rest: Callable[[], bool],
        on_bug: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__(name=f"pbm-{name}", daemon=True)
        self._step = step
        self._rest = rest
        self._on_bug = on_bug
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self.failed = False

    @property
    def stopping(self) -> bool:
        """True once the stage has been asked to end."""
        return self._stopping.is_set()

    def wake(self) -> None:
        """Say that there may be work."""
        self._wake.set()

    def stop(self) -> None:
        """Ask the stage to end after what it is doing."""
        self._stopping.set()
        self._wake.set()

    def run(self) -> None:
        """Work until stopped."""
        rested = False
        try:
            while not self.stopping:
                self._wake.clear()
                if self._work(self._step):
                    rested = False
                elif not self._wake.wait(POLL_SECONDS) and not rested:
                    rested = bool(self._work(self._rest))
        except BaseException:
            self.failed = True
            log.exception("the stage %s has failed", self.name)
            self._on_bug()

    def _work(self, piece: Callable[[], int]) -> int:
        try:
            return piece()
        except StoreUnavailable as outage:
            log.warning("%s waits: %s", self.name, outage)
            self._stopping.wait(OUTAGE_SECONDS)
            return 0


async def serve(
    house: House,
    settings: ListenerSettings,
    roles: frozenset[str],
    on_ready: Callable[[tuple[Listener, ...]], None],
) -> bool:
    """Run the stages named by `roles` until SIGTERM or SIGINT; return False if one failed.

    Stopping is orderly: no new mails, those on their way are stored, then each stage ends
    what it is doing. What still waits is in the database for the next start.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)

    def end() -> None:
        loop.call_soon_threadsafe(ended.set)

    relay = house.new_relay()
    stages = _stages(house, relay, roles, end)
    with contextlib.closing(relay), _running(stages):
        wake = stages["play"].wake if "play" in stages else _nobody
        async with _listeners(house, settings, roles, wake) as listeners:
            on_ready(listeners)
            await ended.wait()
            log.info("stopping")
    return not any(stage.failed for stage in stages.values())


def _nobody() -> None:
    """Wake nobody: another process plays what this one takes in."""


def _stages(
    house: House, relay: Relay, roles: frozenset[str], on_bug: Callable[[], None]
) -> dict[str, Stage]:
    stages: dict[str, Stage] = {}
    if "deliver" in roles:
        house.release_dead()
        stages["deliver"] = Stage(
            "deliver",
            lambda: house.deliver_waiting(relay, lambda: stages["deliver"].stopping),
            house.forget_done,
            on_bug,
        )
    if "play" in roles:
        wake = stages["deliver"].wake if "deliver" in stages else _nobody

        def play() -> int:
            played = house.play_stage.play_waiting()
            if played:
                wake()
            return played

        stages["play"] = Stage("play", play, house.forget_done, on_bug)
    return stages


@contextlib.contextmanager
def _running(stages: dict[str, Stage]) -> Iterator[None]:
    for stage in stages.values():
        stage.start()
    try:
        yield
    finally:
        for stage in stages.values():
            stage.stop()
        for stage in stages.values():
            stage.join()


@asynccontextmanager
async def _listeners(
    house: House, settings: ListenerSettings, roles: frozenset[str], wake: Callable[[], None]
) -> AsyncIterator[tuple[Listener, ...]]:
    if "intake" not in roles:
        yield ()
        return
    async with listening(
        settings,
        house.inbox,
        house.settings.accepts,
        on_stored=wake,
        now=house.clock,
        log=logging.getLogger("pbm.smtp"),
    ) as listeners:
        yield listeners
