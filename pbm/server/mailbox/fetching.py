"""Fetching: mails go from the mailbox into the inbox, and only then to the folder `pbm`.

A kill in between repeats a mail, which intake recognises by its content. Nothing about the mailbox
is stored here: all that lies in its folder is still to be taken.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

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

ROUND = timedelta(minutes=10)
"""The time between two looks into the folder of spam, and at the mails that are done."""

LATER = timedelta(minutes=1)
"""The time after which mails for which the inbox has no room are tried again; no other waits."""

MUCH_LATER = timedelta(hours=1)
"""The time after which mails that cannot be fetched are tried again."""

IDLE_SECONDS = 60.0
"""The longest wait for a mail. The server must give a sign of life each three minutes, and some
routers forget a silent connection after five."""

LOOK_AGAIN = 20.0
"""Seconds until the next look, if the inbox takes no mails or the provider has no IDLE."""

LONGEST_PAUSE = 300.0

_TRIES = 3
"""Failures to fetch a mail, alone or with others, after which it is put off."""

_OCTETS = 8 * 1024 * 1024
"""Octets of mails that are fetched at a time, unless a single one is larger."""

_LIMITS = SmtpLimits()

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class _Known:
    """The mails of a folder that are not taken now, until when, and failures to fetch.

    They are known by UIDs, which mean nothing once the UIDVALIDITY is another.
    """

    validity: int
    put_off: dict[int, datetime] = field(default_factory=dict)
    failures: Counter[int] = field(default_factory=Counter)


@dataclass(eq=False)
class Fetcher:
    """Fetches the mails of `account` for the server at `address`, and stores them by `put`.

    `connect` opens the mailbox, `is_reply` says whether a mail bears a token, and `sign` gives a
    sign of life, after looks that have read the whole mailbox.
    """

    account: Account
    address: str
    connect: Callable[[Account], Mailbox]
    put: Put
    is_reply: Callable[[ReceivedMail], bool]
    clock: Callable[[], datetime]
    sign: Callable[[], None]
    observer: Observer = field(default_factory=Observer)
    pause: float = LOOK_AGAIN
    """Seconds until the next look, if `wait` returns False."""
    _mailbox: Mailbox | None = None
    _outages: int = 0
    _complete: bool = True
    _known: dict[str, _Known] = field(default_factory=dict)
    _round_at: datetime = _LONG_AGO

    def look(self, goes_on: Callable[[], bool] = lambda: True) -> int:
        """Take what waits; return how many mails. Raises MailboxError, after which it reconnects.

        It ends between two batches once `goes_on` is False.
        """
        try:
            taken = self._look(goes_on)
        except MailboxError:
            self._failed()
            raise
        self._outages, self.pause = 0, LOOK_AGAIN
        if self._complete:
            self.sign()
        return taken

    def wait(self, goes_on: Callable[[], bool]) -> bool:
        """Wait until a mail arrives; return False at once if the next look must be after `pause`.

        Raises MailboxError.
        """
        if self._mailbox is None or not (self._complete and self._mailbox.idles):
            return False
        try:
            self._mailbox.wait(IDLE_SECONDS, goes_on)
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

    def _look(self, goes_on: Callable[[], bool]) -> int:
        mailbox = self._mailbox = self._mailbox or self.connect(self.account)
        now, taken = self.clock(), 0
        self._complete = True
        if now - self._round_at >= ROUND:
            mailbox.delete_done((now - KEPT).date())
            if spam := mailbox.junk():
                taken = self._take(mailbox, spam, self.is_reply, goes_on)
            self._round_at = now
        is_ours = (lambda mail: bool(mail.recipients)) if "+" in self.address else None
        return taken + self._take(mailbox, self.account.folder, is_ours, goes_on)

    def _take(
        self, mailbox: Mailbox, folder: str, is_ours: Callable[[ReceivedMail], bool] | None,
        goes_on: Callable[[], bool],
    ) -> int:  # fmt: skip
        """Take the mails of a folder, those alone that are ours by their heads; return how many."""
        known = self._opened(mailbox, folder)
        sizes = self._waiting(mailbox, known, is_ours)
        if large := [uid for uid, size in sizes.items() if size > _LIMITS.message_bytes]:
            log.warning("mails larger than may be are moved unread: %s", _named(large))
            mailbox.move(large)
        for uid in large:
            del sizes[uid]
        taken = 0
        for uids in _batches(sizes, known.failures):
            if not goes_on():
                self._complete = False
                break
            contents = self._fetched(mailbox, known, uids)
            try:
                taken += self._store(mailbox, known, contents)
            except IntakeUnavailable as error:
                self.observer.not_taken(len(contents), str(error))
                self._complete = False
                break
        return taken

    def _opened(self, mailbox: Mailbox, folder: str) -> _Known:
        validity = mailbox.open(folder)
        if folder not in self._known or self._known[folder].validity != validity:
            self._known[folder] = _Known(validity)
        return self._known[folder]

    def _waiting(
        self, mailbox: Mailbox, known: _Known, is_ours: Callable[[ReceivedMail], bool] | None
    ) -> dict[int, int]:
        """Return the sizes of the mails in the open folder that are to be taken now."""
        since, now = self.account.since, self.clock()
        # The provider goes by days of its own time zone.
        found = mailbox.list((since - timedelta(days=1)).date())
        put_off = {uid: at for uid, at in known.put_off.items() if uid in found and at > now}
        new = [uid for uid in found if found[uid].arrived_at >= since and uid not in put_off]
        if is_ours is not None:
            heads = mailbox.fetch(new, head=True)
            ours = [uid for uid, head in heads.items() if is_ours(self._read(known, uid, head))]
            put_off |= dict.fromkeys(set(new).difference(ours), _NEVER)
            new = ours
        known.put_off = put_off
        return {uid: found[uid].octets for uid in new}

    def _fetched(self, mailbox: Mailbox, known: _Known, uids: list[int]) -> Mapping[int, bytes]:
        """Return the contents of mails; those that fail are tried one by one in the next looks."""
        try:
            contents = mailbox.fetch(uids)
        except MailboxError as error:
            self._complete = False
            known.failures.update(uids)
            if known.failures[uids[0]] == _TRIES:
                log.warning("UID %d cannot be fetched and is left there: %s", uids[0], error)
                known.put_off[uids[0]] = self.clock() + MUCH_LATER
                del known.failures[uids[0]]
            if not isinstance(error, MailboxRefused):
                raise
            return {}
        for uid in uids:
            del known.failures[uid]
        return contents

    def _store(self, mailbox: Mailbox, known: _Known, contents: Mapping[int, bytes]) -> int:
        """Put mails into the inbox, and move them; return how many are new."""
        most = _LIMITS.received_headers
        looping = [uid for uid, content in contents.items() if received_headers(content) > most]
        if looping:
            log.warning("mails that have been in a loop are moved unread: %s", _named(looping))
        uids = [uid for uid in contents if uid not in looping]
        beyond = self.put([self._read(known, uid, contents[uid]) for uid in uids])
        if beyond:
            self.observer.not_taken(len(beyond), TOO_MANY)
            known.put_off |= {uids[place]: self.clock() + LATER for place in beyond}
        stored = [uid for place, uid in enumerate(uids) if place not in beyond]
        mailbox.move([*stored, *looping])
        return len(stored)

    def _read(self, known: _Known, uid: int, content: bytes) -> ReceivedMail:
        name, listener = f"{known.validity}.{uid}", f"imap {self.account.host}"
        return received(content, name, self.address, self.clock(), listener)


def _batches(sizes: Mapping[int, int], alone: Collection[int]) -> Iterator[list[int]]:
    """Yield the UIDs to be fetched at a time, those `alone` by themselves."""
    batch: list[int] = []
    octets = 0
    for uid, size in sizes.items():
        if uid in alone:
            yield [uid]
            continue
        if batch and (octets + size > _OCTETS or len(batch) == _LIMITS.group_mails):
            yield batch
            batch, octets = [], 0
        batch.append(uid)
        octets += size
    if batch:
        yield batch


def _named(uids: Collection[int]) -> str:
    return f"UID {', '.join(map(str, uids))}"
