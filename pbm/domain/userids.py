"""Which userids look like another one, and which are kept for those who run the server."""

import re

_SEEN_AS = str.maketrans(
    {"i": "l", "1": "l", "0": "o", "m": "rn", "w": "vv", "_": "-", ".": "-"}
)  # fmt: skip
"""How a letter is drawn: what looks alike is written in one way (after UTS 39)."""

_SPELLINGS = {
    "l": ("l", "i", "1"),
    "o": ("o", "0"),
    "-": ("-", "_", "."),
    "rn": ("m",),
    "vv": ("w",),
}
"""What else can be written where a skeleton has these letters."""

_STAFF = (
    *("pbm", "admin", "administrator", "postmaster", "hostmaster", "webmaster", "mailer", "daemon"),
    *("support", "root", "operator", "help", "helpdesk", "info", "abuse", "security", "system"),
    *("moderator", "mod", "noreply", "staff", "official", "server", "bounce", "bounces"),
    *("listserv", "majordomo", "sysadmin", "superuser"),
)
"""Names under which somebody could speak for the server."""

_STAFF_IN_TWO = ("no-reply", "do-not-reply", "mailer-daemon", "help-desk", "sys-admin")

_SIGNS = "-_."

_PARTS = re.compile(r"[-_.]")

_MOST_BEGINNINGS = 64


def skeleton(userid: str) -> str:
    """Return what `userid` looks like: two userids with one skeleton can be taken for each other.

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
    """Return whether `userid` is, looks like, or holds as a word a name of those in charge."""
    parts = _PARTS.split(userid)
    words = {userid, *parts, *(word.rstrip("0123456789") for word in (userid, *parts))}
    return not _STAFF_SKELETONS.isdisjoint(map(skeleton, words))


def is_of_robots(userid: str) -> bool:
    """Return whether `userid`, or a word in it, begins like "robot": those names are for robots."""
    return any(skeleton(word).startswith(_ROBOT) for word in (userid, *_PARTS.split(userid)))


_ROBOT = skeleton("robot")

_STAFF_SKELETONS = frozenset(map(skeleton, (*_STAFF, *_STAFF_IN_TWO)))
