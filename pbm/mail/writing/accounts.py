"""What the mails about accounts say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.confirmations import ErrandKind
from pbm.mail.writing.wording import Wording
from pbm.service.notices.accounts import (
    AccountDisabled,
    AccountEnabled,
    AddressesAsked,
    AddressesChanged,
    AddressJoined,
    ErrandAsked,
    PasswordChanged,
)


@dataclass(frozen=True, slots=True)
class ConfirmAddressMail:
    """To a new address, which may be a stranger's: nothing in it is in anybody's words."""

    template: ClassVar[str] = "accounts/confirm_address.txt.j2"
    server: str


@dataclass(frozen=True, slots=True)
class ResetPasswordMail:
    """A request for a new password."""

    template: ClassVar[str] = "accounts/reset_password.txt.j2"
    userid: str
    server: str


@dataclass(frozen=True, slots=True)
class AddressesAskedMail:
    """`new` are the addresses that have been written to, one per line."""

    template: ClassVar[str] = "accounts/addresses_asked.txt.j2"
    userid: str
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressesChangedMail:
    """`first` is where mails go; the player can also write from `others`."""

    template: ClassVar[str] = "accounts/addresses_changed.txt.j2"
    userid: str
    first: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressJoinedMail:
    """The address that this mail goes to is confirmed."""

    template: ClassVar[str] = "accounts/address_joined.txt.j2"
    userid: str
    server: str
    first: bool


@dataclass(frozen=True, slots=True)
class PasswordChangedMail:
    """The password has changed; the mail does not show it."""

    template: ClassVar[str] = "accounts/password_changed.txt.j2"
    userid: str


@dataclass(frozen=True, slots=True)
class AccountDisabledMail:
    """The account cannot be used until the operator enables it."""

    template: ClassVar[str] = "accounts/disabled.txt.j2"
    userid: str
    server: str
    reason: str


@dataclass(frozen=True, slots=True)
class AccountEnabledMail:
    """The account can be used again."""

    template: ClassVar[str] = "accounts/enabled.txt.j2"
    userid: str
    server: str
    reason: str


def _errand(notice: ErrandAsked, address: str) -> Wording:
    return _ERRANDS[notice.kind](notice, address)


def _confirm_address(_notice: ErrandAsked, address: str) -> Wording:
    return Wording("Please confirm your address with a reply", ConfirmAddressMail(address))


def _reset_password(notice: ErrandAsked, address: str) -> Wording:
    return Wording("Choose a new password", ResetPasswordMail(notice.userid, address))


_ERRANDS: Mapping[ErrandKind, Callable[[ErrandAsked, str], Wording]] = {
    ErrandKind.ADD_ADDRESS: _confirm_address,
    ErrandKind.CHANGE_ADDRESS: _confirm_address,
    ErrandKind.RESET_PASSWORD: _reset_password,
}


def _asked(notice: AddressesAsked, _address: str) -> Wording:
    context = AddressesAskedMail(notice.userid, notice.new)
    return Wording("New addresses for your account", context)


def _changed(notice: AddressesChanged, _address: str) -> Wording:
    first, *others = notice.addresses
    context = AddressesChangedMail(notice.userid, first, tuple(others))
    return Wording("The addresses of your account have changed", context)


def _joined(notice: AddressJoined, address: str) -> Wording:
    context = AddressJoinedMail(notice.userid, address, notice.first)
    return Wording("Your address is confirmed", context)


def _password(notice: PasswordChanged, _address: str) -> Wording:
    return Wording("Your password has changed", PasswordChangedMail(notice.userid))


def _disabled(notice: AccountDisabled, address: str) -> Wording:
    context = AccountDisabledMail(notice.userid, address, notice.reason)
    return Wording("Your account is disabled", context, answer=False)


def _enabled(notice: AccountEnabled, address: str) -> Wording:
    context = AccountEnabledMail(notice.userid, address, notice.reason)
    return Wording("Your account works again", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    ErrandAsked: _errand,
    AddressesAsked: _asked,
    AddressesChanged: _changed,
    AddressJoined: _joined,
    PasswordChanged: _password,
    AccountDisabled: _disabled,
    AccountEnabled: _enabled,
}
"""What is said for each kind of notice of accounts."""
