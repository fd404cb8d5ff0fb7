"""Fetching: mails go from the mailbox into the inbox, and only then to the folder `pbm`.

A kill in between repeats a mail, which intake recognises by its content. Nothing about the mailbox
is stored here: all that lies in its folder is still to be taken.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta

from pbm.domain.mail import ReceivedMail
from pbm.domain.observer import Observer
from pbm.server.mailbox.account import Account
from pbm.server.mailbox.connection import Mailbox, MailboxError, MailboxRefused
from pbm.server.mailbox.reading import received
from pbm.server.smtp import SmtpLimits
from pbm.server.smtp.group_commit import TOO_MANY, Put
from pbm.server.smtp.syntax import received_headers
from pbm.store.errors import IntakeUnavailable

log = logging.getLogger("pbm.fetch")

KEPT = timedelta(days=7)
"""The time after which mails that are done are deleted at the provider."""

IDLE = timedelta(minutes=2)
"""The longest wait for a mail. The server must give a sign of life each three minutes, and some
routers forget a silent connection after five."""

SLICE = 1.0
"""Seconds of waiting after which the stage is asked whether to stop."""

LATER = timedelta(minutes=1)
"""The time after which mails for which the inbox has no room are tried again; no other waits."""

SIGN_EVERY = timedelta(seconds=30)
JUNK_EVERY = timedelta(minutes=10)
TIDY_EVERY = timedelta(hours=1)

LOOK_AGAIN = 20.0
"""Seconds until the next look, if the inbox takes no mails or the provider has no IDLE."""

LONGEST_PAUSE = 300.0

_TRIES = 3
"""Failures to fetch a mail, alone or with others, after which it is left for an hour."""

_OCTETS = 8 * 1024 * 1024
"""Octets of mails that are fetched at a time, unless a single one is larger."""


class Fetcher:
    """Fetches the mails of `account` for the server at `address`, and stores them by `put`.

    `connect` opens the mailbox, `is_reply` says whether a mail bears a token, and `sign` gives a
    sign of life, after looks that have read the whole mailbox.
    """

    def __init__(
        self, account: Account, address: str, connect: Callable[[Account], Mailbox], put: Put,
        is_reply: Callable[[ReceivedMail], bool], clock: Callable[[], datetime],
        sign: Callable[[], None] = lambda: None, observer: Observer = Observer(),  # noqa: B008 - it has no state
        limits: SmtpLimits = SmtpLimits(),  # noqa: B008 - frozen
    ) -> None:  # fmt: skip
        self._account = account
        self._address = address
        self._connect = connect
        self._put = put
        self._bears_token = is_reply
        self._clock = clock
        self._sign = sign
        self._observer = observer
        self._limits = limits
        self._mailbox: Mailbox | None = None
        self._outages = 0
        self._failures: Counter[int] = Counter()
        self._left = self._stuck = False
        self._later: set[int] = set()
        self._later_at = self._signed_at = self._junk_at = self._tidy_at = datetime.min.replace(
            tzinfo=account.since.tzinfo
        )
        self._seen_in_junk = (0, 0)
        self.pause = LOOK_AGAIN
        """Seconds until the next look, if `wait` returns False."""

    def look(self, goes_on: Callable[[], bool] = lambda: True) -> int:
        """Take what waits; return how many mails. Raises MailboxError, after which it reconnects.

        It ends between two batches once `goes_on` is False.
        """
        try:
            taken = self._look(self._connected(), goes_on)
        except MailboxError:
            self._failed()
            raise
        self._outages, self.pause = 0, LOOK_AGAIN
        return taken

    def wait(self, goes_on: Callable[[], bool]) -> bool:
        """Wait until a mail arrives; return False at once if the next look must be after `pause`.

        Raises MailboxError.
        """
        mailbox = self._mailbox
        if mailbox is None or self._left or not mailbox.idles:
            return False
        until = self._clock() + (LATER if self._later else IDLE)
        try:
            mailbox.begin_idle()
            while goes_on() and not mailbox.heard(SLICE) and self._clock() < until:
                pass
            mailbox.end_idle()
        except MailboxError:
            self._failed()
            raise
        return True

    def close(self) -> None:
        """Log out."""
        if self._mailbox is not None:
            self._mailbox.close()
            self._mailbox = None

    def _failed(self) -> None:
        self.pause = min(2.0**self._outages, LONGEST_PAUSE)
        self._outages += 1
        self.close()

    def _connected(self) -> Mailbox:
        if self._mailbox is None:
            self._mailbox = self._connect(self._account)
        return self._mailbox

    def _look(self, mailbox: Mailbox, goes_on: Callable[[], bool]) -> int:
        now = self._clock()
        self._left = self._stuck = False
        if now - self._later_at >= LATER:
            self._later.clear()
            self._later_at = now
        if now - self._tidy_at >= TIDY_EVERY:
            mailbox.delete_done((now - KEPT).date())
            self._failures.clear()
            self._tidy_at = now
        taken = 0
        if now - self._junk_at >= JUNK_EVERY:
            taken = self._look_in_junk(mailbox, goes_on)
            self._junk_at = now
        validity = mailbox.open(self._account.folder)
        taken += self._take(mailbox, validity, self._waiting(mailbox), goes_on)
        if not self._stuck and now - self._signed_at >= SIGN_EVERY:
            self._sign()
            self._signed_at = now
        return taken

    def _waiting(self, mailbox: Mailbox) -> dict[int, int]:
        """Return the sizes of the mails in the open folder that are to be taken."""
        since = self._account.since
        # The provider goes by days of its own time zone.
        found = mailbox.list((since - timedelta(days=1)).date())
        return {
            uid: each.octets
            for uid, each in found.items()
            if each.arrived_at >= since and uid not in self._later
        }

    def _look_in_junk(self, mailbox: Mailbox, goes_on: Callable[[], bool]) -> int:
        """Take the replies to mails of ours that the provider takes for spam."""
        folder = mailbox.junk()
        if folder is None:
            return 0
        validity = mailbox.open(folder)
        waiting = self._waiting(mailbox)
        new = [uid for uid in waiting if (validity, uid) > self._seen_in_junk]
        heads = mailbox.fetch(new, head=True) if new else {}
        replies = {uid: waiting[uid] for uid, head in heads.items() if self._is_reply(head)}
        taken = self._take(mailbox, validity, replies, goes_on)
        if new and not (self._left or self._stuck):
            self._seen_in_junk = (validity, max(new))
        return taken

    def _is_reply(self, head: bytes) -> bool:
        return self._bears_token(received(head, "", self._address, self._clock(), ""))

    def _take(
        self, mailbox: Mailbox, validity: int, sizes: dict[int, int], goes_on: Callable[[], bool]
    ) -> int:
        """Take these mails of the open folder; return how many."""
        small = {uid: size for uid, size in sizes.items() if size <= self._limits.message_bytes}
        if large := sorted(sizes.keys() - small.keys()):
            log.warning("mails larger than may be are moved unread: %s", _named(large))
            mailbox.move(large)
        taken = 0
        for uids in self._batches(small):
            if self._stuck or not goes_on():
                self._stuck = True
                break
            taken += self._store(mailbox, validity, self._fetched(mailbox, uids))
        return taken

    def _batches(self, sizes: dict[int, int]) -> Iterator[list[int]]:
        """Yield the UIDs to be fetched at a time; one that has failed is alone, or left out."""
        batch: list[int] = []
        octets = 0
        for uid, size in sizes.items():
            if failures := self._failures[uid]:
                if failures < _TRIES:
                    yield [uid]
                continue
            if batch and (octets + size > _OCTETS or len(batch) == self._limits.group_mails):
                yield batch
                batch, octets = [], 0
            batch.append(uid)
            octets += size
        if batch:
            yield batch

    def _fetched(self, mailbox: Mailbox, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the contents of mails; one that cannot be fetched is set aside after a while."""
        try:
            return dict(mailbox.fetch(uids))
        except MailboxError as error:
            self._failures.update(uids)
            if self._failures[uids[0]] == _TRIES:
                log.warning("UID %d cannot be fetched and is left there: %s", uids[0], error)
            if not isinstance(error, MailboxRefused):
                raise
            self._left = True  # to be tried one by one, soon
            return {}

    def _store(self, mailbox: Mailbox, validity: int, contents: dict[int, bytes]) -> int:
        """Put mails into the inbox, and move them; return how many are new."""
        looping = [uid for uid, content in contents.items() if self._loops(content)]
        if looping:
            log.warning("mails that have been in a loop are moved unread: %s", _named(looping))
        uids = [uid for uid in contents if uid not in looping]
        name, now = f"imap {self._account.host}", self._clock()
        mails = [
            received(contents[uid], f"{validity}.{uid}", self._address, now, name) for uid in uids
        ]
        try:
            beyond = self._put(mails)
        except IntakeUnavailable as error:
            self._observer.not_taken(len(mails), str(error))
            self._left = self._stuck = True
            return 0
        if beyond:
            self._observer.not_taken(len(beyond), TOO_MANY)
            self._later |= {uids[place] for place in beyond}
        stored = [uid for place, uid in enumerate(uids) if place not in beyond]
        mailbox.move([*stored, *looping])
        return len(stored)

    def _loops(self, content: bytes) -> bool:
        return received_headers(content) > self._limits.received_headers


def _named(uids: Collection[int]) -> str:
    return f"UID {', '.join(map(str, uids))}"
