"""Who is told what of accounts.

These go to a bare address: the addresses of the account may be what is changing.
"""

from dataclasses import dataclass

from pbm.domain.player import ErrandKind, Player
from pbm.domain.settings import Setting
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class ErrandAsked:
    """Something is done once somebody replies to this mail from the address that it goes to.

    To a new address, which may be a stranger's, nothing is told that the player wrote.
    """

    address: str
    userid: str
    kind: ErrandKind
    reply: Token


@dataclass(frozen=True, slots=True)
class AddressesAsked:
    """To the address that the account has: others are asked for and were written to."""

    address: str
    userid: str
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressesChanged:
    """To an address where mails went until now, or that is one no more: these are from now on."""

    address: str
    userid: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressJoined:
    """To an address that has been confirmed; `first`: mails go there from now on."""

    address: str
    userid: str
    first: bool


@dataclass(frozen=True, slots=True)
class PasswordChanged:
    """The account has a new password."""

    address: str
    userid: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """The account is closed: the last mail to its address."""

    address: str
    userid: str


@dataclass(frozen=True, slots=True)
class SettingsShown:
    """All settings with the values that hold; `changed` names the one just set, or is ""."""

    to: Player
    settings: tuple[tuple[Setting, str], ...]
    changed: str = ""


ToAddress = (
    ErrandAsked | AddressesAsked | AddressesChanged | AddressJoined | PasswordChanged | Farewell
)
"""The notices of accounts that go to a bare address."""
