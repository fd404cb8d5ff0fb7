"""Requests that a reply must confirm, the time that each waits for it, and the words of yes and no.

A signup asks a mailbox that may belong to a stranger. A confirmation request is what an account
asks for, such as a new address, until a reply from there confirms it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum, StrEnum

from pbm.domain import words
from pbm.domain.phrases import meaning_of, opening_of
from pbm.domain.player import PlayerId
from pbm.domain.words import Meaning, any_of
from pbm.engine import fold, frozen

SIGNUP_LASTS = timedelta(days=14)
"""The time in which a request for an account can be confirmed."""


@frozen
class Signup:
    """A request for an account that its address has not confirmed yet.

    Anybody can have written it, so it holds no password and no other address. A userid of "" is
    made of the address. `confirmed_at` is None while it waits. `wish` is the line that is carried
    out once the account is open; that of an `inviter` begins a match with whoever reads mail at the
    address.
    """

    id: int
    userid: str
    address: str
    made_at: datetime
    confirmed_at: datetime | None = None
    wish: str = ""
    inviter: PlayerId = 0


class ConfirmationKind(StrEnum):
    """The kinds of requests that a reply confirms."""

    ADD_ADDRESS = "add_address"
    CHANGE_ADDRESS = "change_address"
    OTHER_ADDRESS = "other_address"
    RESET_PASSWORD = "reset_password"  # noqa: S105 - the name of a confirmation request
    SIGN_OFF = "sign_off"


@frozen
class ConfirmationRequest:
    """A request of an account that a reply from `address` must confirm, once.

    OTHER_ADDRESS is about an address from which a reply came; the account's own mailbox confirms it
    and then it is asked itself.
    """

    id: int
    kind: ConfirmationKind
    player: PlayerId
    address: str
    made_at: datetime
    done_at: datetime | None = None


LASTS = {
    ConfirmationKind.ADD_ADDRESS: timedelta(days=14),
    ConfirmationKind.CHANGE_ADDRESS: timedelta(days=14),
    ConfirmationKind.OTHER_ADDRESS: timedelta(days=14),
    ConfirmationKind.RESET_PASSWORD: timedelta(hours=24),
    ConfirmationKind.SIGN_OFF: timedelta(days=7),
}
"""The time in which a reply to each kind of confirmation request counts."""

LONGEST = max(LASTS.values())
"""The longest time that any confirmation request waits for its reply."""

ADDRESS_KINDS = frozenset({ConfirmationKind.ADD_ADDRESS, ConfirmationKind.CHANGE_ADDRESS})
"""The requests whose mail may go to somebody who has nothing to do with the account."""


def is_waiting(request: ConfirmationRequest, now: datetime) -> bool:
    """Return whether a reply to `request` still counts: only once, and only for a time."""
    return request.done_at is None and now - request.made_at <= LASTS[request.kind]


def addresses_after(
    current: tuple[str, ...], request: ConfirmationRequest, requests: Iterable[ConfirmationRequest]
) -> tuple[str, ...]:
    """Return the addresses of an account once that of `request` is confirmed, without repeats.

    An added address comes last. A changed address replaces all that were there when the change
    was requested; addresses named in the same command, or added since, stay. `requests`, all
    those of the account, show which these are.
    """
    if request.kind is ConfirmationKind.ADD_ADDRESS:
        return tuple(dict.fromkeys((*current, request.address)))
    since = sorted((e for e in requests if _is_later(e, request)), key=lambda e: e.id)
    kept = [
        e.address
        for e in since
        if e.id == request.id or (e.kind in ADDRESS_KINDS and e.address in current and e.done_at)
    ]
    return tuple(dict.fromkeys(kept))


def _is_later(other: ConfirmationRequest, request: ConfirmationRequest) -> bool:
    """Return whether `other` was asked for after `request`, or by the same command."""
    together = other.kind is request.kind and other.made_at == request.made_at
    return together or other.id > request.id


class Consent(Enum):
    """The meaning of a reply. Only a yes does anything; UNCLEAR words do nothing."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


ASKING_LASTS = timedelta(days=1)
"""The time for which a mailbox that has said no may get mails after a signup from there."""

ASKING_AGAIN = timedelta(days=30)
"""The time between two such signups; anybody can forge one."""


