"""Who sits where at the start: the side that a player asks for, and how sides are exchanged."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pbm.domain.errors import UnknownName
from pbm.engine import Seat, fold, listing

SEAT = "seat"
"""The match option that asks for a side."""

_BY_CHANCE = "random"
_AS_GIVEN = "given"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")

T = TypeVar("T")


def asked_seat(
    given: Mapping[str, str], sides: Sequence[str]
) -> tuple[Seat | None, Mapping[str, str]]:
    """Return the seat that the match options ask for, and the options that are left.

    None if they name no side; whether seats are drawn is left to `Terms.read`. `sides` are the
    names of the seats in their order. Raises UnknownName for a side that there is not.
    """
    wanted = [value for name, value in given.items() if name.lower() == SEAT]
    if not wanted or fold(wanted[-1]) in (_BY_CHANCE, _AS_GIVEN):
        return None, given
    seat = _seats(sides).get(fold(wanted[-1]).replace("-", " "))
    if seat is None:
        words = (_BY_CHANCE, *_ORDINALS[: len(sides)], *sides)
        raise UnknownName(f"--{SEAT} can be {listing(words)}.", "help challenge")
    return seat, {name: value for name, value in given.items() if name.lower() != SEAT}


def _seats(sides: Sequence[str]) -> Mapping[str, Seat]:
    """Return what a seat can be called, folded; the name of a side goes before a number."""
    names: dict[str, Seat] = {}
    for seat, ordinal in enumerate(_ORDINALS[: len(sides)]):
        names |= {str(seat + 1): seat, ordinal: seat}
    return names | {fold(side).replace("-", " "): seat for seat, side in enumerate(sides)}


def moved_to(seat: Seat, who: T, players: Sequence[T]) -> tuple[T, ...]:
    """Return `players` with `who` at `seat`, and the others in their order."""
    others = [player for player in players if player != who]
    return (*others[:seat], who, *others[seat:])


def exchanged(starters: Sequence[T]) -> tuple[T, ...]:
    """Return the seats of another match: everybody has the side of the one before them."""
    return (*starters[-1:], *starters[:-1])
