"""One commit for all mails that wait: the cost of a sync is shared, and nobody waits for a timer.

While one batch is being stored, the mails that come in gather for the next one, and what has
reached the socket by then goes with it. So an idle server commits each mail at once, and a busy
one commits many together. Where the disk is slow, it syncs a batch while the next one is being
stored, and then its senders hear "250".
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from pbm.domain.mail import ReceivedMail
from pbm.service.bugs import trace_of
from pbm.service.ports.mail import IntakeUnavailable, Letterbox
from pbm.service.ports.operator import Observer

TOO_MANY = "Their senders have too many mails waiting."

_READING = 2
"""Passes of the event loop in which a mail that has reached the socket comes to wait here.

One reads its last octets; in the next its session hands it over. With 20 connections to PostgreSQL
an eighth less CPU is used, because commits are fewer; an idle server loses 50 microseconds.
"""

Promise = asyncio.Future[bool]
"""What the session of a mail waits for: whether it is stored durably."""


class GroupCommit:
    """Stores mails through a `Letterbox`, and syncs them, in threads of its own.

    `on_stored` is called on the event loop after each commit, to wake the play stage. Play does
    not wait for the disk: what it commits itself is synced with all that was committed before.
    """

    def __init__(
        self,
        inbox: Letterbox,
        on_stored: Callable[[], None],
        group_mails: int,
        log: logging.Logger,
        observer: Observer,
    ) -> None:
        self._observer = observer
        self._inbox = inbox
        self._on_stored = on_stored
        self._group_mails = group_mails
        self._log = log
        self._waiting: deque[tuple[ReceivedMail, Promise]] = deque()
        self._committed: list[Promise] = []
        self._writer: asyncio.Task[None] | None = None
        self._syncer: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pbm-intake")
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pbm-intake-disk")

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
        while task := self._writer or self._syncer:
            await asyncio.shield(task)

    def close(self) -> None:
        """Let the threads go. A `put` that still runs ends by itself; nobody waits for it."""
        for thread in (self._thread, self._disk):
            thread.shutdown(wait=False, cancel_futures=True)

    async def _write(self) -> None:
        try:
            while self._waiting:
                for _ in range(_READING):
                    await asyncio.sleep(0)
                await self._commit(self._next_batch())
        finally:
            self._writer = None

    def _next_batch(self) -> list[tuple[ReceivedMail, Promise]]:
        size = min(len(self._waiting), self._group_mails)
        return [self._waiting.popleft() for _ in range(size)]

    async def _commit(self, batch: list[tuple[ReceivedMail, Promise]]) -> None:
        stored = await self._put([mail for mail, _ in batch])
        # While a sync is under way, too: a mail may be the repeat of one that waits for it.
        unsynced = bool(stored) and (self._inbox.unsynced or self._syncer is not None)
        for place, (_, promise) in enumerate(batch):
            if unsynced and place in stored:
                self._committed.append(promise)
            else:
                _keep(promise, kept=place in stored)
        if stored:
            loop = asyncio.get_running_loop()
            if unsynced and self._syncer is None:
                self._syncer = loop.create_task(self._sync())
            # Not called directly: if it fails, the mails that wait must not fail with it.
            loop.call_soon(self._on_stored)

    async def _sync(self) -> None:
        """Bring what was committed to the disk, and say so, until there is no more."""
        try:
            while committed := self._committed:
                self._committed = []
                durable = await self._is_synced(len(committed))
                for promise in committed:
                    _keep(promise, kept=durable)
        finally:
            self._syncer = None

    async def _put(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        """Return the places of the mails that are stored now."""
        loop = asyncio.get_running_loop()
        try:
            beyond = await loop.run_in_executor(self._thread, self._inbox.put, mails)
        except Exception as error:  # noqa: BLE001 - whatever broke, the senders must hear a 451
            self._tell_of(error, len(mails))
            return frozenset()
        if beyond:
            self._observer.not_taken(len(beyond), TOO_MANY)
        return frozenset(range(len(mails))) - beyond

    async def _is_synced(self, many: int) -> bool:
        """Return whether so many mails, which are committed, are on the disk now."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._disk, self._inbox.sync)
        except Exception as error:  # noqa: BLE001 - as above; mails that come again are repeats
            self._tell_of(error, many)
            return False
        return True

    def _tell_of(self, error: Exception, many: int) -> None:
        """Tell why so many mails must come again."""
        if isinstance(error, IntakeUnavailable):
            self._observer.not_taken(many, str(error))
            return
        self._observer.not_taken(many, "A bug in this server, see its log.")
        self._log.error("%d mails not taken: %s", many, trace_of(error))


def _keep(promise: Promise, *, kept: bool) -> None:
    """Tell a session what became of its mail; one that has hung up waits for no answer."""
    if not promise.cancelled():
        promise.set_result(kept)
