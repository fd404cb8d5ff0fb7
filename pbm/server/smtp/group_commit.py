"""One commit for all mails that wait: the cost of a sync is shared, and nobody waits for a timer.

While one batch is being stored, the mails that come in gather for the next one, and what has
reached the socket by then goes with it. So an idle server commits each mail at once, and a busy
one commits many together.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from pbm.core.bugs import trace_of
from pbm.domain.mail import ReceivedMail
from pbm.domain.observer import Observer
from pbm.store.errors import IntakeUnavailable

log = logging.getLogger("pbm.server.smtp")

Put = Callable[[Sequence[ReceivedMail]], frozenset[int]]
"""Stores mails in one transaction; returns the places of those that are not stored.

They may be played from now on, and outlast the end of this machine.

A mail is not stored while its source has a full share waiting: it must come again later, and the
others need not. Otherwise all are stored, or none. A mail that is stored already (the same content
key, played or not) is left as it is, so a sender who missed our "250" may repeat. Raises
IntakeUnavailable when the database is down, the disk is full, or more mails or octets wait than the
high-water mark allows.
"""


TOO_MANY = "Their senders have too many mails waiting, or too many strangers write."

_READING = 2
"""Passes of the event loop in which a mail that has reached the socket comes to wait here.

One reads its last octets; in the next its session hands it over. With 20 connections to PostgreSQL
an eighth less CPU is used, because commits are fewer; an idle server loses 50 microseconds.
"""

Promise = asyncio.Future[bool]
"""The answer that the session of a mail waits for: whether it is stored durably."""


@dataclass(eq=False)
class GroupCommit:
    """Stores mails by `put`, in a thread of its own.

    `on_stored` is called on the event loop after each commit, to wake the play stage.
    """

    put: Put
    on_stored: Callable[[], None]
    group_mails: int
    observer: Observer
    _waiting: deque[tuple[ReceivedMail, Promise]] = field(default_factory=deque)
    _writer: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pbm-intake")

    async def store(self, mail: ReceivedMail) -> bool:
        """Return True once `mail` is stored durably, False if it must come again later.

        Cancelling the caller changes nothing for the mail: it is in the batch and stays there.
        """
        loop = asyncio.get_running_loop()
        stored: Promise = loop.create_future()
        self._waiting.append((mail, stored))
        if self._writer is None:
            self._writer = loop.create_task(self._write())
        return await stored

    async def flush(self) -> None:
        """Return once nothing waits."""
        while self._writer:
            await asyncio.shield(self._writer)

    def close(self) -> None:
        """Let the thread go. A `put` that still runs ends by itself; nobody waits for it."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _write(self) -> None:
        try:
            while self._waiting:
                for _ in range(_READING):
                    await asyncio.sleep(0)
                await self._commit(self._next_batch())
        finally:
            self._writer = None

    def _next_batch(self) -> list[tuple[ReceivedMail, Promise]]:
        size = min(len(self._waiting), self.group_mails)
        return [self._waiting.popleft() for _ in range(size)]

    async def _commit(self, batch: list[tuple[ReceivedMail, Promise]]) -> None:
        stored = await self._stored([mail for mail, _ in batch])
        for place, (_, promise) in enumerate(batch):
            # A session that has hung up waits for no answer.
            if not promise.cancelled():
                promise.set_result(place in stored)
        if stored:
            # Not called directly: if it fails, the mails that wait must not fail with it.
            asyncio.get_running_loop().call_soon(self.on_stored)

    async def _stored(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        """Return the places of the mails that are stored now."""
        loop = asyncio.get_running_loop()
        try:
            beyond = await loop.run_in_executor(self._thread, self.put, mails)
        except Exception as error:  # noqa: BLE001 - whatever broke, the senders must hear a 451
            self._tell_of(error, len(mails))
            return frozenset()
        if beyond:
            self.observer.not_taken(len(beyond), TOO_MANY)
        return frozenset(range(len(mails))) - beyond

    def _tell_of(self, error: Exception, many: int) -> None:
        """Report why so many mails must come again."""
        if isinstance(error, IntakeUnavailable):
            self.observer.not_taken(many, str(error))
            return
        self.observer.not_taken(many, "A bug in this server, see its log.")
        log.error("%d mails not taken: %s", many, trace_of(error))
