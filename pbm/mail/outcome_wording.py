"""How a match ended, as a clause and as a sentence."""

from pbm.domain.match import Ending, Outcome
from pbm.domain.player import People
from pbm.domain.playing import LiveMatch
from pbm.engine import AnyGame
from pbm.mail.move_list import userid


def reason_of(outcome: Outcome, game: AnyGame | None) -> str:
    """Return why it ended: the game's clause for its slug, or the word for the kind of ending."""
    reasons = game.info.reasons if game else {}
    return reasons.get(outcome.reason, str(outcome.ending))


def outcome_clause(outcome: Outcome, names: tuple[str, ...], game: AnyGame | None) -> str:
    """Return "alice won: a chain joins two opposite sides", or "draw: agreed", for names by seat.

    A match without a result is "declined" or "closed". `game` is None if it is not installed.
    """
    if not outcome.counts:
        return "declined" if outcome.ending is Ending.DECLINED else "closed"
    winners = " and ".join(names[seat] for seat in outcome.winners)
    if outcome.ending is Ending.FORFEITED:
        return f"{winners} won on time"
    said = f"{winners} won" if winners else "draw"
    return f"{said}: {reason_of(outcome, game)}"


def outcome_line(table: LiveMatch, people: People) -> str:
    """Return how a match ended, in one sentence; "" while it goes on."""
    outcome = table.match.outcome
    if outcome is None:
        return ""
    if not outcome.counts:
        word = "declined" if outcome.ending is Ending.DECLINED else "closed by the operator"
        return f"The match was {word}; it does not count."
    names = tuple(userid(people, player) for player in table.match.players)
    clause = outcome_clause(outcome, names, table.game)
    return f"{clause}." if outcome.winners else f"The match is a {clause}."
