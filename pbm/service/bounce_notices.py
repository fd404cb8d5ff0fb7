"""Who is told what of addresses that mails come back from."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.player import People, Player
from pbm.domain.playing import LiveMatch
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class AddressFailed:
    """To the address that is left: `failed` is switched off, and mails come here now."""

    to: Player
    failed: str


@dataclass(frozen=True, slots=True)
class OpponentUnreachable:
    """Mails to `userid` come back; the clocks stand `until` then, on these boards of both.

    None: they run on, for they have stood in this year as long as they may.
    """

    to: Player
    userid: str
    boards: tuple[int, ...]
    until: datetime | None


@dataclass(frozen=True, slots=True)
class OpponentReachable:
    """Mails can go to `userid` again, and the clocks run."""

    to: Player
    userid: str
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReachableAgain:
    """His clocks run again. `boards` wait for the reader, the most urgent first."""

    to: Player
    boards: tuple[LiveMatch, ...]
    people: People
    reply: Token


@dataclass(frozen=True, slots=True)
class TriedAgain:
    """To an `address` that is switched off: whoever reads it may answer, and is reached again.

    `asked`: a mail has come from there that proved nothing. Otherwise his clocks run again.
    """

    to: Player
    address: str
    boards: tuple[LiveMatch, ...]
    people: People
    reply: Token
    asked: bool = False


@dataclass(frozen=True, slots=True)
class PlayerUnreachable:
    """To the operator: all addresses of a player are switched off; `status` is why, if known."""

    address: str
    userid: str
    failed: tuple[str, ...]
    status: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class MostMailsFail:
    """To the operator: mails failed to most of the addresses that were written to in a day."""

    address: str
    failed: int
    tried: int


ToBareAddress = TriedAgain | PlayerUnreachable | MostMailsFail
"""The notices of this subject that go to an address of their own."""
