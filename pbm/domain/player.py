"""Players, and the names and addresses they are known by."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pbm.domain.errors import NotUnderstood
from pbm.domain.userids import is_of_robots, is_of_staff
from pbm.engine import quote

PlayerId = int

_USERID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{1,15}")
_RESERVED = frozenset(
    {"all", "me", "new", "nobody", "draw"}
    # What lists can be narrowed to, and what people answer when asked whether they mean it.
    | {"active", "inactive", "next", "yes", "no", "ok"}
)

PASSWORD_LENGTHS = (4, 100)
"""What a password may have; one that a player chooses has at least `LEAST_CHOSEN`."""

LEAST_CHOSEN = 8

_BETTER = "Three words with dashes between them will do."

_DASHES = ("-", "\u2013", "\u2014")


class PlayerState(StrEnum):
    """Whether a player can play."""

    ACTIVE = "active"
    DISABLED = "disabled"  # by the operator
    GONE = "gone"  # signed off; the userid stays on the matches


class PlayerKind(StrEnum):
    """Who plays."""

    PERSON = "person"
    ROBOT = "robot"  # a program, which has no mailbox


@dataclass(frozen=True, slots=True)
class Trouble:
    """How often mails to an address have come back: on so many `days` since it last wrote to us.

    `off_at` is when the server stopped writing to it; None if it still does.
    """

    days: int
    off_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A person or a robot. Mails go to the first of the confirmed `addresses` that works.

    A robot has none, and an address is switched off once mails have come back from there.

    `settings` are what the player has set, by name (pbm.domain.settings); others have their
    defaults. `missing_since` is since when nobody knows whether the player is still there, None
    as a rule. `troubles` are those of the player's addresses; one that works has none. Reply
    tokens made until `tokens_since` are worthless; None: none is.
    """

    id: PlayerId
    userid: str
    addresses: tuple[str, ...]
    state: PlayerState
    created_at: datetime
    settings: Mapping[str, str] = field(default_factory=dict)
    missing_since: datetime | None = None
    troubles: Mapping[str, Trouble] = field(default_factory=dict)
    tokens_since: datetime | None = None
    kind: PlayerKind = PlayerKind.PERSON

    @property
    def is_robot(self) -> bool:
        """True if a program plays, and nobody reads mails."""
        return self.kind is PlayerKind.ROBOT

    @property
    def address(self) -> str | None:
        """Where mails go; None if nowhere."""
        if self.state is PlayerState.GONE:
            return None
        working = self.addresses
        if self.troubles:
            off = self.off
            working = tuple([each for each in working if each not in off])
        return working[0] if working else None

    @property
    def home(self) -> str:
        """Where a mail goes that must go somewhere: the first address if all are switched off."""
        return self.address or self.addresses[0]

    @property
    def off(self) -> tuple[str, ...]:
        """The addresses that are switched off because mails have come back from there."""
        return tuple(address for address, trouble in self.troubles.items() if trouble.off_at)

    @property
    def active(self) -> bool:
        """True if the player can play."""
        return self.state is PlayerState.ACTIVE


People = Mapping[PlayerId, Player]
"""Players by id."""


@dataclass(frozen=True, slots=True)
class Signup:
    """A request for an account that its address has not confirmed yet.

    The password is already hashed; `confirmed_at` is None while it waits. The `further`
    addresses are asked once the account is open, because a stranger gets few mails.
    """

    id: int
    userid: str
    password_hash: str
    address: str
    made_at: datetime
    confirmed_at: datetime | None = None
    further: tuple[str, ...] = ()


class ErrandKind(StrEnum):
    """What a mail asks a player to confirm by a reply."""

    ADD_ADDRESS = "add_address"
    CHANGE_ADDRESS = "change_address"
    RESET_PASSWORD = "reset_password"  # noqa: S105 - the name of an errand
    SIGN_OFF = "sign_off"
    STAY = "stay"


@dataclass(frozen=True, slots=True)
class Errand:
    """Something asked of an account that a reply from `address` must confirm, once."""

    id: int
    kind: ErrandKind
    player: PlayerId
    address: str
    made_at: datetime
    done_at: datetime | None = None


def name_of(player: Player) -> str:
    """Return the userid as lists of players show it: "robot-3 (robot)" for a robot."""
    return f"{player.userid} (robot)" if player.is_robot else player.userid


def fold_userid(userid: str) -> str:
    """Return the one form of a userid, which names the same player in any case."""
    return userid.lower()


def check_userid(userid: str, kind: PlayerKind = PlayerKind.PERSON) -> str:
    """Return `userid` if it can be one of that kind; raise NotUnderstood, saying what can."""
    if is_of_staff(userid):
        raise NotUnderstood(
            "Names such as admin, support or pbm are kept for those who run the server. Please "
            "choose another userid."
        )
    if kind is PlayerKind.PERSON and is_of_robots(userid):
        raise NotUnderstood(
            "Names that begin with robot are kept for robots. Please choose another userid."
        )
    if _USERID.fullmatch(userid) and fold_userid(userid) not in _RESERVED:
        return userid
    raise NotUnderstood(
        f"{quote(userid)} cannot be a userid. A userid has 2 to 16 letters, digits, dots, dashes "
        "or underscores, begins with a letter, and is not one of the server's own words."
    )


def check_password(password: str, least: int = PASSWORD_LENGTHS[0]) -> str:
    """Return `password` if it can be one; raise NotUnderstood, which never shows it.

    It must be one word of a command line, and not an option, whose name an error would show.
    """
    most = PASSWORD_LENGTHS[1]
    plain = password.isprintable() and " " not in password and not password.startswith(_DASHES)
    if plain and least <= len(password) <= most:
        return password
    raise NotUnderstood(
        f"A password is one word of {least} to {most} characters. It does not begin with a dash."
    )


def check_chosen(password: str, userid: str, *, well_known: bool) -> str:
    """Return `password` if a player may choose it; raise NotUnderstood, which never shows it.

    The operator may give shorter ones, and accounts keep the ones that they have.
    """
    check_password(password, LEAST_CHOSEN)
    if password.lower() == fold_userid(userid):
        raise NotUnderstood(f"Your userid is no password, as everybody knows it. {_BETTER}")
    if well_known:
        raise NotUnderstood(f"That password is one of the first that anybody tries. {_BETTER}")
    return password
