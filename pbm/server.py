"""`pbm serve`: a process that listens, and runs its stages until it is told to stop."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from functools import partial

from pbm.bootstrap import House
from pbm.cores import one_of
from pbm.holders import hold, this_process
from pbm.service.ports.mail import Letterbox, Wakes
from pbm.service.relaying import Relay
from pbm.smtp import Listener, ListenerSettings, listening
from pbm.stage import Stage
from pbm.stages import nobody, stages_of
from pbm.systemd import Supervisor
from pbm.watch.turning import Watching, what_stands_still
from pbm.wheels import WatchedLetterbox

log = logging.getLogger("pbm")

SWITCH_SECONDS = 0.0005
"""How long a thread keeps Python's lock while others want it. With the usual 5 ms, intake waits for
play at every step: in one process this takes a sixth off the CPU of a move."""

GARBAGE_AFTER = 50_000
"""How many more objects come than go before Python looks for garbage. Hardly any is left that
counting does not free, and to look after each 700, as is usual, takes a thirtieth of the CPU."""

_BUSY = frozenset({"intake", "deliver"})
"""Roles that hinder each other in one process, each of which alone leaves a core free for play."""

JOIN_SECONDS = 2.5
"""How long the stages may take to end once intake has. Supervisors give the whole a few seconds."""


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
        if "play" in roles or roles >= _BUSY:
            held.enter_context(one_of(house.cores, house.label()))
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
    if Wakes.THINK in roles:
        house.robots.make()  # which would never move on a server that does not think
    stages = stages_of(house, relay, roles, end)
    inbox = WatchedLetterbox(house.inbox)
    wheels = [*inbox.wheels, *(stage.wheel for stage in stages.values())]
    if watched:
        outages = stages["beat"].outages  # which all of them share
        watched.watch(partial(what_stands_still, loop, stages), lambda: outages.lasts)
    with _hearing(house, stages), _running(stages, relay):
        wake = stages["play"].wake if "play" in stages else nobody
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
