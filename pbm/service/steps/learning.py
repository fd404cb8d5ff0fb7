"""What is refused to those who ask for a hint or an analysis, and why."""

from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.play import LiveMatch, check_open, seat_of
from pbm.domain.player import People, PlayerId
from pbm.domain.robots import against_robots, may_have_hints
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
    if not against_robots(board.match, player, people):
        raise NotAllowed(
            "I give hints in matches against robots only. Once this match is over, analyse shows "
            "what each move was worth."
        )
    if not may_have_hints(board.match, player, people):
        raise NotAllowed(
            f"Board {number} is rated, so you play it alone. I give hints in unrated matches "
            "against robots."
        )
    if seat not in board.to_move:
        raise NotNow(f"It is not your turn on board {number}. Ask again when it is.")
    return seat


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
