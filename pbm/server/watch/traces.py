"""Traces of each mail in the log: taken, played, handed to the relay, one line each.

A line begins with the number of the mail, in:12 in the inbox and out:77 in the outbox, which is
what `pbm trace` takes. It holds addresses, without what stands after a "+", Message-IDs and words
of the relay, all of them cut; never a word of a mail's text or subject.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pbm.domain.addresses import masked
from pbm.domain.mail import Fate
from pbm.domain.observer import Handed, Handover, Observer, Played, Taken, ThoughtFate, ThoughtTold
from pbm.server.watch.incidents import Incident

_MOST = 200
"""Letters of a Message-ID or an address that are shown."""

SETTLES = 60.0
"""Seconds without a mail that was not taken until they are said to be taken again."""

_RECIPIENTS = 3
_WAITING = 5


def facts(event: str, **told: Any) -> Mapping[str, Mapping[str, Any]]:
    """Return the fields of a line in JSON besides its words (pbm.cli.log)."""
    return {"facts": {"event": event, **told}}


_LOUDNESS = {ThoughtFate.FAULT: logging.ERROR, ThoughtFate.REPLACED: logging.WARNING}


class LogObserver(Observer):
    """Writes what happens to the log, and passes it on. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float], then: Observer | None = None) -> None:
        self._then = then or Observer()
        self._intake = logging.getLogger("pbm.intake")
        self._play = logging.getLogger("pbm.play")
        self._remind = logging.getLogger("pbm.remind")
        self._deliver = logging.getLogger("pbm.deliver")
        self._think = logging.getLogger("pbm.think")
        self._relay = Incident(
            self._deliver,
            "the relay is down: %s",
            "the relay works again; it was down for %(lasted)s",
            clock,
        )
        self._closed = Incident(
            self._intake,
            "mails are not taken, and their senders asked to come again: %s",
            "mails are taken again, after %(lasted)s; %(times)d were not taken",
            clock,
            SETTLES,
        )

    def taken(self, mails: Sequence[Taken]) -> None:
        """See Observer."""
        self._closed.end("intake")
        if self._intake.isEnabledFor(logging.INFO):
            for mail in mails:
                self._tell_taken(mail)
        self._then.taken(mails)

    def _tell_taken(self, taken: Taken) -> None:
        mail, message_id = taken.mail, _cut(taken.message_id.decode("ascii", "backslashreplace"))
        sender = _cut(masked(mail.sender)) or "<>"
        recipients = [_cut(masked(each)) for each in mail.recipients[:_RECIPIENTS]]
        more = len(mail.recipients) - len(recipients)
        self._intake.info(
            "in:%d %s by %s from %s: %d octets, %s to %s%s, %s",
            taken.number, "came again" if taken.repeat else "taken", mail.listener or "a command",
            mail.peer or "here", len(mail.content), sender, ", ".join(recipients),
            f" and {more} more" if more else "", message_id or "no Message-ID",
            extra=facts(
                "repeated" if taken.repeat else "taken", mail=f"in:{taken.number}",
                listener=mail.listener, peer=mail.peer, octets=len(mail.content), sender=sender,
                recipients=recipients, message_id=message_id,
            ),
        )  # fmt: skip

    def not_taken(self, mails: int, why: str) -> None:
        """See Observer."""
        self._closed.begin("intake", why, mails)
        self._then.not_taken(mails, why)

    def turned_away(self, reply: str) -> None:
        """See Observer; the listener writes its own line."""
        self._then.turned_away(reply)

    def played(self, mails: Sequence[Played]) -> None:
        """See Observer."""
        for mail in mails:
            outcome, message_id = mail.outcome, mail.message_id or "no Message-ID"
            bug = outcome.fate is Fate.SHUNTED
            self._play.log(
                logging.ERROR if bug else logging.INFO,
                "in:%d met a bug (%s); see `pbm shunt show %d`, %s" if bug else "in:%d %s, %s",
                *((mail.number, outcome.rule, mail.number) if bug else (mail.number, outcome)),
                message_id,
                extra=facts(
                    "played", mail=f"in:{mail.number}", fate=outcome.fate, rule=outcome.rule,
                    deeds=outcome.deeds, boards=outcome.boards, message_id=mail.message_id,
                    seconds=mail.seconds,
                ),
            )  # fmt: skip
        self._then.played(mails)

    def done_by_itself(self, done: Mapping[str, int]) -> None:
        """See Observer."""
        told = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
        self._remind.info("done by itself: %s", told, extra=facts("by-itself", done=dict(done)))
        self._then.done_by_itself(done)

    def handed(self, mails: Sequence[Handed]) -> None:
        """See Observer."""
        down = [mail for mail in mails if mail.fate is Handover.RELAY_DOWN]
        for mail in mails:
            if mail.fate is Handover.SENT:
                self._relay.end("relay")
            if mail.fate is not Handover.RELAY_DOWN:
                self._tell_handed(mail)
        if down:
            self._tell_down(down, works=any(mail.fate is Handover.SENT for mail in mails))
        self._then.handed(mails)

    def _tell_handed(self, mail: Handed) -> None:
        answers = "" if mail.answers is None else f", for in:{mail.answers}"
        recipient = _cut(masked(mail.recipient))
        tried = f", tried at {_told(mail.tried_at)} for {mail.took:.0f} s"
        next_try = f", again at {_told(mail.next_try_at)}" if mail.next_try_at else ""
        self._deliver.log(
            logging.WARNING if mail.fate is Handover.GIVEN_UP else logging.INFO,
            "out:%d %s to %s%s: %s%s%s, %s",
            mail.number, mail.fate, recipient, answers, mail.words or "taken",
            "" if mail.fate is Handover.SENT else tried, next_try, mail.message_id,
            extra=facts(
                mail.fate, mail=f"out:{mail.number}",
                answers=mail.answers and f"in:{mail.answers}", message_id=mail.message_id,
                recipient=recipient, words=mail.words, tries=mail.tries,
                seconds=mail.waited, tried_at=mail.tried_at, took=mail.took,
                next_try_at=mail.next_try_at,
            ),
        )  # fmt: skip

    def _tell_down(self, mails: Sequence[Handed], *, works: bool) -> None:
        """Log mails that wait for the relay in one line for them all."""
        if not works:
            self._relay.begin("relay", mails[0].words)
        numbers = [f"out:{mail.number}" for mail in mails]
        more = len(mails) - _WAITING
        self._deliver.info(
            "%s%s: waiting for the relay, again at %s",
            ", ".join(numbers[:_WAITING]), f" and {more} more" if more > 0 else "",
            _told(mails[0].next_try_at),
            extra=facts("relay-down", mails=numbers, words=mails[0].words),
        )  # fmt: skip

    def thought(self, thought: ThoughtTold) -> None:
        """See Observer."""
        fault, level = thought.fate is ThoughtFate.FAULT, thought.level
        again = f", again at {_told(thought.due_at)}" if thought.due_at else ""
        self._think.log(
            _LOUDNESS.get(thought.fate, logging.INFO),
            "board %d, %s of %s%s: %s%s%s, waited %.1f s, took %.2f s%s",
            thought.number, thought.kind, thought.userid, f" (level {level})" if level else "",
            thought.fate, ", " if thought.words and not fault else "",
            "" if fault else _cut(thought.words), thought.waited, thought.seconds, again,
            extra=facts(
                "thought", board=thought.number, kind=thought.kind, userid=thought.userid,
                level=level, fate=thought.fate, words=_cut(thought.words), waited=thought.waited,
                seconds=thought.seconds, tries=thought.tries, due_at=thought.due_at,
            ),
        )  # fmt: skip
        if fault and thought.tries == 1:
            self._think.error(
                "board %d: its %s met a fault:\n%s", thought.number, thought.kind, thought.words
            )
        self._then.thought(thought)


def _told(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else "no time"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."
