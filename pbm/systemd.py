"""What systemd is told of a server: that it is ready, that it turns, that it ends.

The protocol is sd_notify(3): lines "NAME=value" in one datagram to the socket that NOTIFY_SOCKET
names. Where systemd does not ask, because the variable is not set, nobody is told anything.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager

from pbm.wheels import Wheel

log = logging.getLogger("pbm")

BEATS = 4
"""How often in the time of the watchdog it is told that all turns."""


class Supervisor:
    """What systemd asked for in the `environment` that it started this process with."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._socket = environment.get("NOTIFY_SOCKET", "")
        # A process that the service starts inherits both, and must not beat in its place.
        ours = environment.get("WATCHDOG_PID") in (None, str(os.getpid()))
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.patience = int(microseconds) / 1e6 if ours and microseconds.isdigit() else 0.0
        """Seconds without a sign after which systemd ends the process; 0.0 if it never does."""

    def tell(self, *lines: str) -> None:
        """Send `lines`. That systemd is not there is no reason to stop."""
        if not self._socket:
            return
        # An @ stands for the zero byte of an abstract address (unix(7)).
        address = f"\0{self._socket[1:]}" if self._socket.startswith("@") else self._socket
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
                # Who does not listen must not hold up intake.
                to.settimeout(0)
                to.sendto("\n".join(lines).encode(), address)
        except OSError as error:
            log.warning("systemd cannot be told %s: %s", lines[0], error.strerror)

    def ready(self, roles: Collection[str]) -> None:
        """Say that the server is ready to do what its `roles` are."""
        self.tell("READY=1", f"STATUS=at work: {', '.join(roles)}")

    def ending(self) -> None:
        """Say that the server has been asked to end."""
        self.tell("STOPPING=1", "STATUS=ending: mails on their way are still stored")

    @asynccontextmanager
    async def told_of(
        self, roles: Collection[str], wheels: Collection[Wheel]
    ) -> AsyncIterator[None]:
        """Say that the server is ready, while it runs that it lives, and at last that it ends."""
        self.ready(sorted(roles))
        watch = asyncio.create_task(self.watch(wheels))
        try:
            yield
        finally:
            self.ending()
            watch.cancel()

    async def watch(self, wheels: Collection[Wheel]) -> None:
        """Give a sign of life again and again while all `wheels` turn; return if none is wanted.

        It runs on the event loop of intake, so a loop that hangs gives no sign either. A wheel is
        stuck once a turn has taken as long as systemd's own patience.
        """
        told: set[str] = set()
        while self.patience:
            stuck = [wheel for wheel in wheels if wheel.seconds > self.patience]
            if not stuck:
                self.tell("WATCHDOG=1")
            elif not told.issuperset(wheel.name for wheel in stuck):
                self._complain(stuck)
            told = {wheel.name for wheel in stuck}
            await asyncio.sleep(self.patience / BEATS)

    def _complain(self, stuck: Collection[Wheel]) -> None:
        """Tell why there will be no more signs, so that somebody who looks knows it."""
        told = ", ".join(f"{wheel.name} for {wheel.seconds:.0f} s" for wheel in stuck)
        log.error("stuck: %s; systemd is told no more that all is well, and will end me", told)
        self.tell(f"STATUS=stuck: {told}")
