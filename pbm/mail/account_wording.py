"""What the notices of accounts say: subject and context of each."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.domain.player import ErrandKind
from pbm.mail import account_contexts as contexts
from pbm.mail.wording import Wording
from pbm.service.account_notices import (
    AddressesAsked,
    AddressesChanged,
    AddressJoined,
    ErrandAsked,
    Farewell,
    PasswordChanged,
    SettingsShown,
)


def _errand(notice: ErrandAsked, address: str) -> Wording:
    return _ERRANDS[notice.kind](notice, address)


def _confirm_address(_notice: ErrandAsked, address: str) -> Wording:
    return Wording("Your address, to be confirmed by a reply", contexts.ConfirmAddressMail(address))


def _reset_password(notice: ErrandAsked, address: str) -> Wording:
    return Wording("Choose a new password", contexts.ResetPasswordMail(notice.userid, address))


def _sign_off(notice: ErrandAsked, address: str) -> Wording:
    return Wording("Close your account?", contexts.SignOffMail(notice.userid, address))


_ERRANDS: Mapping[ErrandKind, Callable[[ErrandAsked, str], Wording]] = {
    ErrandKind.ADD_ADDRESS: _confirm_address,
    ErrandKind.CHANGE_ADDRESS: _confirm_address,
    ErrandKind.RESET_PASSWORD: _reset_password,
    ErrandKind.SIGN_OFF: _sign_off,
}


def _asked(notice: AddressesAsked, _address: str) -> Wording:
    context = contexts.AddressesAskedMail(notice.userid, notice.new)
    return Wording("New addresses for your account", context)


def _changed(notice: AddressesChanged, _address: str) -> Wording:
    first, *others = notice.addresses
    context = contexts.AddressesChangedMail(notice.userid, first, tuple(others))
    return Wording("The addresses of your account have changed", context)


def _joined(notice: AddressJoined, address: str) -> Wording:
    context = contexts.AddressJoinedMail(notice.userid, address, notice.first)
    return Wording("Your address is confirmed", context)


def _password(notice: PasswordChanged, _address: str) -> Wording:
    return Wording("Your password has changed", contexts.PasswordChangedMail(notice.userid))


def _farewell(notice: Farewell, address: str) -> Wording:
    return Wording("Goodbye", contexts.FarewellMail(notice.userid, address))


def _settings(notice: SettingsShown, _address: str) -> Wording:
    rows = tuple(
        contexts.SettingRow(f"{setting.name:<14}", value, f"{setting.help} ({setting.choice})")
        for setting, value in notice.settings
    )
    value = next((v for setting, v in notice.settings if setting.name == notice.changed), "")
    context = contexts.SettingsMail(notice.to.userid, notice.changed, value, rows)
    return Wording("Your settings", context)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    ErrandAsked: _errand,
    AddressesAsked: _asked,
    AddressesChanged: _changed,
    AddressJoined: _joined,
    PasswordChanged: _password,
    Farewell: _farewell,
    SettingsShown: _settings,
}
"""What is said for each kind of notice of accounts."""
