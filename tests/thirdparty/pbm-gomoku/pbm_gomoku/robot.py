"""A robot that plays the first legal move; it shows what a robot of others needs."""

from pbm.engine import AnyGame
from pbm.robots.others import Question


def choose(game: AnyGame, question: Question) -> object:
    """Play the first legal move."""
    return next(game.legal_moves(question.position.state, question.seat))
