"""`pbm doctor --send-to ADDRESS`: a mail goes out, and a reply and a bounce come back.

Two mails go through the outbox and the running server, as all others do: one to ADDRESS, which a
person answers, and one to a made-up address of the same domain, which must come back. What became
of them is read in the database, so the doctor may run on any host that has it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from pbm.bootstrap import House
from pbm.config import ConfigError
from pbm.diagnosis import Finding, Level
from pbm.domain.addresses import is_address
from pbm.domain.mail import message_key
from pbm.service.notices.probes import Probe, ProbeOfBounces
from pbm.service.ports import OutgoingLife, UnitOfWork
from pbm.service.probes import has_reply, send_probe
from pbm.service.tokens import probe_token

LOOK_SECONDS = 1.0

SENT, REPLY, BOUNCE = "mail", "reply", "bounce"


@dataclass(frozen=True, slots=True)
class _Trip:
    """Two mails on their way, by their Message-IDs, and the number of the one to be answered."""

    house: House
    address: str
    number: int
    asked: str
    doomed: str

    def found(self, name: str) -> Finding | None:
        """Return what has become of one part of it; None if that is not known yet."""
        with self.house.open_reading() as work:
            if name == REPLY:
                return self._reply(work)
            mail = _life(work, self.asked if name == SENT else self.doomed)
        return _sent(mail) if name == SENT else _bounced(mail)

    def _reply(self, work: UnitOfWork) -> Finding | None:
        if not has_reply(work, self.number, self.house.clock()):
            return None
        return Finding(REPLY, Level.OK, "a reply has come back and was read")


def round_trip(house: House, address: str, limit: timedelta) -> Iterator[Finding | str]:
    """Yield what is waited for as text, and each finding as soon as it is known, three in all.

    What has not come within `limit` is a FAIL. Raises ConfigError for what is no address.
    """
    if not is_address(address):
        raise ConfigError("--send-to takes a mail address of yours, like you@example.org.")
    trip = _begin(house, address)
    minutes = f"{limit.total_seconds() / 60:g} min"
    yield f"waiting up to {minutes}; please reply to the mail that comes to {address}"
    waited_for = [SENT, REPLY, BOUNCE]
    until = time.monotonic() + limit.total_seconds()
    while waited_for and time.monotonic() < until:
        for name in tuple(waited_for):
            if finding := trip.found(name):
                waited_for.remove(name)
                yield finding
        if waited_for:
            time.sleep(LOOK_SECONDS)
    for name in waited_for:
        yield Finding(name, Level.FAIL, _MISSING[name])


_MISSING = {
    SENT: "the mail has not left: see pbm outbox list, and whether pbm serve runs with the role "
    "deliver",
    REPLY: "no reply has come: has the mail arrived (look into the spam folder), does the front "
    "MTA hand mails with a plus in the address to pbm, does pbm serve run with the role play?",
    BOUNCE: "no bounce has come: does the front MTA hand mails to bounce+anything to pbm? Some "
    "domains take mails to any address, so try an address at another one",
}


def _begin(house: House, address: str) -> _Trip:
    """Put both mails into the outbox."""
    number = house.chance.seed()
    local = f"pbm-test-{house.chance.new_id()[:8]}"
    nobody = f"{local}@{address.rpartition('@')[2]}"
    now = house.clock()
    with house.open_unit() as work:
        probe = Probe(address, reply=probe_token(number))
        asked = send_probe(house.services, work, probe, now)
        doomed = send_probe(house.services, work, ProbeOfBounces(nobody), now)
        work.commit()
    return _Trip(house, address, number, asked, doomed)


def _life(work: UnitOfWork, message_id: str) -> OutgoingLife | None:
    key = message_key(message_id)
    _, found = work.lives.known_as(key) if key is not None else ((), ())
    return found[0] if found else None


def _sent(mail: OutgoingLife | None) -> Finding | None:
    if mail is None or mail.state == "waiting":
        return None
    if mail.state == "dead":
        return Finding(SENT, Level.FAIL, f"the relay refuses it (out:{mail.id}): {mail.error}")
    return Finding(SENT, Level.OK, f"the relay has taken it (out:{mail.id}): {mail.words}")


def _bounced(mail: OutgoingLife | None) -> Finding | None:
    if mail is None or mail.state == "waiting":
        return None
    if mail.state == "dead":
        words = f"the relay refuses unknown addresses at once (out:{mail.id}): {mail.error}"
        return Finding(BOUNCE, Level.OK, words)
    if not mail.error:
        return None
    return Finding(BOUNCE, Level.OK, f"it has come back and was read (out:{mail.id}): {mail.error}")
