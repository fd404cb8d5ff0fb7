"""A connection to a mailbox by IMAP (RFC 3501; IDLE RFC 2177, MOVE RFC 6851), by imapclient.

imapclient is untyped and reports errors of several kinds, so only this module knows it. Every wait
ends after TIMEOUT, also on a connection that is half dead.
"""

import imaplib
import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from typing import Any

from pbm.engine import frozen
from pbm.errors import PlainError
from pbm.server.mailbox.account import Account

# It tells what the stage tells better, and at DEBUG what is said in the login.
logging.getLogger("imapclient").setLevel(logging.WARNING)

_BYTES = re.compile(r"b'(.*)'|b\"(.*)\"", re.DOTALL)
"""An answer in the error of a login."""

TIMEOUT = 30.0
"""Seconds that the mailbox may take to answer."""

_AT_ONCE = 500
"""Mails named in one command: servers refuse lines of more than some 8,000 or 64,000 octets."""

_SLICE = 1.0
"""Seconds of silence after which it is asked whether to wait on."""


class MailboxError(PlainError):
    """The mailbox cannot be used now, and the connection is lost; `str()` is a sentence."""


class MailboxRefused(MailboxError):  # noqa: N818 - an error of its kind
    """The mailbox refused a command, and the connection can still be used."""


@frozen
class Waiting:
    """A mail in a folder: its size in octets, and when it arrived there."""

    octets: int
    arrived_at: datetime


@contextmanager
def _told() -> Iterator[None]:
    """Translate all errors of imapclient."""
    try:
        yield
    except (imaplib.IMAP4.abort, OSError) as error:
        raise MailboxError(_sentence(error)) from None
    except imaplib.IMAP4.error as error:
        raise MailboxRefused(_sentence(error)) from None


def _sentence(error: Exception) -> str:
    said = getattr(error, "strerror", None) or (error.args[0] if error.args else error)
    text = said.decode("ascii", "replace") if isinstance(said, bytes) else str(said)
    text = _BYTES.sub(r"\1\2", text)
    return " ".join(text.split())[:200] or type(error).__name__


class Mailbox:
    """A connection that has logged in. Every method may raise MailboxError.

    Mails have UIDs, which are numbers in the open folder. The folder of mails that are done is made
    if it is missing.
    """

    def __init__(self, client: Any) -> None:
        if not client.has_capability("MOVE"):
            raise MailboxError("the provider cannot move mails (no MOVE), take another one")
        self._client = client
        self.idles: bool = client.has_capability("IDLE")
        """Whether it can say that a mail arrives."""
        spaces = client.namespace().personal if client.has_capability("NAMESPACE") else None
        self._done = f"{spaces[0][0] if spaces else ''}pbm"
        if not client.folder_exists(self._done):
            client.create_folder(self._done)

    def open(self, folder: str) -> int:
        """Make `folder` the open one; return its UIDVALIDITY."""
        with _told():
            return int(self._client.select_folder(folder)[b"UIDVALIDITY"])

    def list(self, since: date) -> Mapping[int, Waiting]:
        """Return the mails that arrived on the day `since` or later."""
        with _told():
            uids = self._client.search(["SINCE", since])
            seen = self._answers(uids, "RFC822.SIZE", "INTERNALDATE")
        return {
            uid: Waiting(facts[b"RFC822.SIZE"], facts[b"INTERNALDATE"])
            for uid, facts in sorted(seen.items())
            if b"RFC822.SIZE" in facts
        }

    def fetch(self, uids: Collection[int], *, head: bool = False) -> Mapping[int, bytes]:
        """Return the content or the `head` of mails and leave them unread; some may be gone."""
        part = "[HEADER]" if head else "[]"
        with _told():
            seen = self._answers(list(uids), f"BODY.PEEK{part}")
        contents = ((uid, seen.get(uid, {}).get(f"BODY{part}".encode())) for uid in uids)
        return {uid: content for uid, content in contents if content is not None}

    def _answers(self, uids: Sequence[int], *items: str) -> dict[int, dict[bytes, Any]]:
        seen: dict[int, dict[bytes, Any]] = {}
        for at in range(0, len(uids), _AT_ONCE):
            seen |= self._client.fetch(uids[at : at + _AT_ONCE], items)
        return seen

    def move(self, uids: Collection[int]) -> None:
        """Move mails to the folder of those that are done."""
        with _told():
            if uids:
                self._client.move(list(uids), self._done)

    def delete_done(self, before: date) -> None:
        """Delete mails that are done and arrived before that day; it changes the open folder."""
        with _told():
            self._client.select_folder(self._done)
            uids = self._client.search(["BEFORE", before])
            if uids and self._client.has_capability("X-GM-EXT-1"):
                # Gmail would archive them.
                self._client.move(uids, self._client.find_special_folder(b"\\Trash"))
            elif uids:
                self._client.delete_messages(uids, silent=True)
                self._client.expunge()

    def junk(self) -> str | None:
        """Return the name of the folder of spam, or None if there is none."""
        with _told():
            found: str | None = self._client.find_special_folder(b"\\Junk")
        return found

    def wait(self, seconds: float, goes_on: Callable[[], bool]) -> None:
        """Wait until a mail arrives in the open folder, for so long at most.

        `goes_on` is asked each second; once it returns False, waiting ends.
        """
        until = time.monotonic() + seconds
        with _told():
            self._client.idle()
            while goes_on() and not self._hears() and time.monotonic() < until:
                pass
            self._client.idle_done()

    def _hears(self) -> bool:
        """Return whether something came; a dead connection is silent at once, and ends the wait."""
        began = time.monotonic()
        return bool(self._client.idle_check(_SLICE)) or time.monotonic() - began < _SLICE / 2

    def close(self) -> None:
        """Log out; it never raises."""
        with suppress(imaplib.IMAP4.error, OSError):
            self._client.logout()


def open_mailbox(account: Account) -> Mailbox:
    """Return a connection to the mailbox of `account`; raise MailboxError."""
    try:
        import imapclient  # noqa: PLC0415 - an extra
    except ImportError:
        raise MailboxError("a library is missing: pip install imapclient") from None
    with _told():
        client = imapclient.IMAPClient(account.host, account.port, timeout=TIMEOUT)
        try:
            _log_in(client, account)
            return Mailbox(client)
        except BaseException:
            with suppress(imaplib.IMAP4.error, OSError):
                client.shutdown()
            raise


def _log_in(client: Any, account: Account) -> None:
    secret = account.secret.read()
    if account.secret.is_token:
        client.oauth2_login(account.user, secret)
    else:
        client.login(account.user, secret)
    client.normalise_times = False
