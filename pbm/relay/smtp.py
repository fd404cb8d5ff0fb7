"""A relay that speaks SMTP or LMTP over connections that are kept and serve many mails.

`dialogue` knows what is said on a connection and what the answers mean, `session` exchanges it.
Here the mails of a batch are dealt out to a few connections, and trouble with a connection is kept
apart from trouble with a mail.

A failure before the first mail (greeting, EHLO, STARTTLS, AUTH) is about us: every mail waits,
and none is lost to a mistyped password. A connection that has been kept since an earlier batch may
have been closed by the relay meanwhile, which is nobody's fault: its mails go out on a new one.

A relay that has a mail may scan it for minutes before it answers. After ten seconds the log says
so, and the other mails of the batch go out on another connection.
"""

import logging
import select
import time
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Sequence

from pbm.domain.mail import OutgoingMail
from pbm.relay.connection import ConnectionLost, SmtpTarget, connection_error
from pbm.relay.dialogue import Letter, envelope_error
from pbm.relay.session import Session
from pbm.service.relaying import Deferred, Failed, Judged, Verdict, always

log = logging.getLogger("pbm.deliver")

_KEEP = 60.0

_CONNECTIONS = 4
"""Few enough for a smart host that counts them; with one, a distant host would set the pace."""

_MAILS_EACH = 16
"""Mails for which one connection is enough, because opening another one takes longer."""

_ALONE = 600.0
"""Seconds without another try once the relay has refused a further connection."""


