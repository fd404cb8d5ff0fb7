"""Where the mails of a server under test arrive: a real SMTP server in the test's process."""

import asyncio
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cached_property
from types import TracebackType
from typing import Self

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.e2e.server import PATIENCE
from tests.house import text_of
from tests.sent_mails import SentMail

_TOKEN = re.compile(r"pbm\+([a-z2-7]+)@")


@dataclass(frozen=True)
class Arrived:
    """A mail with its envelope, byte for byte."""

    sender: str
    recipient: str
    content: bytes

    @cached_property
    def message(self) -> EmailMessage:
        return SentMail(self.content)

    @cached_property
    def headline(self) -> str:
        """What readers see in their list of mails: the display name of From."""
        return str(self.message["From"].addresses[0].display_name)

    @cached_property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @cached_property
    def board(self) -> str:
        """The number of the board that the mail is about."""
        return self.subject.partition("]")[0].rpartition(" ")[2]

    @cached_property
    def text(self) -> str:
        return text_of(self.message)

    @cached_property
    def prose(self) -> str:
        """The text with every run of white space as one space."""
        return " ".join(self.text.split())

    @cached_property
    def message_id(self) -> str:
        return str(self.message["Message-ID"])

    @cached_property
    def reply_to(self) -> str:
        """The address that a reply goes to."""
        return str((self.message["Reply-To"] or self.message["From"]).addresses[0].addr_spec)

    @cached_property
    def token(self) -> str:
        """The reply token, "" if it has none."""
        found = _TOKEN.search(self.reply_to)
        return found[1] if found else ""


@dataclass
class Sink:
    """A server that takes every mail; as a context manager it listens on `port`."""

    port: int = 0
    mails: list[Arrived] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    @property
    def relay(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def wait(self, enough: Callable[[list[Arrived]], object], what: str) -> None:
        """Return once the mails are `enough`."""
        with self._changed:
            if not self._changed.wait_for(lambda: enough(self.mails), PATIENCE):
                heads = "\n".join(f"{m.recipient}: {m.headline}" for m in self.mails[-6:])
                raise AssertionError(f"waited for {what}; the last mails:\n{heads}")

    async def handle_DATA(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        (recipient,) = envelope.rcpt_tos
        assert isinstance(envelope.content, bytes)
        with self._changed:
            self.mails.append(Arrived(envelope.mail_from or "", recipient, envelope.content))
            self._changed.notify_all()
        return "250 OK"

    def rest(self) -> None:
        """Refuse all connections, and end those that are open, until it is to `work_again`."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(PATIENCE)

    def work_again(self) -> None:
        """Listen on the same port as before."""
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(PATIENCE)

    def __enter__(self) -> Self:
        self._loop.run_until_complete(self._listen())
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> None:
        self._listener = await self._loop.create_server(
            lambda: SMTP(self, hostname="sink.example", loop=self._loop), "127.0.0.1", self.port
        )
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        """Stop listening, and end the conversations that a killed server left open."""
        self._listener.close()
        running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
