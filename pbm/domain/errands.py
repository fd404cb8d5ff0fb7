"""Errands: how long each waits for its reply, and what a confirmed address does to an account."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from pbm.domain.periods import STAY_LASTS
from pbm.domain.player import Errand, ErrandKind

LASTS = {
    ErrandKind.ADD_ADDRESS: timedelta(days=14),
    ErrandKind.CHANGE_ADDRESS: timedelta(days=14),
    ErrandKind.RESET_PASSWORD: timedelta(hours=24),
    ErrandKind.SIGN_OFF: timedelta(days=7),
    ErrandKind.STAY: STAY_LASTS,
}
"""How long the reply to each kind of errand is good."""

LONGEST = max(LASTS.values())
"""After this time no errand that was made before, or together with it, is waiting."""

ADDRESS_KINDS = frozenset({ErrandKind.ADD_ADDRESS, ErrandKind.CHANGE_ADDRESS})
"""The errands whose mail may go to somebody who has nothing to do with the account."""


AT_ANY_TIME = frozenset({ErrandKind.STAY})
"""The errands whose reply counts whenever it comes, from any address of the account.

It tells that the player is there, and nothing else is done by it.
"""


def is_waiting(errand: Errand, now: datetime) -> bool:
    """Return whether a reply to `errand` still counts: it counts once, and for a time."""
    return errand.done_at is None and now - errand.made_at <= LASTS[errand.kind]


def addresses_after(
    current: tuple[str, ...], errand: Errand, errands: Iterable[Errand]
) -> tuple[str, ...]:
    """Return the addresses of an account once that of `errand` is confirmed, without repeats.

    One that adds stands last. One that changes comes in place of all that were there when the
    change was asked for; what was named with it, or has been added since, stays. `errands`
    are those of the account: they tell which these are.
    """
    if errand.kind is ErrandKind.ADD_ADDRESS:
        return tuple(dict.fromkeys((*current, errand.address)))
    since = sorted((e for e in errands if _is_later(e, errand)), key=lambda e: e.id)
    kept = [
        e.address
        for e in since
        if e.id == errand.id or (e.kind in ADDRESS_KINDS and e.address in current and e.done_at)
    ]
    return tuple(dict.fromkeys(kept))


def _is_later(other: Errand, errand: Errand) -> bool:
    """Return whether `other` was asked for after `errand`, or by the same command."""
    together = other.kind is errand.kind and other.made_at == errand.made_at
    return together or other.id > errand.id
