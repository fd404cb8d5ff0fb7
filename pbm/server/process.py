"""`pbm serve`: a process that listens, and runs its stages until it is asked to stop."""

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING

from pbm.core.delivery import Lease
from pbm.core.heartbeat import FETCH, SERVING, parts_of
from pbm.dispatch.jobs import BUG
from pbm.server.assembly import App
from pbm.server.locks import holding, this_process
from pbm.server.mailbox.connection import MailboxError
from pbm.server.mailbox.fetching import Fetcher
from pbm.server.smtp import Listener, ListenerSettings, listening
from pbm.server.stage import Stage, outages
from pbm.server.thinking.stage import LOOK_SECONDS
from pbm.server.watch.incidents import Incident
from pbm.store.driver.waking import Wakes
from pbm.system import collect_seldom
from pbm.system.cores import one_of
from pbm.system.liveness import Activity, Supervisor, what_stands_still

if TYPE_CHECKING:
    from pbm.server.watch.metrics import Watched

log = logging.getLogger("pbm")

SWITCH_SECONDS = 0.0005
"""Seconds that a thread keeps Python's lock while others want it. With the usual 5 ms, intake waits
for play at every step: in one process this takes a sixth off the CPU of a move."""

_BUSY = frozenset({"intake", "deliver"})
"""Roles that hinder each other in one process, each of which alone leaves a core free for play."""

JOIN_SECONDS = 2.5
"""The time that stages may take to end after intake. Supervisors give the whole a few seconds."""

POLL_SECONDS = 5.0
"""The time after which an idle stage looks for work by itself, though nobody has woken it."""

DEAF_SECONDS = 1.0
"""The same while the calls of other processes cannot be heard."""

CONNECTIONS = 4
"""Few enough for a smart host that counts them."""

SLOW_SECONDS = 1.0
"""The time for which a stage delivers alone what it has leased."""

ALONE_SECONDS = 600.0
"""The time without another try once the relay has refused a further connection."""

ROUND_SECONDS = 60.0
"""The time between two rounds of reminders, and between two signs of life."""


