"""The queue of this host's Postfix: mails that it has taken and that have not gone out yet."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from pbm.domain.bounces import QueuedMail
from pbm.server.relay.connection import RelayUrlError, SmtpTarget, is_loopback, smtp_target

LOOK = timedelta(minutes=3)
"""The time between two looks at the queue."""

_SECONDS = 30.0
"""The longest time that the command may take."""

_PATH = "/usr/sbin:/usr/bin"
"""Where the command is, also for a service whose PATH does not have it."""


def local_relay(url: str) -> SmtpTarget | None:
    """Return where the relay listens, if it speaks SMTP on this host; else None."""
    try:
        target = smtp_target(url)
    except (RelayUrlError, KeyError):
        return None
    return target if target.port and is_loopback(target.host) else None


def read_queue() -> tuple[QueuedMail, ...]:
    """Return the mails in the queue, () without a Postfix; raise OSError if it shows none."""
    command = shutil.which("postqueue", path=f"{os.environ.get('PATH', '')}:{_PATH}")
    if command is None:
        return ()
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            [command, "-j"], capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"{command} took more than {_SECONDS:.0f} seconds") from None
    if done.returncode:
        raise OSError(" ".join(done.stderr.decode("utf-8", "replace").split()))
    return tuple(each for line in done.stdout.splitlines() for each in _queued(line))


def _queued(line: bytes) -> Iterator[QueuedMail]:
    """Yield what a line of JSON says about each recipient; nothing if it cannot be read."""
    try:
        mail: dict[str, Any] = json.loads(line)
        arrived_at = datetime.fromtimestamp(mail["arrival_time"], UTC)
        for each in mail["recipients"]:
            reason = str(each.get("delay_reason", ""))
            yield QueuedMail(str(mail["sender"]), str(each["address"]), arrived_at, reason)
    except (ValueError, KeyError, TypeError, AttributeError):
        return


class HostQueue:
    """The queue of the Postfix that is the `relay`, looked at once in LOOK; () without one."""

    def __init__(self, relay: str, clock: Callable[[], datetime]) -> None:
        self._is_here = local_relay(relay) is not None
        self._clock = clock
        self._looked_at: datetime | None = None
        self._mails: tuple[QueuedMail, ...] = ()

    def mails(self) -> tuple[QueuedMail, ...]:
        """Return the mails that were there at the last look."""
        now = self._clock()
        if self._is_here and (self._looked_at is None or abs(now - self._looked_at) >= LOOK):
            self._looked_at = now
            try:
                self._mails = read_queue()
            except OSError:
                self._mails = ()  # pbm doctor says why
        return self._mails
