"""Who is told what about accounts.

Most go to a bare address: the addresses of the account may be what is changing.
"""

from dataclasses import dataclass

from pbm.domain.confirmations import ErrandKind
from pbm.service.letters import ToAddress


@dataclass(frozen=True, slots=True)
class ErrandAsked(ToAddress):
    """Something is done once somebody replies to this mail from the address that it goes to.

    A new address may be a stranger's, so it is told nothing that the player wrote.
    """

    idle = False

    userid: str
    kind: ErrandKind


@dataclass(frozen=True, slots=True)
class AddressesAsked(ToAddress):
    """To the present address of the account: others were asked for and have been written to."""

    idle = False

    userid: str
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressesChanged(ToAddress):
    """To the address where mails went until now, or a removed one: `addresses` are the new ones."""

    idle = False

    userid: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressJoined(ToAddress):
    """To an address that has been confirmed; `first`: mails go there from now on."""

    idle = False

    userid: str
    first: bool


@dataclass(frozen=True, slots=True)
class PasswordChanged(ToAddress):
    """The account has a new password."""

    idle = False

    userid: str


@dataclass(frozen=True, slots=True)
class AccountDisabled(ToAddress):
    """The operator keeps the player from playing for now, and may say why."""

    idle = False

    userid: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AccountEnabled(ToAddress):
    """The operator lets the player play again, and may say why."""

    idle = False

    userid: str
    reason: str = ""
