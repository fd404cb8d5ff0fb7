"""What the operator writes to themselves, to see whether mails come and go."""

from dataclasses import dataclass

from pbm.service.letters import ToAddress


@dataclass(frozen=True, slots=True)
class Probe(ToAddress):
    """To an address of the operator's: `pbm doctor` waits for a reply to it."""

    idle = False


@dataclass(frozen=True, slots=True)
class ProbeOfBounces(ToAddress):
    """To an address that does not exist: `pbm doctor` waits for it to come back."""

    idle = False
