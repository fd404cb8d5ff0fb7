"""The list of moves also tells of offers, the clock and the end, each where it happened."""

from pbm.domain.offers import OfferKind, offer, reject
from pbm.domain.timekeeping import extend, forfeit, pause_board, resume_board
from pbm.mail.writing.move_list import move_list
from tests.domain.matches import PEOPLE, after, later, turn


def test_the_operators_word_about_the_clock_stands_after_the_move_before_it() -> None:
    board = pause_board(after("b2", "a1"), now=later(3))
    board = extend(resume_board(board, now=later(4)), 3, now=later(5))
    board = extend(turn(board, "c2", hours=6), 1, now=later(7))
    assert move_list(board, PEOPLE).splitlines() == [
        "      Cross (x)       Nought (o)",
        "      alice           bob",
        "   1  b2              a1              20 Nov 2026",
        "      clock stopped by the operator",
        "      clock runs again",
        "      3 days added by the operator",
        "   3  c2              -               20 Nov 2026",
        "      1 day added by the operator",
    ]


def test_an_answer_stands_beside_its_offer_whatever_the_operator_did_in_between() -> None:
    board = offer(after("b2"), 0, OfferKind.DRAW, comment="", now=later(2))
    board = extend(board, 2, now=later(3))
    board = reject(board, 1, seen=None, comment="", now=later(4))
    assert move_list(board, PEOPLE).splitlines()[3:] == [
        "      alice: draw?  bob: no",
        "      2 days added by the operator",
    ]


def test_a_match_lost_by_time_says_so() -> None:
    board = forfeit(after("b2"), 1, now=later(700))
    assert move_list(board, PEOPLE).splitlines()[-1] == "      alice won on time"
