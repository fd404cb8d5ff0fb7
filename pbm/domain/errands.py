"""Errands: how long each waits for its reply, and what a confirmed address does to an account."""

from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon the same may be asked for again: after `first`, then twice that, up to `longest`."""

    first: timedelta
    longest: timedelta

    def allows(self, earlier: Iterable[Errand], now: datetime) -> bool:
        """Return whether one more errand may follow the `earlier` ones of its kind."""
        times = [each.made_at for each in earlier if now - each.made_at < REMEMBERED]
        if not times:
            return True
        doublings = min(len(times) - 1, _DOUBLINGS)
        return now - max(times) >= min(self.first * (1 << doublings), self.longest)


_DOUBLINGS = 10
"""More than any pace needs: a thousand would be more than a timedelta holds."""


REMEMBERED = timedelta(days=30)
"""How long an errand slows down others of its kind."""

RESETS_PROVEN = Pace(timedelta(hours=1), timedelta(hours=1))
"""New passwords that a reply of the player asks for, which nobody else can write."""

RESETS_FROM_HOME = Pace(timedelta(hours=1), LASTS[ErrandKind.RESET_PASSWORD])
"""Those that a mail from the account's address asks for, which somebody may have forged.

Until the player may ask again, they can still answer the mail that they have got.
"""

RESETS_BY_OTHERS = Pace(timedelta(days=1), timedelta(days=7))
"""Those that anybody asks for. No player depends on these."""


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
