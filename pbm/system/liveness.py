"""Liveness: whether the parts of a server still work, and the signs of life for systemd.

The protocol is sd_notify(3): lines "NAME=value" in one datagram to the socket that NOTIFY_SOCKET
names. Where systemd does not ask, because the variable is not set, nothing is sent.
"""

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

log = logging.getLogger("pbm")

TURN_SECONDS = 2.0
"""The longest time that the event loop may take to come to the next piece of work."""

SIGNS = 4
"""Signs of life that are given within the time of systemd's watchdog."""


class Activity:
    """The work of the part called `name`, turn by turn; a turn that does not end is stuck."""

    def __init__(self, name: str, now: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._now = now
        self._since: float | None = None

    @contextmanager
    def turning(self) -> Iterator[None]:
        """Work for a turn."""
        self.go_on()
        try:
            yield
        finally:
            self._since = None

    def go_on(self) -> None:
        """Say that the turn goes on: a long one is many small steps."""
        self._since = self._now()

    @property
    def seconds(self) -> float:
        """For how long the turn has shown no sign of going on; 0.0 between turns."""
        since = self._since
        return 0.0 if since is None else self._now() - since


def what_stands_still(
    loop: asyncio.AbstractEventLoop, stages: Mapping[str, threading.Thread]
) -> str:
    """Return a sentence about the part of the process that has stopped; "" if none has."""
    ended = [name for name, stage in stages.items() if not stage.is_alive()]
    if ended:
        return f"the stages {', '.join(ended)} have ended"
    turned = threading.Event()
    loop.call_soon_threadsafe(turned.set)
    return "" if turned.wait(TURN_SECONDS) else "the event loop does not turn"


class Supervisor:
    """Systemd, as it has introduced itself in the `environment` of this process."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._socket = environment.get("NOTIFY_SOCKET", "")
        # A process that the service starts inherits both, and must not beat in its place.
        ours = environment.get("WATCHDOG_PID") in (None, str(os.getpid()))
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.patience = int(microseconds) / 1e6 if ours and microseconds.isdigit() else 0.0
        """Seconds without a sign after which systemd ends the process; 0.0 if it never does."""

    def tell(self, *lines: str) -> None:
        """Send `lines`. A missing systemd is no reason to stop."""
        if not self._socket:
            return
        # An @ means the zero byte of an abstract address (unix(7)).
        address = f"\0{self._socket[1:]}" if self._socket.startswith("@") else self._socket
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
                # A systemd that does not listen must not hold up intake.
                to.settimeout(0)
                to.sendto("\n".join(lines).encode(), address)
        except OSError as error:
            log.warning("systemd cannot be told %s: %s", lines[0], error.strerror)

    @asynccontextmanager
    async def told_of(
        self, roles: Collection[str], activities: Collection[Activity]
    ) -> AsyncIterator[None]:
        """Say that the server is ready, while it runs that it lives, at last that it ends."""
        self.tell("READY=1", f"STATUS=at work: {', '.join(sorted(roles))}")
        watch = asyncio.create_task(self._watch(activities))
        try:
            yield
        finally:
            self.tell("STOPPING=1", "STATUS=ending: mails on their way are still stored")
            watch.cancel()

    async def _watch(self, activities: Collection[Activity]) -> None:
        """Give signs of life while all `activities` go on; return if none is wanted.

        It runs on the event loop of intake, so a loop that hangs gives no sign either. An activity
        is stuck once a turn has taken as long as systemd's own patience.
        """
        told: set[str] = set()
        while self.patience:
            stuck = {each.name: each.seconds for each in activities}
            stuck = {name: seconds for name, seconds in stuck.items() if seconds > self.patience}
            if not stuck:
                self.tell("WATCHDOG=1")
            elif not told.issuperset(stuck):
                self._complain(stuck)
            told = set(stuck)
            await asyncio.sleep(self.patience / SIGNS)

    def _complain(self, stuck: Mapping[str, float]) -> None:
        """Log why there will be no more signs, and tell systemd."""
        told = ", ".join(f"{name} for {seconds:.0f} s" for name, seconds in stuck.items())
        log.error("stuck: %s; systemd is told no more that all is well, and will end me", told)
        self.tell(f"STATUS=stuck: {told}")
