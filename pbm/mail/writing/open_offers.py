"""An open offer as the mails of its board show it."""

from collections.abc import Sequence

from pbm.domain.description import userid
from pbm.domain.match import Match
from pbm.domain.offers import Offer, OfferKind, moves_of_undo, still_asked
from pbm.domain.player import People, Player
from pbm.engine import Seat, counted, frozen, listing


@frozen
class OpenOffer:
    """An open offer: `asked` if the reader must answer it, `mine` if the reader made it.

    `asks` is "offered a draw", and `news` names it in a few words: "a draw". `answers` is a
    sentence with the players who have agreed and those still asked, or "" if there is only one
    opponent.
    """

    by: str
    asked: bool
    mine: bool
    asks: str
    news: str
    answers: str


def seen_offer(offer: Offer, match: Match, people: People, reader: Player) -> OpenOffer:
    """Return an open offer as the facts of a mail to `reader`."""
    seats, asked = match.seats_of(reader.id), still_asked(match, offer)
    several = len(asked) + len(offer.agreed) > 1
    moves = listing(moves_of_undo(match, offer.seat), last="and")
    pause = f"a pause of {counted(offer.days, 'day')}"
    asks, news = {
        OfferKind.DRAW: ("offered a draw", "a draw"),
        OfferKind.UNDO: (f"asked to take back {moves}", "an undo"),
        OfferKind.PAUSE: (f"offered {pause}", pause),
    }[offer.kind]
    return OpenOffer(
        by=userid(people, match.players[offer.seat]),
        asked=not set(seats).isdisjoint(asked),
        mine=offer.seat in seats,
        asks=asks,
        news=news,
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
    # The first letter of a userid must stay as it is.
    return f"You{said[3:]}" if said.startswith("you ") else said
