"""Players, userids that look alike, and those that cannot be chosen."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import count

from pbm.domain.errors import NotUnderstood
from pbm.engine import fold, frozen, quote

PlayerId = int

_USERID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
"""A new userid. Older ones may hold dots, which make links of them: "free-gift.com"."""

_RESERVED = frozenset(
    {"all", "me", "new", "nobody", "draw"}
    # The words that narrow lists, the answers when a command asks for confirmation, and
    # the page that lists players.
    | {"active", "inactive", "next", "yes", "no", "ok", "index"}
)

PASSWORD_LENGTHS = (4, 100)
"""The lengths of a password; one that a player chooses has at least `LEAST_CHOSEN`."""

LEAST_CHOSEN = 8

_BETTER = "Three words with dashes between them will do."

_DASHES = ("-", "\u2013", "\u2014")


_MADE = 12
"""The most letters of a userid that is made; a number may follow."""


YOUNG = timedelta(days=7)
"""The age of an account below which it proves little."""


class PlayerState(StrEnum):
    """The state of an account."""

    ACTIVE = "active"
    DISABLED = "disabled"  # by the operator
    GONE = "gone"  # signed off; the userid stays on the matches


class PlayerKind(StrEnum):
    """The kinds of players."""

    PERSON = "person"
    ROBOT = "robot"  # a program, which has no mailbox


@frozen
class Trouble:
    """Bounces of an address: on so many `days` since it last wrote to us.

    `off_at` is when the server stopped writing to it; None if it still does.
    """

    days: int
    off_at: datetime | None = None


@frozen
class Player:
    """A person or a robot. Mails go to the first of the confirmed `addresses` that works.

    A robot has none, and an address is switched off once mails have come back from there.

    `settings` are what the player has set, by name (pbm.domain.settings); others have their
    defaults. `troubles` are those of the player's addresses; one that works has none. Reply
    tokens made until `tokens_since` no longer work.
    """

    id: PlayerId
    userid: str
    addresses: tuple[str, ...]
    state: PlayerState
    created_at: datetime
    settings: Mapping[str, str] = field(default_factory=dict)
    troubles: Mapping[str, Trouble] = field(default_factory=dict)
    tokens_since: datetime | None = None
    kind: PlayerKind = PlayerKind.PERSON

    @property
    def is_robot(self) -> bool:
        """True if a program plays, and nobody reads mails."""
        return self.kind is PlayerKind.ROBOT

    @property
    def address(self) -> str | None:
        """The address to write to, or None."""
        if self.state is PlayerState.GONE:
            return None
        working = self.addresses
        if self.troubles:
            off = self.off
            working = tuple([each for each in working if each not in off])
        return working[0] if working else None

    @property
    def home(self) -> str:
        """The address for a mail that must be sent: the first one if all are switched off."""
        return self.address or self.addresses[0]

    @property
    def off(self) -> tuple[str, ...]:
        """The addresses that are switched off because mails have come back from there."""
        return tuple(address for address, trouble in self.troubles.items() if trouble.off_at)

    def is_young(self, now: datetime) -> bool:
        """Return whether the account is so new that it may be one of many, opened by one person."""
        return now - self.created_at < YOUNG

    @property
    def active(self) -> bool:
        """True if the player can play."""
        return self.state is PlayerState.ACTIVE


People = Mapping[PlayerId, Player]
"""Players by id."""


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
        f"{quote(userid)} cannot be a userid. A userid has 2 to 16 letters, digits, dashes "
        "or underscores, begins with a letter, and is not one of the server's own words."
    )


def unlinked(userid: str) -> str:
    """Return `userid` so that no mail program makes a link of it: "free-gift-com".

    It cannot be another player's, whose userid would look like this one.
    """
    return userid.replace(".", "-")


def userids_for(address: str) -> Iterator[str]:
    """Yield userids that are made of an address, from the nearest to it on without end."""
    local = unlinked(fold(address).partition("@")[0].partition("+")[0])
    local = re.sub(r"[^a-z0-9_-]", "", local)
    begin = local.lstrip(_SIGNS + "0123456789")[:_MADE].rstrip(_SIGNS) or "player"
    for number in count(1):
        try:
            yield check_userid(begin if number == 1 else f"{begin}{number}")
        except NotUnderstood:
            begin = "player" if number == 1 else begin


def check_password(password: str, least: int = PASSWORD_LENGTHS[0]) -> str:
    """Return `password` if it can be one; raise NotUnderstood, which never shows it.

    It must be one word of a command line. It must not be an option, because errors show its name.
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