async def serve(
    app: App,
    settings: ListenerSettings,
    roles: frozenset[str],
    on_ready: Callable[[tuple[Listener, ...]], None],
    watched: "Watched | None" = None,
) -> bool:
    """Run the stages named by `roles` until SIGTERM or SIGINT; return False if one failed.

    Stopping is orderly: each stage ends with the mail in its hands, new mails are no longer
    taken, and those on their way are stored. What still waits is in the database for the next
    start. A stage that does not end in time is left behind, as if it had been killed. `watched`
    learns what works.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)

    def end() -> None:
        loop.call_soon_threadsafe(ended.set)

    async with AsyncExitStack() as running:
        sockets = (*settings.smtp, *settings.lmtp)
        running.enter_context(
            holding(app.database.sqlite_file(), sockets, this_process(app.clock()))
        )
        if "play" in roles or roles >= _BUSY:
            running.enter_context(one_of(app.cores, app.database.label()))
        _tune_interpreter()
        if Wakes.THINK in roles:
            app.robots.make()  # which would never move on a server that does not think
        stages = stages_of(app, roles, end)
        if watched:
            shared = stages["beat"].outages
            watched.watch(partial(what_stands_still, loop, stages), lambda: shared.ongoing)
        wakes = {name: stages[name].wake for name in Wakes if name in stages}
        running.enter_context(app.database.bell.listening(wakes))
        running.enter_context(_running(stages.values()))
        intake = Activity("intake")
        listeners: tuple[Listener, ...] = ()
        if "intake" in roles:
            put = intake.turning()(app.inbox.put)
            wake = stages["play"].wake if "play" in stages else nobody
            taking = listening(
                settings, put, app.settings.accepts, on_stored=wake, now=app.clock,
                observer=app.observer,
            )  # fmt: skip
            listeners = await running.enter_async_context(taking)
        on_ready(listeners)
        if watched:
            watched.listens()
        log.info("begins: %s", ", ".join(sorted(roles)))
        activities = [intake, *(stage.activity for stage in stages.values())]
        async with Supervisor(os.environ).told_of(roles, activities):
            await ended.wait()
            log.info("stopping")
        _stop(stages.values())
    return not any(stage.failed for stage in stages.values())


def _tune_interpreter() -> None:
    """Switch threads quickly; look for garbage seldom, and not in what was made at the start."""
    sys.setswitchinterval(SWITCH_SECONDS)
    collect_seldom()


@contextmanager
def _running(stages: Collection[Stage]) -> Iterator[None]:
    """Run stages while the block runs; leave behind those that do not end in time.

    A relay that hangs must not keep the process: the lease of its mail ends with it.
    """
    for stage in stages:
        stage.start()
    try:
        yield
    finally:
        _stop(stages)
        until = time.monotonic() + JOIN_SECONDS
        for stage in stages:
            stage.join(max(0.0, until - time.monotonic()))
        late = [stage.name for stage in stages if stage.is_alive()]
        if late:
            log.warning("left behind: %s; the next start takes over", ", ".join(late))


def _stop(stages: Collection[Stage]) -> None:
    for stage in stages:
        stage.stop()


def _look(app: App) -> float:
    """Return after how many seconds a stage looks for work by itself."""
    return POLL_SECONDS if app.database.bell.hears else DEAF_SECONDS


def _each_round() -> float:
    return ROUND_SECONDS


def nobody() -> None:
    """Wake nobody: another process does what comes next."""


def stages_of(app: App, roles: frozenset[str], on_bug: Callable[[], None]) -> dict[str, Stage]:
    """Return the stages of these roles by their names; a bug in one calls `on_bug`.

    The first sign of life is given here.
    """
    # The first beat comes before all else. It records how long the server was away, according
    # to the last sign of life, and nobody may be reminded before that.
    stages = {"beat": _beating(app, roles, on_bug)}
    if "deliver" in roles:
        stages.update(_delivering(app, on_bug))
    deliver = stages["deliver"].wake if "deliver" in stages else nobody
    wake = deliver
    if "think" in roles:
        stages["think"] = think = _thinking(app, deliver, on_bug)

        def wake() -> None:
            deliver()
            think.wake()

    if "play" in roles:
        stages["play"] = _playing(app, wake, on_bug)
    if "fetch" in roles and (fetcher := app.new_fetcher(SERVING)):
        played = stages["play"].wake if "play" in stages else nobody
        stages["fetch"] = _fetching(fetcher, played, on_bug)
    if "remind" in roles:
        stages["remind"] = _reminding(app, wake, on_bug)
    shared = outages()
    for stage in stages.values():
        stage.outages = shared
    return stages


def _playing(app: App, wake: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that plays, and ends between two mails when it is asked to stop."""
    prepare = cache(app.prepare)

    def rest() -> bool:
        prepare()  # not at the start, which that would slow down
        return app.database.forget_done()

    def step() -> int:
        # Answers do not wait until the stage has looked for what mails have begun.
        played = _woken(app.play_stage.play_waiting(stopping=lambda: not stage.goes_on()), wake)
        return played + _woken(app.play_stage.go_on(), wake)

    stage = Stage("play", step, rest, on_bug, partial(_look, app))
    return stage


