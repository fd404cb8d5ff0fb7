"""A relay that files every mail in one Maildir, for a first look and for `pbm mail`.

A file is named NUMBER.DIGEST.pbm. The number counts arrivals from 1, and `pbm mail` always names
the mail by it. The digest comes from the Message-ID. By it a mail that is handed over again after
a crash is found and not filed twice, wherever a mail reader has moved it and whatever flags
(":2,S") it has added. A file appears in new/ whole or not at all: it is written and synced in
tmp/, then renamed. Return-Path and Delivered-To come first and say who it is for. The unchanged
mail follows, with the LF line endings that readers of a Maildir expect.
"""

import hashlib
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pbm import system
from pbm.core.relaying import Deferred, Failed, Judged, Sent, Verdict, always
from pbm.domain.mail import OutgoingMail
from pbm.engine import frozen
from pbm.server.relay.smtp import envelope_error

_NAME = re.compile(r"(\d{6,})\.([0-9a-f]{32})\.pbm(?::.*)?")


@frozen
class FiledMail:
    """A mail in the Maildir: its permanent number, the digest of its Message-ID, the file."""

    number: int
    digest: str
    path: Path


def filed_mails(maildir: Path) -> Iterator[FiledMail]:
    """Yield the mails that a MaildirRelay filed in `maildir`, read or not, in no order.

    A mail that a reader moves at this moment may come twice, its new place last.
    """
    for folder in ("new", "cur"):
        for path in (maildir / folder).iterdir():
            name = _NAME.fullmatch(path.name)
            if name:
                yield FiledMail(int(name[1]), name[2], path)


@dataclass(slots=True)
class _Numbers:
    """The numbers given so far, by digest, and the highest of them."""

    given: dict[str, int]
    last: int


class MaildirRelay:
    """Files mails under `path`, which the first mail creates, readable by this user only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay."""
        with ExitStack() as stack:
            try:
                numbers = stack.enter_context(self._numbers())
            except OSError as error:
                yield from enumerate([_deferred(error)] * len(mails))
                return
            for place, mail in enumerate(mails):
                if not go_on():
                    return
                yield place, self._file(mail, numbers)

    def close(self) -> None:
        """See Relay."""

    @contextmanager
    def _numbers(self) -> Iterator[_Numbers]:
        """Lock the Maildir, creating it if necessary; yield the numbers in it.

        Two processes that deliver into one Maildir take turns, so no number is given twice.
        """
        for folder in (".", "tmp", "new", "cur"):
            system.make_folder(self._path / folder, 0o700)
        with system.alone_in(self._path):
            given = {mail.digest: mail.number for mail in filed_mails(self._path)}
            yield _Numbers(given, max(given.values(), default=0))

    def _file(self, mail: OutgoingMail, numbers: _Numbers) -> Verdict:
        """Put one mail into new/ unless it is there already, and enter it in `numbers`."""
        refusal = envelope_error(mail)
        if refusal is not None:
            return Failed(refusal, about_us=True)
        digest = hashlib.sha256(mail.message_id.encode()).hexdigest()[:32]
        try:
            if digest not in numbers.given:
                number = numbers.last + 1
                self._write(_as_filed(mail), digest, f"{number:06d}.{digest}.pbm")
                numbers.given[digest] = numbers.last = number
            filed = f"filed as {numbers.given[digest]:06d}"
            # Also for a mail that a process filed just before it died: its name must be on disk.
            system.sync(self._path / "new")
        except OSError as error:
            return _deferred(error)
        return Sent(filed)

    def _write(self, content: bytes, digest: str, name: str) -> None:
        """Write, sync and rename; overwrite what an earlier crash left in tmp/."""
        part = self._path / "tmp" / digest
        system.write_durably(part, content, new=False)
        part.rename(self._path / "new" / name)


def _as_filed(mail: OutgoingMail) -> bytes:
    envelope = f"Return-Path: <{mail.sender}>\nDelivered-To: {mail.recipient}\n"
    return envelope.encode("ascii") + mail.content.replace(b"\r\n", b"\n")


def _deferred(error: OSError) -> Deferred:
    reason = f"The Maildir cannot be written: {error.strerror or error}."
    return Deferred(reason, relay_down=True, offered=False)  # and if it was filed, never twice
