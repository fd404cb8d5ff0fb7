"""What the mails say by which `pbm doctor` tries the way there and back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.mail.writing.wording import Wording
from pbm.service.notices.probes import Probe, ProbeOfBounces


@dataclass(frozen=True, slots=True)
class ProbeMail:
    """Asks for a reply to `server`."""

    template: ClassVar[str] = "probes/reply.txt.j2"
    server: str


@dataclass(frozen=True, slots=True)
class ProbeOfBouncesMail:
    """Says to whoever gets it that nobody should have got it."""

    template: ClassVar[str] = "probes/bounce.txt.j2"
    server: str


def _reply(_notice: Probe, address: str) -> Wording:
    return Wording("Please reply to this test", ProbeMail(address))


def _bounce(_notice: ProbeOfBounces, address: str) -> Wording:
    return Wording("A test that should come back", ProbeOfBouncesMail(address))


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Probe: _reply,
    ProbeOfBounces: _bounce,
}
"""What is said for each kind of notice that is a test."""
