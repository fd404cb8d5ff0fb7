"""Accounts: opened, changed, left."""

from dataclasses import dataclass, field

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Signup(Command):
    """An account for whoever answers at the address that wrote; `addresses` are to be added."""

    userid: str
    password: str = field(repr=False)
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """A reply to the confirmation mail; `userid` is a new choice, if the first was taken."""

    signup: int
    userid: str = ""


@dataclass(frozen=True, slots=True)
class ChangePassword(Command):
    """Another password for the account."""

    new: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChangeAddress(Command):
    """Other addresses in place of those of the account; the first is where mails go."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddAddress(Command):
    """More addresses for the account."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgot(Command):
    """A new password for whoever answers at the address of the account."""

    userid: str


@dataclass(frozen=True, slots=True)
class SignOff(Command):
    """The end of the account."""


@dataclass(frozen=True, slots=True)
class ConfirmErrand(Command):
    """A reply to the mail of an errand; `line` is its first one and may be a new password."""

    errand: int
    line: str = field(default="", repr=False)