_SEEN_AS = str.maketrans(
    {"i": "l", "1": "l", "0": "o", "m": "rn", "w": "vv", "_": "-", ".": "-"}
)  # fmt: skip
"""One spelling for letters that look alike (after UTS 39)."""

_SPELLINGS = {
    "l": ("l", "i", "1"),
    "o": ("o", "0"),
    "-": ("-", "_", "."),
    "rn": ("m",),
    "vv": ("w",),
}
"""The spellings of these letters of a skeleton."""

_STAFF = (
    *("pbm", "admin", "administrator", "postmaster", "hostmaster", "webmaster", "mailer", "daemon"),
    *("support", "root", "operator", "help", "helpdesk", "info", "abuse", "security", "system"),
    *("moderator", "mod", "noreply", "staff", "official", "server", "bounce", "bounces"),
    *("listserv", "majordomo", "sysadmin", "superuser"),
    *("no-reply", "do-not-reply", "mailer-daemon", "help-desk", "sys-admin"),
)
"""Names under which somebody could speak for the server."""

_SIGNS = "-_."

_PARTS = re.compile(r"[-_.]")

_MOST_BEGINNINGS = 64


def skeleton(userid: str) -> str:
    """Return the look of `userid`: two userids with one skeleton can be taken for each other.

    Case, 0 and o, 1, l and I, rn and m, vv and w, and the signs between words make no difference.
    """
    return userid.lower().translate(_SEEN_AS)


def alike(one: str, other: str) -> bool:
    """Return whether one of these userids can be taken for the other.

    Signs at the end make no difference, because in a sentence they are read as part of it: who is
    "bob." in "You play with bob."?
    """
    return skeleton(one.rstrip(_SIGNS)) == skeleton(other.rstrip(_SIGNS))


def beginnings(userid: str) -> tuple[str, ...]:
    """Return words in small letters, one of which begins every userid that looks like this one.

    They are as long as they can be while they are few, so that a store finds such userids by an
    index instead of reading all.
    """
    found = {("", skeleton(userid.rstrip(_SIGNS)))}
    while True:
        longer = {further for start, rest in found for further in _further(start, rest)}
        if longer == found or len(longer) > _MOST_BEGINNINGS:
            return tuple(sorted({start for start, _ in found}))
        found = longer


def _further(start: str, rest: str) -> set[tuple[str, str]]:
    """Return `start` with one more letter in every spelling, and what is left of the skeleton."""
    if not rest:
        return {(start, rest)}
    return {
        (start + spelling, rest[len(seen) :])
        for seen in (rest[:1], rest[:2])
        for spelling in _SPELLINGS.get(seen, (seen,) if len(seen) == 1 else ())
    }


def is_of_staff(userid: str) -> bool:
    """Return whether `userid`, or a word in it, looks like a name of those in charge."""
    parts = _PARTS.split(userid)
    words = {userid, *parts, *(word.rstrip("0123456789") for word in (userid, *parts))}
    return not _STAFF_SKELETONS.isdisjoint(map(skeleton, words))


def is_of_robots(userid: str) -> bool:
    """Return whether `userid`, or a word in it, begins like "robot": those names are for robots."""
    return any(skeleton(word).startswith(_ROBOT) for word in (userid, *_PARTS.split(userid)))


_ROBOT = skeleton("robot")

_STAFF_SKELETONS = frozenset(map(skeleton, _STAFF))
