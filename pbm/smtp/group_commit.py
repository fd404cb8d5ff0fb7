"""One commit for all mails that wait: the cost of a sync is shared, and nobody waits for a timer.

While one batch is being stored, the mails that come in gather for the next one. So an idle
server commits each mail at once, and a busy one commits many together.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from pbm.domain.mail import ReceivedMail
from pbm.service.ports.post import IntakeUnavailable, Letterbox
from pbm.service.ports.witness import Witness
from pbm.smtp.masking import described

TOO_MANY = "Their senders have too many mails waiting."


class GroupCommit:
    """Stores mails through an `Letterbox`, in a thread of its own.

    `on_stored` is called on the event loop after each commit, to wake the play stage.
    """

    def __init__(
        self,
        inbox: Letterbox,
        on_stored: Callable[[], None],
        group_mails: int,
        log: logging.Logger,
        witness: Witness,
    ) -> None:
        self._witness = witness
        self._inbox = inbox
        self._on_stored = on_stored
        self._group_mails = group_mails
        self._log = log
        self._waiting: deque[tuple[ReceivedMail, asyncio.Future[bool]]] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pbm-intake")

    async def store(self, mail: ReceivedMail) -> bool:
        """Return True once `mail` is stored durably, False if it must come again later.

        Cancelling the caller changes nothing for the mail: it is in the batch and stays there.
        """
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[bool] = loop.create_future()
        self._waiting.append((mail, stored))
        if self._writer is None:
            self._writer = loop.create_task(self._write())
        return await stored

    async def flush(self) -> None:
        """Return once nothing waits."""
        while self._writer is not None:
            await asyncio.shield(self._writer)

    def close(self) -> None:
        """Let the thread go. A `put` that still runs ends by itself; nobody waits for it."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _write(self) -> None:
        try:
            while self._waiting:
                await self._commit(self._next_batch())
        finally:
            self._writer = None

    def _next_batch(self) -> list[tuple[ReceivedMail, asyncio.Future[bool]]]:
        size = min(len(self._waiting), self._group_mails)
        return [self._waiting.popleft() for _ in range(size)]

    async def _commit(self, batch: list[tuple[ReceivedMail, asyncio.Future[bool]]]) -> None:
        stored = await self._put([mail for mail, _ in batch])
        for place, (_, future) in enumerate(batch):
            # A client that has hung up meanwhile waits for no answer.
            if not future.cancelled():
                future.set_result(place in stored)
        if stored:
            # Not called directly: if it fails, the mails that wait must not fail with it.
            asyncio.get_running_loop().call_soon(self._on_stored)

    async def _put(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        """Return the places of the mails that are stored now."""
        loop = asyncio.get_running_loop()
        try:
            beyond = await loop.run_in_executor(self._thread, self._inbox.put, mails)
        except IntakeUnavailable as trouble:
            self._witness.not_taken(len(mails), str(trouble))
            return frozenset()
        except Exception as error:  # noqa: BLE001 - whatever broke, the senders must hear a 451
            self._witness.not_taken(len(mails), "A bug in this server, see its log.")
            self._log.error("%d mails not taken: %s", len(mails), described(error))
            return frozenset()
        if beyond:
            self._witness.not_taken(len(beyond), TOO_MANY)
        return frozenset(range(len(mails))) - beyond
