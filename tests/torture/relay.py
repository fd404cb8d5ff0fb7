"""A relay that takes mails like any other, and has bad days."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.sink import Arrived, Sink, abort, arrived

NOBODY = "ghost@gone.example"
"""Somebody whom the relay refuses for good."""


class Mood(Enum):
    """The harm that the relay does to mails."""

    WELL = "takes them"
    SLOW = "takes its time"
    HANGS_UP = "hangs up at the recipient"
    DEFERS = "says 451 to the content"
    CLOSES = "says 421"
    FORGETS_TO_SAY = "takes a mail and dies before it says so"
    KILLS_BEFORE = "takes a mail, and the server dies before it hears of it"
    KILLS_AFTER = "says 250, and the server dies then"
    KILLS_IN_BETWEEN = "the server dies when it has named the recipient"


@dataclass(kw_only=True)
class FaultyRelay(Sink):
    """A sink with moods."""

    chance: Random
    on_mail: Callable[[Arrived], None]
    on_killing: Callable[[], None]
    """Called to kill the process that delivers."""
    mood: Mood = Mood.WELL
    share: float = 0.0
    """The share of the mails that meet the mood."""

    def _meets(self, *moods: Mood) -> bool:
        return self.mood in moods and self.chance.random() < self.share

    async def handle_RCPT(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == NOBODY:
            return "550 5.1.1 nobody here"
        if self._meets(Mood.CLOSES):
            assert server.transport
            self.loop.call_soon(server.transport.close)
            return "421 4.3.2 closing"
        if self._meets(Mood.KILLS_IN_BETWEEN):
            self.on_killing()
            abort(server)
        if self._meets(Mood.HANGS_UP):
            abort(server)
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self._meets(Mood.DEFERS):
            return "451 4.3.0 later"
        if self._meets(Mood.SLOW):
            await asyncio.sleep(0.1)
        mail = arrived(session, envelope)
        self.take(mail)
        self.on_mail(mail)
        if self._meets(Mood.KILLS_AFTER):
            await server.push("250 OK")
        if self._meets(Mood.KILLS_BEFORE, Mood.KILLS_AFTER):
            self.on_killing()
            abort(server)
        if self._meets(Mood.FORGETS_TO_SAY):
            abort(server)
        return "250 OK"
