"""The mail transaction, MAIL, RCPT and DATA, as SMTP (RFC 5321) and as LMTP (RFC 2033)."""

import logging

from aiosmtpd.lmtp import LMTP

from pbm.config import TcpEndpoint
from pbm.domain.addresses import masked
from pbm.domain.mail import BY_RELAY, ReceivedMail
from pbm.server.smtp.connections import Peer, network_of, told_network
from pbm.server.smtp.session import TOO_MANY_RECIPIENTS, TROUBLE, BoundedSession, Intake
from pbm.server.smtp.syntax import (
    MAIL_PARAMETERS,
    RCPT_PARAMETERS,
    BadPath,
    DataCollector,
    read_path,
    received_headers,
)

log = logging.getLogger("pbm.server.smtp")

OK = "250 2.0.0 OK"
TOO_BIG = "552 5.3.4 The mail is too big"
NO_ROOM = "452 4.3.1 Too many mails at once, please try again later"
LOOPING = "554 5.4.6 The mail has been through too many servers, it is in a loop"
NOT_ASCII = "553 5.6.7 Before the @ of an address only ASCII is known here"
UNKNOWN = "550 5.1.1 No such address here"

_CHUNK = 1024 * 1024  # more than the reader ever buffers, so a read empties it


class SmtpSession(BoundedSession):
    """Takes mails from anyone on the net."""

    offers_size = True
    protocol = "smtp"

    def __init__(self, intake: Intake, peer: Peer, *, behind_proxy: bool = False) -> None:
        size = intake.limits.message_bytes if self.offers_size else None
        super().__init__(intake, peer, size=size, behind_proxy=behind_proxy)

    async def smtp_MAIL(self, arg: str | None) -> None:  # noqa: N802
        """Begin a mail."""
        if not await self.check_helo_needed():
            self.answer(self._begin(arg))

    async def smtp_RCPT(self, arg: str | None) -> None:  # noqa: N802
        """Add a recipient."""
        if not await self.check_helo_needed():
            self.answer(self._add_recipient(arg))

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take the mail itself; answered when it is stored."""
        if await self.check_helo_needed():
            return
        if arg or not self._mail.rcpt_tos:
            self.answer("501 5.5.4 Syntax: DATA" if arg else "503 5.5.1 RCPT first")
            return
        self.taking = True
        try:
            reply = await self._data()
            answers = self._replies()
            self.begin_envelope()
            for _ in range(answers):
                self.answer(reply)
            await self.drain()
        finally:
            self.taking = False
        if self._dismissal:
            self._hang_up(self._dismissal)

    # What differs in LMTP

    def _replies(self) -> int:
        """Return how many replies a DATA has."""
        return 1

    def _never(self, reply: str) -> str:
        """Return the reply to a mail that can never be taken."""
        return reply

    # Replies to MAIL and RCPT

    def _begin(self, arg: str | None) -> str:
        if self._mail.mail_from is not None:
            return "503 5.5.1 One mail at a time"
        try:
            path = read_path(arg, "FROM:", MAIL_PARAMETERS)
        except BadPath as refusal:
            return str(refusal)
        if self.data_size_limit and int(path.parameters.get("SIZE", 0)) > self.data_size_limit:
            return TOO_BIG
        if not path.address.rpartition("@")[0].isascii():
            return NOT_ASCII
        self._mail.mail_from = path.address
        return OK

    def _add_recipient(self, arg: str | None) -> str:
        if self._mail.mail_from is None:
            return "503 5.5.1 MAIL first"
        try:
            path = read_path(arg, "TO:", RCPT_PARAMETERS)
        except BadPath as refusal:
            return str(refusal)
        if not path.address or not self.intake.accepts(path.address):
            return UNKNOWN
        if len(self._mail.rcpt_tos) >= self.intake.limits.recipients:
            return TOO_MANY_RECIPIENTS
        self._mail.rcpt_tos.append(path.address)
        return OK

    # DATA

    async def _data(self) -> str:
        self.answer("354 End data with <CR><LF>.<CR><LF>")
        data = DataCollector(self.intake.limits.message_bytes)
        with self.intake.room.holds(data):
            await self._receive(data)
            self.stop_timer()
            try:
                return await self._take(data)
            except Exception as error:  # noqa: BLE001 - LMTP has to repeat the reply, so it is caught here
                return await self.handle_exception(error)
            finally:
                self.start_timer()

    async def _receive(self, data: DataCollector) -> None:
        limits = self.intake.limits
        began = self.loop.time()
        rest = None
        while rest is None:
            self._expect_more(data, began)
            rest = data.feed(await self.read(_CHUNK))
            self.intake.room.make()
            if rest is None and data.received > limits.discarded_bytes:
                await self._turn_away(self._never(TOO_BIG))
        if rest:
            self.unread(rest)

    def _expect_more(self, data: DataCollector, began: float) -> None:
        """Set the timer to when the client is idle for too long, or slower than it may be."""
        limits = self.intake.limits
        counted = min(data.received, limits.message_bytes)
        due = began + limits.data_grace_seconds + counted / limits.data_bytes_per_second
        self.start_timer(min(limits.idle_seconds, max(due - self.loop.time(), 0.001)))

    async def _turn_away(self, reply: str) -> None:
        """Answer a client that does not stop sending, and see that it can hear it.

        A socket that is closed with unread input throws away what was not yet delivered.
        """
        self.send_answers()
        self.write(f"{reply}\r\n".encode() * self._replies())
        self.stop_timer()
        self.loop.call_later(self.intake.limits.linger_seconds, self.abort)
        while await self.read(_CHUNK):
            pass

    async def _take(self, data: DataCollector) -> str:
        if data.gave_way:
            return NO_ROOM
        content = data.content()
        if content is None:
            return self._refuse(TOO_BIG, data)
        if received_headers(content) > self.intake.limits.received_headers:
            return self._refuse(LOOPING, data)
        recipients = tuple(dict.fromkeys(self._mail.rcpt_tos))
        sender = self._mail.mail_from or ""
        mail = ReceivedMail(
            sender, recipients, content, self.intake.now(), self._network(content),
            str(self.peer), self._listener(),
        )  # fmt: skip
        if not await self.intake.store(mail):
            return TROUBLE
        self._commands = 0
        # The operator's line comes from the store, which knows the number of the mail.
        log.debug(
            "%s: took %d octets from %s for %s",
            self.peer, len(content), masked(sender) or "<>", ", ".join(map(masked, recipients)),
        )  # fmt: skip
        return OK

    def _network(self, content: bytes) -> str:
        """Return the network that a mail comes from: the peer's, or the one that a relay names."""
        return told_network(content) if self.peer.relay else network_of(self.peer.host)

    def _listener(self) -> str:
        """Return where the mail comes in, such as "smtp 127.0.0.1:8025"; see ReceivedMail."""
        name = self.socket_transport.get_extra_info("sockname") if self.socket_transport else ""
        where = TcpEndpoint(*name[:2]) if isinstance(name, tuple) else name
        relayed = self.peer.relay and self.protocol == "smtp"
        return f"{self.protocol} {where}{BY_RELAY if relayed else ''}"

    def _refuse(self, reply: str, data: DataCollector) -> str:
        answer = self._never(reply)
        if answer != reply:
            self.intake.turned_away(reply)  # the front MTA hears nothing of it
        log.info("%s: %d octets: %s (%s)", self.peer, data.received, reply, answer[:3])
        return answer


class LmtpSession(SmtpSession, LMTP):
    """Takes mails from a front MTA of ours.

    That one has said 250 already. To refuse now would make it send a bounce to a sender who is
    mostly forged, so only an unknown recipient is refused; what can never be taken is dropped
    in silence. SIZE is not offered, as the front MTA would bounce by it.
    """

    greeting = "LMTP pbm"
    offers_size = False
    protocol = "lmtp"

    def _replies(self) -> int:
        return len(self._mail.rcpt_tos)

    def _never(self, _reply: str) -> str:
        return OK
