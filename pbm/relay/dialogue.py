"""The dialogue with a relay: commands and the meaning of replies, apart from any socket.

RFC 5321; LMTP RFC 2033, which for mails of one recipient differs in its greeting only; 8BITMIME
RFC 6152; PIPELINING RFC 2920. To a relay that offers it, the content of a mail and the envelope
of the next one are one group, so a mail costs one round trip; to others every command waits for
the answer to the one before.

What a failure is about: a 5xx to MAIL, RCPT, DATA or the content fails that one mail. A 4xx to
RCPT or to the content is trouble with that mail; a 4xx to MAIL, a 421 and a lost connection are
trouble with the relay. A 5xx to MAIL fails the mail, but does not count against any address.

If the connection is lost, one mail has been waiting longest for an answer. It is put off, so that
a mail at which the relay falls over holds up no other. It is also the only one of the connection
that the relay may have taken without our knowing, because the content of a mail goes out only
after the one before has its answer. The next one, of which the relay has an envelope at most, can
go out on another connection at once.
"""

import re
from collections import deque
from dataclasses import dataclass
from enum import Enum
from io import IncrementalNewlineDecoder
from typing import NamedTuple

from pbm.domain.mail import OutgoingMail
from pbm.relay.connection import reply_error
from pbm.service.relaying import Deferred, Failed, Sent, Verdict

# Printable ASCII without space and angle brackets (RFC 5321 section 4.1.2, except the quoted
# local parts that nobody has): nothing that could end the command it is written into.
_PATH = re.compile(r"[!-;=?-~]{1,254}")


def envelope_error(mail: OutgoingMail) -> str | None:
    """Return a sentence that says why no relay can take `mail`; None if one can.

    Guards against commands and headers smuggled in by an address, and against mails smuggled in
    by line endings other than CRLF, which some servers take for the end of a line.
    """
    if not _PATH.fullmatch(mail.recipient) or not (
        mail.sender == "" or _PATH.fullmatch(mail.sender)
    ):
        return "An address of the envelope cannot be written in SMTP."
    if not _has_only_crlf(mail.content):
        return "The mail has line endings other than CRLF."
    return None


def _has_only_crlf(content: bytes) -> bool:
    """Return whether no line of `content` ends otherwise.

    Python's reader of text files notes the ends that it meets. It goes through a mail once, in a
    third of the time that it takes to count them, which is felt where there are pictures.
    """
    reader = IncrementalNewlineDecoder(None, translate=False)
    reader.decode(content.decode("latin-1"), final=True)
    return reader.newlines in {None, "\r\n"}


CLOSING = 421

# Refusals that are about the session, not the mail: commands out of order, and a login or TLS
# that the relay requires first (RFC 4954 section 6, RFC 3207 section 4).
_OURS = frozenset({503, 530, 534, 535, 538})


class Reply(NamedTuple):
    """A reply of the relay; its code is -1 if it has none."""

    code: int
    text: bytes

    @property
    def kind(self) -> int:
        """The first digit of the code."""
        return self.code // 100

    @property
    def words(self) -> str:
        """The whole reply, as the relay's own log may have it: "250 2.0.0 Ok: queued as 4F"."""
        return f"{self.code} {self.text.decode('ascii', 'replace')}"


