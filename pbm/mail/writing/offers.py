"""An open offer as one reader is told of it: what is offered, and who has yet to answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.domain.description import userid
from pbm.domain.match import Match
from pbm.domain.offers import Offer, OfferKind, moves_of_undo, still_asked
from pbm.domain.player import People, Player
from pbm.engine import Seat, listing


@dataclass(frozen=True, slots=True)
class StandingOffer:
    """An open offer: `asked` if the reader must answer it, `mine` if the reader made it.

    `moves` are those that an undo takes back. `answers` is a sentence on who has agreed and who is
    still asked; "" if there is one opponent only.
    """

    by: str
    asked: bool
    mine: bool
    draw: bool
    moves: str
    answers: str


def standing_offer(offer: Offer, match: Match, people: People, reader: Player) -> StandingOffer:
    """Return an open offer as the facts of a mail to `reader`."""
    seats, asked = match.seats_of(reader.id), still_asked(match, offer)
    several = len(asked) + len(offer.agreed) > 1
    return StandingOffer(
        by=userid(people, match.players[offer.seat]),
        asked=not set(seats).isdisjoint(asked),
        mine=offer.seat in seats,
        draw=offer.kind is OfferKind.DRAW,
        moves=listing(moves_of_undo(match, offer.seat), last="and"),
        answers=_answers(offer, match, people, reader) if several else "",
    )


def _answers(offer: Offer, match: Match, people: People, reader: Player) -> str:
    """Return "You have agreed; carol and dave have yet to answer."."""

    def have(seats: Sequence[Seat]) -> str:
        players = [match.players[seat] for seat in seats]
        names = ["you" if p == reader.id else userid(people, p) for p in players]
        verb = "has" if len(names) == 1 and names != ["you"] else "have"
        return f"{listing(names, last='and')} {verb}"

    asked = f"{have(still_asked(match, offer))} yet to answer."
    said = f"{have(offer.agreed)} agreed; {asked}" if offer.agreed else asked
    # A userid stays as its owner writes it.
    return f"You{said[3:]}" if said.startswith("you ") else said
