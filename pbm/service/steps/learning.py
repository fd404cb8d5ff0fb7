"""When a player may be helped: never in a match between people while it goes on."""

from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.play import LiveMatch, check_open, seat_of
from pbm.domain.player import People, PlayerId
from pbm.engine import Seat


def check_hint(board: LiveMatch, player: PlayerId, people: People) -> Seat:
    """Return the seat that is to move and gets the hint; raise a Refusal if it may get none.

    `people` are the players of the match.
    """
    number = board.match.number
    if board.match.over:
        raise NotNow(f"Board {number} is over. I can tell you how it went.", f"analyse {number}")
    seat = seat_of(board, player)
    check_open(board)
    if not against_robots(board, player, people):
        raise NotAllowed(
            "I give hints in matches against robots only. Once this match is over, analyse shows "
            "what each move was worth."
        )
    if board.match.terms.rated:
        raise NotAllowed(
            f"Board {number} is rated, so you play it alone. I give hints in unrated matches "
            "against robots."
        )
    if seat not in board.to_move:
        raise NotNow(f"It is not your turn on board {number}. Ask again when it is.")
    return seat


def against_robots(board: LiveMatch, player: PlayerId, people: People) -> bool:
    """Return whether all who play against `player` are robots, and there is one."""
    others = [people[id_] for id_ in board.match.players if id_ != player and id_ in people]
    seats = sum(id_ != player for id_ in board.match.players)
    return bool(others) and len(others) == seats and all(other.is_robot for other in others)


def check_analysis(board: LiveMatch) -> None:
    """Raise a Refusal if the match cannot be looked back at."""
    number = board.match.number
    if not board.match.over:
        raise NotNow(
            f"Board {number} is not over. A match is analysed when it is, so that nobody is helped "
            "while they play.",
            f"show {number}",
        )
    if not board.match.log.ply:
        raise NotNow(f"No move was made on board {number}, so there is nothing to look at.")
