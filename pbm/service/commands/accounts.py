"""Commands of an account: opened, changed, set to one's liking, left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pbm.domain.errors import NotUnderstood, UnreadSecret
from pbm.engine import fold
from pbm.service.bridge import Command, Line, Reading, Verb


@dataclass(frozen=True, slots=True)
class ChangePassword(Command):
    """Another password for the account."""

    new: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChangeAddress(Command):
    """New addresses in place of those of the account; mails go to the first."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddAddress(Command):
    """More addresses for the account."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgot(Command):
    """A new password, to be chosen in a reply from the address of the account.

    Without `userid`: for the accounts of the address that asks.
    """

    userid: str = ""


@dataclass(frozen=True, slots=True)
class LogOut(Command):
    """Replies to all mails sent until now count no longer."""


@dataclass(frozen=True, slots=True)
class ConfirmErrand(Command):
    """A reply to the mail of an errand: its first line, and whether that is all it holds.

    The line may hold a new password.
    """

    errand: int
    line: str = field(default="", repr=False)
    alone: bool = False


_CHANGE_ADDRESS = "change address alice your-password alice@example.org"

_CHANGE_PASSWORD = "change password alice your-password new-password"  # noqa: S105 - an example


def _read_change(line: Line) -> Reading:
    what = fold(line.words.rest[0]) if line.words.rest else ""
    read = _CHANGES.get(what)
    if read is None:
        raise NotUnderstood("change is followed by password or address.", line.example)
    del line.words.rest[0]
    return read(line)


def _read_change_password(line: Line) -> Reading:
    # Never by a reply token: the reader of a forwarded mail must not take the account over.
    if len(line.words.rest) != 3:
        raise UnreadSecret(
            "change password needs your userid, the old password and the new one.",
            _CHANGE_PASSWORD,
        )
    credentials = line.words.credentials(None, least_rest=1)
    return ChangePassword(line.words.rest[0]), credentials


def _read_change_address(line: Line) -> Reading:
    return _read_addresses(line, ChangeAddress)


def _read_add(line: Line) -> Reading:
    return _read_addresses(line, AddAddress)


def _read_addresses(
    line: Line, make: Callable[[tuple[str, ...]], ChangeAddress | AddAddress]
) -> Reading:
    addresses = tuple(word.strip("<>,;") for word in line.words.rest[2:])
    if not addresses or not all("@" in address for address in addresses):
        raise NotUnderstood("Your userid, your password and the new mail address are needed.")
    return make(addresses), line.words.credentials(None, least_rest=1)


_CHANGES: Mapping[str, Callable[[Line], Reading]] = {
    "password": _read_change_password,
    "address": _read_change_address,
    "addresses": _read_change_address,
    "email": _read_change_address,
}
"""What can be changed, in the words that people use for it."""


def _read_forgot(line: Line) -> Reading:
    said = fold(" ".join(line.words.rest)).rstrip(".!?")
    if said in ("password", "my password", "the password"):
        return Forgot(""), None
    if len(line.words.rest) > 1:
        raise NotUnderstood("Nothing follows forgot but your userid.", line.example)
    return Forgot("".join(line.words.rest)), None


def _read_logout(line: Line) -> Reading:
    """Read `[userid password]`, or the same after `log out`; a sentence may begin with `log`."""
    two_words = fold(line.said) == "log"
    if two_words and fold("".join(line.words.rest[:1])) == "out":
        del line.words.rest[0]
    elif two_words:
        raise NotUnderstood("log is followed by out.", line.example)
    credentials = line.words.credentials(line.proven, least_rest=0)
    if line.words.rest:
        raise NotUnderstood("Nothing follows logout but who you are.", line.example)
    return LogOut(), credentials


VERBS: tuple[Verb, ...] = (
    Verb("change", "password userid old new; change address userid password address...",
         "changes your password or your mail address", _CHANGE_PASSWORD, _read_change,
         text="A new address counts once somebody has replied from there to the mail that the "
              "server writes to it; your old address is told. If you give several, mails go to "
              f"the first.\nFor example: {_CHANGE_ADDRESS}"),
    Verb("add", "userid password address...", "adds mail addresses that you write from",
         "add alice your-password alice@work.example.com", _read_add,
         text="Each counts once you have replied from there to the mail that the server writes "
              "to it. Mails still go to your first address."),
    Verb("forgot", "[userid]", "mails you a way to choose a new password", "forgot alice",
         _read_forgot,
         text="The mail goes to the address of the account. Reply to it within 24 hours with a "
              "line such as  password your-new-password\n"
              "Anybody can ask for it, so it does not come again at once: first after an hour, "
              "then after longer, up to a day. Until then the last one counts. What other "
              "addresses than yours ask for comes once a day, then up to a week apart.\n"
              "forgot alone is for the account of the address that you write from, and the "
              "mail tells you its userid."),
    Verb("logout", "[userid password]", "makes replies to all earlier mails worthless",
         "logout alice your-password", _read_logout, ("log",),
         text="Do it if somebody else may have read your mails, for whoever can reply to them "
              "plays in your name. log out works as well. A new password does the same. Mails "
              "that the server sends you from then on can be answered again."),
)  # fmt: skip
