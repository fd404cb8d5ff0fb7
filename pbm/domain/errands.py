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
"""How long a reply to each kind of errand counts."""

LONGEST = max(LASTS.values())
"""The longest time that any errand waits for its reply."""

ADDRESS_KINDS = frozenset({ErrandKind.ADD_ADDRESS, ErrandKind.CHANGE_ADDRESS})
"""The errands whose mail may go to somebody who has nothing to do with the account."""


AT_ANY_TIME = frozenset({ErrandKind.STAY})
"""The errands whose reply counts whenever it comes, from any address of the account.

It shows that the player is there, and has no other effect.
"""


def is_waiting(errand: Errand, now: datetime) -> bool:
    """Return whether a reply to `errand` still counts: only once, and only for a time."""
    return errand.done_at is None and now - errand.made_at <= LASTS[errand.kind]


def addresses_after(
    current: tuple[str, ...], errand: Errand, errands: Iterable[Errand]
) -> tuple[str, ...]:
    """Return the addresses of an account once that of `errand` is confirmed, without repeats.

    An added address comes last. A changed address replaces all that were there when the change
    was requested; addresses named in the same command, or added since, stay. `errands`, all
    those of the account, show which these are.
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