class SmtpRelay:
    """Hands mails to the server at `target`, greeting it as `hostname`.

    A connection that was idle for `keep` seconds is closed. Up to `connections` are open at once.
    """

    def __init__(
        self,
        target: SmtpTarget,
        hostname: str,
        keep: float = _KEEP,
        connections: int = _CONNECTIONS,
    ) -> None:
        self._target = target
        self._hostname = hostname
        self._keep = keep
        self._most = connections
        self._sessions: list[Session] = []
        self._alone_until = 0.0

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay. If a mail loses the connection, it waits, and the next mail gets a new one.

        So a mail that crashes the relay does not hold up the others. Only if no new connection
        is possible, the remaining mails are deferred untried.
        """
        self._drop_old()
        letters = []
        for place, mail in enumerate(mails):
            refusal = envelope_error(mail)
            if refusal is None:
                letters.append(Letter(place, mail))
            else:
                yield place, Failed(refusal, about_us=True)
        queue = _Queue(letters, go_on)
        try:
            yield from self._exchange(queue)
        finally:
            # The caller has stopped in the middle: what is half said cannot be gone on with.
            self._hang_up([session for session in self._sessions if session.dialogue.busy])

    def close(self) -> None:
        """See Relay."""
        for session in self._sessions:
            session.quit()
        self._sessions.clear()

    def _drop_old(self) -> None:
        """Close the connections that have been idle for too long."""
        since = time.monotonic() - self._keep
        old = [session for session in self._sessions if session.used_at <= since]
        for session in old:
            session.quit()
        self._sessions = [session for session in self._sessions if session not in old]
        for session in self._sessions:
            session.kept = True

    def _exchange(self, queue: "_Queue") -> Iterator[Judged]:
        """Hand over the letters of `queue`, on as many connections as they need."""
        while True:
            yield from self._employ(queue)
            busy = [session for session in self._sessions if session.dialogue.busy]
            if not busy:
                return
            for session in _answered(busy):
                yield from self._attend(session, queue)

    def _employ(self, queue: "_Queue") -> Iterator[Judged]:
        """Begin on every connection that has nothing to do, and open more if they are too few.

        If there is none and none can be opened, the letters are put off.
        """
        for session in tuple(self._sessions):
            if not session.dialogue.busy:
                yield from self._attend(session, queue, begin=True)
        while queue and len(self._sessions) < self._wanted(len(queue)):
            try:
                session = Session(self._target, self._hostname)
            except ConnectionLost as error:
                self._alone_until = time.monotonic() + _ALONE
                if not self._sessions:
                    yield from queue.put_off(Deferred(str(error), relay_down=True, offered=False))
                return
            self._sessions.append(session)
            yield from self._attend(session, queue, begin=True)

    def _wanted(self, letters: int) -> int:
        """Return how many connections are worth having for so many letters."""
        if time.monotonic() < self._alone_until:
            return 1
        slow = sum(session.slow for session in self._sessions)
        return min(self._most, slow + 1 + letters // _MAILS_EACH)

    def _attend(
        self, session: Session, queue: "_Queue", *, begin: bool = False
    ) -> Iterator[Judged]:
        """Hear what has arrived on `session`, unless it is to `begin`, and go on with it."""
        try:
            for reply in () if begin else session.replies():
                judged = session.hear(reply)
                if judged is not None:
                    yield queue.judged(*judged)
            queue.feed(session)
            session.speak()
        except OSError as error:
            yield from self._end(session, queue, Deferred(connection_error(error), relay_down=True))
        else:
            if session.dialogue.over:
                yield from self._end(session, queue, None)
            elif session.turns_slow():
                _pass_by(session, queue)

    def _end(self, session: Session, queue: "_Queue", lost: Verdict | None) -> Iterator[Judged]:
        """Give a connection up. `lost` is the verdict on the letter that has waited longest."""
        self._hang_up([session])
        blamed, others = session.dialogue.lost()
        if blamed is not None and lost is not None and not session.kept:
            yield queue.judged(blamed, lost)
        elif blamed is not None:
            others = (blamed, *others)
        queue.put_back(others)

    def _hang_up(self, sessions: Sequence[Session]) -> None:
        for session in sessions:
            session.hang_up()
            self._sessions.remove(session)


class _Queue:
    """The letters that are not begun, and where those that are begun are.

    Two letters to one recipient never travel on two connections at once, so they keep their
    order. Once `go_on` says no, none is begun any more.
    """

    def __init__(self, letters: Sequence[Letter], go_on: Callable[[], bool]) -> None:
        self._waiting = deque(letters)
        self._go_on = go_on
        self._stopped = False
        self._on: dict[str, Session] = {}
        self._begun: defaultdict[str, int] = defaultdict(int)

    def __len__(self) -> int:
        return 0 if self._stopped else len(self._waiting)

    def feed(self, session: Session) -> None:
        """Let `session` begin the next letter that it may, if it can begin one now."""
        while session.dialogue.wants_letter and self:
            letter = self._next_for(session)
            self._stopped = letter is not None and not self._go_on()
            if letter is None or self._stopped:
                return
            self._waiting.remove(letter)
            recipient = letter.mail.recipient
            self._on[recipient] = session
            self._begun[recipient] += 1
            session.dialogue.take(letter)

    def _next_for(self, session: Session) -> Letter | None:
        for letter in self._waiting:
            if self._on.get(letter.mail.recipient, session) is session:
                return letter
        return None

    def judged(self, letter: Letter, verdict: Verdict) -> Judged:
        """Return the verdict on a letter that has been begun, for the caller."""
        self._forget(letter)
        return letter.place, verdict

    def put_back(self, letters: Sequence[Letter]) -> None:
        """Take back letters that were begun and certainly not taken: they come first."""
        for letter in letters:
            self._forget(letter)
        self._waiting.extendleft(reversed(letters))

    def put_off(self, verdict: Verdict) -> Iterator[Judged]:
        """Yield the same verdict on all letters that are not begun."""
        while self:
            yield self._waiting.popleft().place, verdict

    def _forget(self, letter: Letter) -> None:
        recipient = letter.mail.recipient
        self._begun[recipient] -= 1
        if not self._begun[recipient]:
            del self._begun[recipient], self._on[recipient]


def _pass_by(session: Session, queue: _Queue) -> None:
    """Leave to `session` the letter that the relay is slow with, and nothing else."""
    awaited, behind = session.dialogue.give_back()
    queue.put_back(behind)
    now = time.monotonic()
    log.warning(
        "the relay has had a mail for %.0f s and has not said whether it takes it, %s; it has "
        "%.0f s more, and other mails that wait with it go out on another connection",
        now - session.used_at, awaited.mail.message_id, session.deadline - now,
    )  # fmt: skip


def _answered(sessions: Sequence[Session]) -> list[Session]:
    """Wait for an answer, or until one is slow or overdue; return the sessions it is true of."""
    poll = select.poll()
    for session in sessions:
        poll.register(session, select.POLLIN)
    earliest = min(session.look_at for session in sessions)
    ready = {number for number, _ in poll.poll(max(0.0, earliest - time.monotonic()) * 1000)}
    now = time.monotonic()
    return [each for each in sessions if each.fileno() in ready or each.look_at <= now]
