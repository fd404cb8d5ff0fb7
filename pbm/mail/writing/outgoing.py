"""A notice as a mail: which template, which headers, which thread."""

from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from urllib.parse import quote

from pbm.domain.mail import LOOP_HEADER, OutgoingMail, bounce_address
from pbm.mail.writing.assemble import assemble, display
from pbm.mail.writing.vocabulary import wordings
from pbm.mail.writing.wording import Wording
from pbm.render.templates import Templates
from pbm.service.notices import Notice
from pbm.service.tokens import TokenMint


@dataclass(frozen=True, slots=True)
class MailComposer:
    """Composes the mails of one server, whose address players write to."""

    templates: Templates
    mint: TokenMint
    address: str

    def compose(
        self, notice: Notice, uid: str, returns: str, now: datetime, answers: str | None = None
    ) -> OutgoingMail:
        """Return the mail for `notice`, always named `uid`: a retry is the same mail.

        `returns` is the word of the address where reports on it come back; the mail does not
        hold it. `answers` is the Message-ID, strictly checked, of the mail that it replies to.
        Raises ValueError if the notice has no address to go to.
        """
        to = notice.recipient
        if to is None:
            raise ValueError("a notice without an address cannot be composed")
        wording = wordings()[type(notice)](notice, self.address)
        message_id = f"<{uid}@{self._domain}>"
        headers = [
            ("From", display(wording.display, self.address)),
            ("To", to),
            *self._reply_to(notice, now),
            ("Subject", wording.subject),
            ("Date", format_datetime(now)),
            ("Message-ID", message_id),
            *self._thread(notice, answers),
            ("Auto-Submitted", "auto-replied" if wording.answer else "auto-generated"),
            ("X-Auto-Response-Suppress", "All"),
            (LOOP_HEADER, self.address),
            *self._list_headers(wording),
        ]
        content = assemble(headers, self.templates.render(wording.context), wording.files, uid)
        return OutgoingMail(bounce_address(returns, self.address), to, message_id, content)

    @property
    def _domain(self) -> str:
        return self.address.rpartition("@")[2]

    def _reply_to(self, notice: Notice, now: datetime) -> list[tuple[str, str]]:
        if notice.reply is None:
            return []
        local, _, domain = self.address.rpartition("@")
        word = self.mint.write(notice.reply, now)
        return [("Reply-To", f"<{local}+{word}@{domain}>")]

    def _thread(self, notice: Notice, answers: str | None) -> list[tuple[str, str]]:
        """Return the headers that hold a match's mails together: all refer to one root id."""
        if notice.threadless:
            # Its reader may not be the writer, so not even the writer's Message-ID goes in.
            return []
        number = notice.thread
        root = f"<board-{number}@{self._domain}>" if number is not None else answers
        return [("In-Reply-To", root), ("References", root)] if root else []

    def _list_headers(self, wording: Wording) -> list[tuple[str, str]]:
        """Return the headers that let a reader sort such mails, or stop unwanted ones."""
        headers = []
        if wording.game:
            headers.append(("List-Id", f"<{wording.game}.{self._domain}>"))
        if wording.leave:
            subject = quote(wording.leave)
            headers.append(("List-Unsubscribe", f"<mailto:{self.address}?subject={subject}>"))
        if wording.bulk:
            headers.append(("Precedence", "bulk"))
        return headers
