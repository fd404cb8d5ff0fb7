"""The inside of aiosmtpd: every private name of it that pbm uses, under a name of ours.

aiosmtpd lets handlers decide about a mail, but not about the timer, the buffer and the transport
of a session, which have to be bounded. So this one class reaches inside, and nothing else does.
The version is pinned below the next minor one; a test names what is gone when a new one comes.
"""

import asyncio
import math

from aiosmtpd.smtp import SMTP


class OpenSMTP(SMTP):
    """aiosmtpd's session, with its timer, its buffer and its transport in reach."""

    due_at = goes_off_at = math.inf
    timer_is_set = False

    @property
    def conversation(self) -> "asyncio.Task[None] | None":
        """The task that runs the command loop, from the connection on."""
        return self._handler_coroutine

    @property
    def socket_transport(self) -> asyncio.BaseTransport | None:
        """The transport of the connection itself, below TLS if STARTTLS has put that between."""
        return self._original_transport or self.transport

    def timed_out(self) -> None:
        """Act on a client that has been idle for too long; aiosmtpd would close without a word."""
        raise NotImplementedError

    def _timeout_cb(self) -> None:
        """Act if the time is really up: it may have been put off since the timer was set."""
        self.timer_is_set = False
        if self.loop.time() >= self.due_at:
            self.timed_out()
        elif self.due_at < math.inf:
            self.set_timer()

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Put the end of the wait off.

        aiosmtpd sets a new timer for each command, which is a tenth of what a mail costs. One
        that goes off too early does no harm, so it stays unless it would go off too late.
        """
        self.due_at = self.loop.time() + (duration or self._timeout_duration)
        if not self.timer_is_set or self.due_at < self.goes_off_at:
            self.set_timer()

    def set_timer(self) -> None:
        """Have the timer go off when the wait ends."""
        if self._timeout_handle is not None:
            self._timeout_handle.cancel()
        self.timer_is_set, self.goes_off_at = True, self.due_at
        self._timeout_handle = self.loop.call_at(self.due_at, self._timeout_cb)

    def start_timer(self, seconds: float | None = None) -> None:
        """Allow the client `seconds` from now on; without them as long as at the beginning."""
        self._reset_timeout(seconds)

    def stop_timer(self) -> None:
        """Let the client wait for us as long as it takes."""
        self.due_at = math.inf

    def begin_envelope(self) -> None:
        """Forget the mail in the making and begin a new one."""
        self.envelope = self._create_envelope()

    async def read(self, most: int) -> bytes:
        """Return up to `most` octets that the client has sent; b"" once it has hung up."""
        return await self._reader.read(most)

    def unread(self, octets: bytes) -> None:
        """Give back octets that belong to the next command; nothing may be buffered behind them."""
        self._reader.feed_data(octets)

    def write(self, octets: bytes) -> None:
        """Send octets without waiting until the client has taken them."""
        self._writer.write(octets)

    async def drain(self) -> None:
        """Return once the client has taken so much that more may be written."""
        await self._writer.drain()
