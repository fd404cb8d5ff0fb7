"""What the templates of mails about addresses that fail are given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class AddressFailedMail:
    """`failed` is switched off; the mail goes to `address`."""

    template: ClassVar[str] = "bounces/address_failed.txt.j2"
    reader: str
    failed: str
    address: str


@dataclass(frozen=True, slots=True)
class OpponentUnreachableMail:
    """`boards` is "board 104" or "boards 104 and 105"; `until` is "" if the clocks run on."""

    template: ClassVar[str] = "bounces/opponent_unreachable.txt.j2"
    reader: str
    userid: str
    boards: str
    until: str


@dataclass(frozen=True, slots=True)
class OpponentReachableMail:
    """The clocks run again on `boards`."""

    template: ClassVar[str] = "bounces/opponent_reachable.txt.j2"
    reader: str
    userid: str
    boards: str


@dataclass(frozen=True, slots=True)
class ReachableAgainMail:
    """`lines` tell of the boards that wait for the reader."""

    template: ClassVar[str] = "bounces/reachable_again.txt.j2"
    reader: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriedAgainMail:
    """`asked`: because of a mail from there; `lines` tell of the boards that wait."""

    template: ClassVar[str] = "bounces/tried_again.txt.j2"
    reader: str
    asked: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerUnreachableMail:
    """To the operator; `status` is "" if nobody said why, `until` if the clocks run on."""

    template: ClassVar[str] = "bounces/player_unreachable.txt.j2"
    userid: str
    failed: str
    status: str
    until: str


@dataclass(frozen=True, slots=True)
class MostMailsFailMail:
    """To the operator."""

    template: ClassVar[str] = "bounces/most_mails_fail.txt.j2"
    failed: int
    tried: int


TEMPLATES = (
    AddressFailedMail, OpponentUnreachableMail, OpponentReachableMail, ReachableAgainMail,
    TriedAgainMail, PlayerUnreachableMail, MostMailsFailMail,
)  # fmt: skip
"""Every context of this subject."""
