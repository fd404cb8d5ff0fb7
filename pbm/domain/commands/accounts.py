"""Accounts: opened, changed, left."""

from dataclasses import dataclass, field

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Signup(Command):
    """An account for whoever answers at the address that wrote."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """A reply to the confirmation mail; `userid` is a new choice, if the first was taken."""

    signup: int
    userid: str = ""
