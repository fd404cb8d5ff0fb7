"""What is asked of a robot at its board: what it sees there, and at which level it plays."""

from pbm.domain.errors import NotNow
from pbm.domain.offers import Offer, OfferKind, open_offer, still_asked
from pbm.domain.play import LiveMatch
from pbm.domain.player import PlayerId
from pbm.domain.robots import Brain, Thought
from pbm.engine import Seat, encode
from pbm.robots.moves import Moment
from pbm.service.context import Context

PATIENCE = 2
"""Faults after which a robot plays whatever is legal: its search, or its game, does not work."""


def brain_of(context: Context, thought: Thought) -> Brain:
    """Return who thinks for the robot of a thought; raise NotNow if it does not play at present."""
    robot = context.people([thought.player])[thought.player]
    brain = context.work.robots.get(thought.player)
    if brain is None or not robot.active:
        raise NotNow(f"{robot.userid} does not play at present.")
    return brain


def level_for(brain: Brain, thought: Thought) -> int:
    """Return the level at which to think; 0, any legal move, if that has failed too often."""
    return brain.level if thought.tries < PATIENCE else 0


def moment_of(board: LiveMatch, seat: Seat) -> Moment:
    """Return the position of a board as the robot at `seat` looks at it."""
    match, position = board.match, board.position
    state = encode(board.game, position.state)
    return Moment(match.game, match.rules_version, state, position.ply, seat)


def draw_offered(board: LiveMatch, robot: PlayerId) -> Offer | None:
    """Return the draw that somebody else offers and the robot has to answer; None if none is."""
    offer = open_offer(board.match)
    if offer is None or offer.kind is not OfferKind.DRAW:
        return None
    asked = [board.match.players[seat] for seat in still_asked(board.match, offer)]
    return offer if robot in asked else None