class Step(Enum):
    """Something said that is answered; the value is the kind of reply after which it goes on."""

    RESET = (2, "reset")
    MAIL = (2, "mail")
    RCPT = (2, "rcpt")
    DATA = (3, "data")
    CONTENT = (2, "content")
    NOTHING = (2, "nothing")

    def __init__(self, goes_on: int, _name: str) -> None:
        self.goes_on = goes_on


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail and its place in the batch."""

    place: int
    mail: OutgoingMail


@dataclass(slots=True, eq=False)
class _Handover:
    """A letter that has been begun and has no verdict yet."""

    letter: Letter
    refusal: Verdict | None = None


class Dialogue:
    """The transactions over one connection.

    Give it letters while it `wants_letter`, send its `words`, and let it `hear` each reply. Once
    it is `over`, the connection is of no use any more.
    """

    def __init__(self, *, pipelining: bool, eight_bit: bool, lmtp: bool) -> None:
        self._pipelining = pipelining
        self._eight_bit = eight_bit
        self._lmtp = lmtp
        self._unsaid: deque[tuple[Step, _Handover, bytes]] = deque()
        self._asked: deque[tuple[Step, _Handover]] = deque()
        self._open: deque[_Handover] = deque()
        self._must_reset = False
        self._is_last = False
        self.over = False

    @property
    def busy(self) -> bool:
        """True while a letter is being handed over."""
        return bool(self._open)

    @property
    def wants_letter(self) -> bool:
        """True if the next letter can begin: when the content of the last one is on its way."""
        if self.over or self._is_last:
            return False
        if not self._open:
            return True
        return self._pipelining and bool(self._unsaid) and self._unsaid[-1][0] is Step.CONTENT

    @property
    def awaits_verdict(self) -> bool:
        """True if the relay has a whole mail and has not answered: it may take its time."""
        return any(step is Step.CONTENT for step, _ in self._asked)

    def take(self, letter: Letter) -> None:
        """Begin to hand over `letter`."""
        mail, handover = letter.mail, _Handover(letter)
        # Eight bits go out even to a relay without 8BITMIME, as most servers do it: no relay is
        # known to refuse them, and rewriting the content here would break signatures.
        body = " BODY=8BITMIME" if self._eight_bit and not mail.content.isascii() else ""
        self._open.append(handover)
        if self._must_reset:
            self._must_reset = False
            self._unsaid.append((Step.RESET, handover, b"RSET\r\n"))
        for step, command in (
            (Step.MAIL, f"MAIL FROM:<{mail.sender}>{body}\r\n"),
            (Step.RCPT, f"RCPT TO:<{mail.recipient}>\r\n"),
            (Step.DATA, "DATA\r\n"),
        ):
            self._unsaid.append((step, handover, command.encode()))

    def words(self) -> bytes:
        """Return what can be said now; it counts as said."""
        said = []
        while self._unsaid and self._may_speak():
            step, handover, octets = self._unsaid.popleft()
            self._asked.append((step, handover))
            said.append(octets)
        return b"".join(said)

    def _may_speak(self) -> bool:
        """Return whether the next command needs no answer first; after DATA comes its answer."""
        return not self._asked or (self._pipelining and self._asked[-1][0] is not Step.DATA)

    def hear(self, reply: Reply) -> tuple[Letter, Verdict] | None:
        """Take the next reply; return the letter that it judges, and how."""
        if self.over or not self._asked:
            self.over = True
            return None
        step, handover = self._asked.popleft()
        self.over = self._is_last
        fine = reply.kind == step.goes_on
        if not fine and (reply.code == CLOSING or reply.kind not in {4, 5}):
            self.over = True
        if step is Step.RESET or step is Step.NOTHING:
            self.over = self.over or not fine
            return None
        if not fine and handover.refusal is None:
            handover.refusal = _refusal(reply, to_mail=step is Step.MAIL)
        return self._judged(step, handover, reply, fine=fine)

    def _judged(
        self, step: Step, handover: _Handover, reply: Reply, *, fine: bool
    ) -> tuple[Letter, Verdict] | None:
        """Return the letter and the verdict if `reply`, the one to `step`, decides, or go on."""
        if step is Step.CONTENT:
            return self._close(handover, handover.refusal or Sent(reply.words))
        if handover.refusal is None:
            if step is Step.DATA:
                self._unsaid.append((Step.CONTENT, handover, _as_data(handover.letter.mail)))
            return None
        if step is not Step.DATA and self._pipelining and not self.over:
            return None  # the answers to the rest of the group are still to come
        if step is Step.DATA and fine:
            self._send_nothing(handover)
        self._unsaid = deque(said for said in self._unsaid if said[0] is Step.NOTHING)
        self._must_reset = True
        return self._close(handover, handover.refusal)

    def _send_nothing(self, handover: _Handover) -> None:
        """Answer a relay that has refused the recipient but waits for the content all the same.

        RFC 2920 section 3.1: an empty one ends the transaction and goes to nobody. An LMTP relay
        answers it once for each recipient, and so never; there the connection ends.
        """
        if self._lmtp:
            self.over = True
        else:
            self._unsaid.append((Step.NOTHING, handover, b".\r\n"))

    def _close(self, handover: _Handover, verdict: Verdict) -> tuple[Letter, Verdict]:
        self._open.remove(handover)
        return handover.letter, verdict

    def give_back(self) -> tuple[Letter, tuple[Letter, ...]]:
        """Return the letter whose verdict is awaited, and those behind it, for others to hand over.

        Of these the relay has no more than the envelopes. With that verdict the connection is over.
        """
        awaited = self._asked[0][1]
        behind = tuple(each.letter for each in self._open if each is not awaited)
        self._open = deque([awaited])
        self._unsaid.clear()
        self._is_last = True
        return awaited.letter, behind

    def lost(self) -> tuple[Letter | None, tuple[Letter, ...]]:
        """End it, because the connection has ended.

        Returns the letter whose answer is missing, if that is about a letter at all, and the
        letters that the relay cannot have taken, in their order.
        """
        self.over = True
        step, blamed = self._asked[0] if self._asked else (None, None)
        if step in {None, Step.RESET, Step.NOTHING} or blamed not in self._open:
            blamed = None
        others = tuple(each.letter for each in self._open if each is not blamed)
        self._open.clear()
        return (blamed.letter if blamed else None), others


def _as_data(mail: OutgoingMail) -> bytes:
    """Return the content, whose lines end with CRLF, as DATA sends it (RFC 5321 section 4.5.2)."""
    stuffed = mail.content.replace(b"\r\n.", b"\r\n..")
    if stuffed.startswith(b"."):
        stuffed = b"." + stuffed
    if stuffed and not stuffed.endswith(b"\r\n"):
        stuffed += b"\r\n"
    return stuffed + b".\r\n"


def _refusal(reply: Reply, *, to_mail: bool) -> Verdict:
    """Return what a reply that is no consent means for the mail; an invalid one defers it.

    `to_mail`: it answers the command MAIL, before any recipient was named.
    """
    error = reply_error(reply.code, reply.text)
    if reply.kind == 5 and reply.code not in _OURS:
        return Failed(error, about_us=to_mail)
    return Deferred(error, relay_down=to_mail or reply.kind != 4 or reply.code == CLOSING)