@frozen
class Declined:
    """A mailbox that has said no; `proven` if in reply to a mail that only the mailbox got.

    If a signup comes from there after all, it may get mails until `asking_until`, and further
    signups are ignored until `asking_again`.
    """

    proven: bool
    asking_until: datetime | None = None
    asking_again: datetime | None = None

    def is_silent(self, now: datetime) -> bool:
        """Return whether nothing may be written there."""
        return self.asking_until is None or now > self.asking_until

    def asking(self, now: datetime) -> "Declined | None":
        """Return the state after a signup from there, which nothing proves.

        None means that the no is dropped, because anybody could have forged it as well.
        """
        if not self.proven:
            return None
        if self.asking_again is not None and now < self.asking_again:
            return self
        return replace(self, asking_until=now + ASKING_LASTS, asking_again=now + ASKING_AGAIN)


_DENIAL = rf"{any_of(words.DENIALS)}(?:$|\s*[.,;:!?-]| {any_of(words.AFTER_DENIAL)}\b)"
_DENIES = re.compile(_DENIAL)
_SAYS_NO = re.compile(rf"(?:please |(?:it|that|this) )?{any_of(words.REFUSALS)}\b|{_DENIAL}")
_SAYS_YES = re.compile(
    rf"{any_of(words.CONFIRMATIONS)}"
    rf"(?:[\s.,;:!-]+{any_of((*words.CONFIRMATIONS, *words.AFTER_CONFIRMATION))}(?!\w))*+"
)
_YES_BEFORE = re.compile(rf"{any_of(words.CONFIRMATIONS)}(?!\w)[\s.,;:!-]*")
_THUMBS_UP = re.compile("(?:\U0001f44d[\U0001f3fb-\U0001f3ff]?\ufe0f?)+")
_AROUND = " .,;:!*_\"'()<>\u3002"

_ORDINALS = [re.compile(rf"(?:\w+ )?{any_of((nth,))}(?: \w+)?") for nth in words.ORDINALS]
_NUMBER = re.compile(r"(?:(?:no|nr|number|nummer|option)\.? |#)?(\d{1,4})")
_NAMES = [re.compile(name) for name in (r"\w+", r"[a-z]\d+", r"\d+")]


def read_choice(line: str, offers: Sequence[str]) -> str | Consent | None:
    """Return the one of the lines `offers` that an answer to "which of these?" chooses.

    Returns Answer.NO if it wants none of them, UNCLEAR if it settles nothing, and None if it is no
    answer. A word or number that only one of them has chooses that one; a number that none of them
    has is a place.
    """
    said, meaning = _said(line), meaning_of(line)
    if meaning is Meaning.NO or _DENIES.match(said):
        return Consent.NO
    agrees = meaning is Meaning.YES or read_answer(line) is Consent.YES
    if agrees and len(offers) == 1:
        return offers[0]
    begun = _YES_BEFORE.match(said)
    named = said[begun.end() :] if begun else said
    number = _NUMBER.fullmatch(named) if len(offers) > 1 else None
    word = number[1] if number else said
    chosen = [offer for offer in offers if fold(offer) in (said, named) or word in _names(offer)]
    if not chosen and number:
        chosen = list(offers[int(word) - 1 : int(word)]) if int(word) else []
    chosen = chosen or [
        offer for offer, nth in zip(offers, _ORDINALS, strict=False) if nth.fullmatch(said)
    ]
    if len(chosen) == 1:
        return chosen[0]
    hedged = agrees or chosen or begun or opening_of(line)
    return Consent.UNCLEAR if hedged else None


def read_answer(line: str, name: str = "") -> Consent:
    """Return the meaning of `line`, the first of a reply. If a `name` is given, it means yes."""
    said = _said(line)
    if _SAYS_NO.match(said):
        return Consent.NO
    if _SAYS_YES.fullmatch(said) or (name and said == fold(name)):
        return Consent.YES
    return Consent.UNCLEAR


def _said(line: str) -> str:
    """Return the line without the signs around it; a thumbs-up of any colour is a word."""
    return _THUMBS_UP.sub(" \U0001f44d ", fold(line)).strip(_AROUND)


def _names(offer: str) -> set[str]:
    """Return the words, points and numbers in a line; "m1-k11" has m1, k11, 1 and 11."""
    folded = fold(offer)
    return {found for pattern in _NAMES for found in pattern.findall(folded)}