def _fetching(fetcher: Fetcher, wake: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that fetches; without its mailbox it looks again after growing pauses."""
    outage = Incident(
        log, "the mailbox cannot be read: %s", "the mailbox works again, after %(lasted)s",
        time.monotonic,
    )  # fmt: skip

    def step() -> int:
        with suppress(MailboxError):  # in its wait, after which the next look is soon
            try:
                _woken(fetcher.look(stage.goes_on), wake)
            except MailboxError as error:
                outage.begin(FETCH, str(error))
            else:
                outage.end(FETCH)
                return int(fetcher.wait(stage.goes_on))
        return 0

    stage = Stage(FETCH, step, lambda: True, on_bug, lambda: fetcher.pause, fetcher.close)
    return stage


def _beating(app: App, roles: frozenset[str], on_bug: Callable[[], None]) -> Stage:
    """Give the first sign of life, and return the stage that gives the others."""
    parts = parts_of(roles)

    def beat() -> int:
        app.beat(parts, SERVING)
        return 0

    beat()
    return Stage("beat", beat, app.database.forget_done, on_bug, _each_round)


def _delivering(app: App, on_bug: Callable[[], None]) -> dict[str, Stage]:
    """Return the stages that deliver."""
    stages = [DeliveryStage("deliver", app, on_bug)]
    for number in range(2, CONNECTIONS + 1):
        stages.append(DeliveryStage(f"deliver-{number}", app, on_bug, stages[-1]))
    return {stage.activity.name: stage for stage in stages}


class DeliveryStage(Stage):
    """A stage that delivers over a connection of its own, always or while `helped` needs help.

    It needs help itself while it has had a lease for long: it may be held up by one mail, or just
    have many. Then its helper takes mails that it has not begun.
    """

    def __init__(
        self, name: str, app: App, on_bug: Callable[[], None],
        helped: "DeliveryStage | None" = None,
    ) -> None:  # fmt: skip
        self._app = app
        self._relay = app.new_relay(spare=helped is not None)
        self._leases = None if helped is None else app.new_leases()
        self._helped = helped
        self._helper: DeliveryStage | None = None
        self._lease: Lease | None = None
        self._since = self._alone_until = 0.0
        rest = app.database.forget_done if helped is None else self._leave
        super().__init__(name, self._deliver, rest, on_bug, partial(_look, app), self._leave)
        if helped is not None:
            helped._helper = self  # noqa: SLF001 - of this class

    def wake(self) -> None:
        """See Stage. Its helper is woken as well while it needs one."""
        super().wake()
        self._call_help()

    def _call_help(self) -> None:
        long = self._lease is not None and time.monotonic() >= self._since + SLOW_SECONDS
        if long and self._helper:
            self._helper.wake()

    def _deliver(self) -> int:
        """Hand over what is due, unless it can be left to the stage that this one helps."""
        if self._helped and not self._may_help(self._helped):
            return 0
        try:
            done = self._app.deliver_waiting(
                self._relay, self._has_to_stop, self.outlast, self._begin, self._leases
            )
            if self._lease and not done:
                self._alone_until = time.monotonic() + ALONE_SECONDS
            return done
        finally:
            self._lease = None

    def _begin(self, lease: Lease) -> None:
        self._since = time.monotonic()
        self._lease = lease

    def _has_to_stop(self) -> bool:
        """Return whether it has been asked to stop; asked before each mail."""
        self._call_help()
        return not self.goes_on()

    def _may_help(self, helped: "DeliveryStage") -> bool:
        """Return whether the other stage needs help; if so, free mails that it has not begun."""
        lease, now = helped._lease, time.monotonic()  # noqa: SLF001 - of this class
        if lease is None or now < max(self._alone_until, helped._since + SLOW_SECONDS):  # noqa: SLF001
            return False
        seconds = helped.activity.seconds
        freed = lease.pass_on(half=seconds < SLOW_SECONDS)
        if freed and seconds >= SLOW_SECONDS:
            log.warning(
                "the relay has been busy with %s for %.0f s; "
                "%d mails behind it are free for others", lease.latest, seconds, freed,
            )  # fmt: skip
        return True

    def _leave(self) -> bool:
        """Hang up until there is work again."""
        self._relay.close()
        if self._leases:
            self._leases.renounce()
        return True


def _thinking(app: App, deliver: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that thinks for robots."""
    thinking = app.robots.thinking()

    def step() -> int:
        return _woken(thinking.step(lambda: not stage.goes_on()), deliver)

    def every() -> float:
        return LOOK_SECONDS if thinking.busy else _look(app)

    stage = Stage("think", step, app.database.forget_done, on_bug, every, thinking.close)
    thinking.workers.wake = stage.wake
    return stage


def _reminding(app: App, wake: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that does what is due, and ends between two batches when asked to stop."""

    def step() -> int:
        done = app.do_what_is_due(goes_on=lambda: stage.goes_on())  # noqa: PLW0108 - made below
        if done:
            app.observer.done_by_itself(done)
        # What met a bug waits for the next round.
        return _woken(done.total() - done[BUG], wake)

    stage = Stage("remind", step, app.database.forget_done, on_bug, _each_round)
    return stage


def _woken(done: int, wake: Callable[[], None]) -> int:
    """Return how much was `done`; call `wake` if it was anything."""
    if done:
        wake()
    return done
