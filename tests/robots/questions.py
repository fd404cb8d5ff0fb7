"""Questions to ask a robot of others."""

from pbm.engine import AnyGame, Turn, advance, begin
from pbm.robots.asking import Question, question_of
from tests.robots.brute import GAMES

NOUGHTS = GAMES["noughts"]


def question(
    game: AnyGame = NOUGHTS, *moves: str, options: dict[str, str] | None = None
) -> Question:
    """Return the question for the position after these moves."""
    setup = game.info.setup(options)
    position, turns = begin(game, setup), list[Turn]()
    for move in moves:
        position, turn = advance(game, position, game.to_move(position.state)[0], move)
        turns.append(turn)
    seat = game.to_move(position.state)[0]
    return question_of(game, setup, turns, position, seat, own_seats=(seat,), seconds=10)
