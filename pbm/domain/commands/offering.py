"""Offers to the opponent. Yes to one is `Accept`, as to an invitation."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command
from pbm.domain.offers import OfferKind


@dataclass(frozen=True, slots=True)
class Offer(Command):
    """A draw offered, or the last own move to be taken back; yes to the same from the opponent."""

    board: int | None
    kind: OfferKind


@dataclass(frozen=True, slots=True)
class Reject(Command):
    """No to an offer, or to an invitation."""

    number: int | None
