"""Who is told what about mails that go wrong: addresses that fail, and bugs."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.play import LiveMatch
from pbm.domain.player import People, Player
from pbm.service.letters import ToAddress, ToPlayer


@dataclass(frozen=True, slots=True)
class AddressFailed(ToPlayer):
    """To the address that is left: `failed` is switched off, and mails come here now."""

    idle = False

    failed: str


@dataclass(frozen=True, slots=True)
class OpponentUnreachable(ToPlayer):
    """Mails to `userid` come back; on the boards of both, the clocks stand until `until`.

    None: the clocks keep running, because they have stood as long as they may this year.
    """

    idle = False

    userid: str
    numbers: tuple[int, ...]
    until: datetime | None


@dataclass(frozen=True, slots=True)
class OpponentReachable(ToPlayer):
    """Mails can go to `userid` again, and the clocks run."""

    idle = False

    userid: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReachableAgain(ToPlayer):
    """The reader's clocks run again. `boards` wait for them, the most urgent first.

    `more` than these wait.
    """

    idle = False

    boards: tuple[LiveMatch, ...]
    people: People
    more: int = 0


@dataclass(frozen=True, slots=True)
class TriedAgain(ToAddress):
    """To an `address` that is switched off: a player who answers can be reached again.

    `boards` wait for them, and `more` than these. `asked`: a mail has come from there that proved
    nothing. Otherwise the clocks run again.
    """

    idle = False

    to: Player
    boards: tuple[LiveMatch, ...]
    people: People
    asked: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class PlayerUnreachable(ToAddress):
    """To the operator: all addresses of a player are switched off; `status` is why, if known."""

    idle = False

    userid: str
    failed: tuple[str, ...]
    status: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class MostMailsFail(ToAddress):
    """To the operator: mails to most of the addresses written to in a day have failed."""

    idle = False

    failed: int
    tried: int


@dataclass(frozen=True, slots=True)
class MailShunted(ToAddress):
    """To the operator: a mail met a bug and waits in the shunt under this number."""

    idle = False

    number: int
