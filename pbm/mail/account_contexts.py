"""What the templates of account mails are given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class ConfirmAddressMail:
    """To a new address, which may be a stranger's: nothing in it is anybody's words."""

    template: ClassVar[str] = "accounts/confirm_address.txt.j2"
    server: str


@dataclass(frozen=True, slots=True)
class ResetPasswordMail:
    """A new password is asked for."""

    template: ClassVar[str] = "accounts/reset_password.txt.j2"
    userid: str
    server: str


@dataclass(frozen=True, slots=True)
class SignOffMail:
    """The player is asked whether he means it."""

    template: ClassVar[str] = "accounts/sign_off.txt.j2"
    userid: str
    server: str


@dataclass(frozen=True, slots=True)
class AddressesAskedMail:
    """`new` are the addresses that have been written to, one a line."""

    template: ClassVar[str] = "accounts/addresses_asked.txt.j2"
    userid: str
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressesChangedMail:
    """`first` is where mails go, `others` are good for writing from."""

    template: ClassVar[str] = "accounts/addresses_changed.txt.j2"
    userid: str
    first: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressJoinedMail:
    """The address that this goes to is confirmed."""

    template: ClassVar[str] = "accounts/address_joined.txt.j2"
    userid: str
    server: str
    first: bool


@dataclass(frozen=True, slots=True)
class PasswordChangedMail:
    """There is a new password, which is not told."""

    template: ClassVar[str] = "accounts/password_changed.txt.j2"
    userid: str


@dataclass(frozen=True, slots=True)
class FarewellMail:
    """The account is closed."""

    template: ClassVar[str] = "accounts/farewell.txt.j2"
    userid: str
    server: str


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting, laid out: what holds, what it is and what it can be."""

    name: str
    value: str
    help: str


@dataclass(frozen=True, slots=True)
class SettingsMail:
    """`changed` and `value` tell what has just been set; "" if they were only asked for."""

    template: ClassVar[str] = "accounts/settings.txt.j2"
    userid: str
    changed: str
    value: str
    rows: tuple[SettingRow, ...]


TEMPLATES = (
    ConfirmAddressMail, ResetPasswordMail, SignOffMail, AddressesAskedMail, AddressesChangedMail,
    AddressJoinedMail, PasswordChangedMail, FarewellMail, SettingsMail,
)  # fmt: skip
"""Every context of this subject."""
