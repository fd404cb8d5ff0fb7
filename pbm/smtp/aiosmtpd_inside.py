"""The inside of aiosmtpd: every private name of it that pbm uses, under a name of ours.

aiosmtpd lets handlers decide about a mail, but not about the timer, the buffer and the transport
of a session, which have to be bounded. So this one class reaches inside, and nothing else does.
The version is pinned below the next minor one; a test names what is gone when a new one comes.
"""

import asyncio

from aiosmtpd.smtp import SMTP

PRIVATE_NAMES = (
    "_create_envelope",
    "_handler_coroutine",
    "_original_transport",
    "_reader",
    "_reset_timeout",
    "_timeout_cb",
    "_timeout_handle",
    "_writer",
)
"""What this module uses of aiosmtpd and aiosmtpd promises to nobody."""


class OpenSMTP(SMTP):
    """aiosmtpd's session, with its timer, its buffer and its transport in reach."""

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
        self.timed_out()

    def start_timer(self, seconds: float | None = None) -> None:
        """Allow the client `seconds` from now on; without them as long as at the beginning."""
        self._reset_timeout(seconds)

    def stop_timer(self) -> None:
        """Let the client wait for us as long as it takes."""
        if self._timeout_handle is not None:
            self._timeout_handle.cancel()

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
