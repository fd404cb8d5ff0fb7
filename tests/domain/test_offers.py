"""Offers: which one stands after any course of play, and what the answers do."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain import offers
from pbm.domain.errors import NotNow, StaleMove
from pbm.domain.logs import LAST_PLIES, Entry, EntryKind, Log
from pbm.domain.match import Ending
from pbm.domain.offers import Offer, OfferKind, moves_of_undo, open_offer
from pbm.domain.play import LiveMatch, live, resign, undo
from pbm.engine import Seat
from tests.domain.matches import ALICE, BOB, CAROL, NOW, WON, after, later, match, stored, turn
from tests.engine.noughts import game
from tests.tables import each

DRAW, UNDO = OfferKind.DRAW, OfferKind.UNDO


def offered(board: LiveMatch, seat: Seat, kind: OfferKind = DRAW) -> LiveMatch:
    return offers.offer(board, seat, kind, comment="", now=later(60))


def accepted(board: LiveMatch, seat: Seat, seen: int | None = None) -> LiveMatch:
    return offers.accept(board, seat, seen=seen, comment="", now=later(70))


def rejected(board: LiveMatch, seat: Seat, seen: int | None = None) -> LiveMatch:
    return offers.reject(board, seat, seen=seen, comment="", now=later(70))


def test_an_offer_is_no_turn_and_shields_nobody_from_the_clock() -> None:
    before = after("b2")
    board = offered(before, 0)
    assert open_offer(board.match) == Offer(DRAW, 0, 2)
    assert (board.position, board.match.turn_since) == (before.position, before.match.turn_since)
    assert board.match.plies == before.match.plies


def test_the_opponents_move_withdraws_an_offer_and_ones_own_does_not() -> None:
    assert open_offer(turn(offered(after("b2"), 0), "a1").match) is None
    own = turn(offered(after("b2"), 1), "a1")
    assert open_offer(own.match) == Offer(DRAW, 1, 2)


def test_an_offer_follows_its_player_when_the_pie_rule_changes_seats() -> None:
    board = turn(offered(after("b2"), 1), "swap")
    assert board.match.players == (BOB, ALICE)
    assert open_offer(board.match) == Offer(DRAW, 0, 2)
    assert open_offer(turn(offered(after("b2"), 0), "swap").match) is None


def test_an_agreed_draw_ends_the_match_without_winners() -> None:
    board = accepted(offered(after("b2"), 0), 1)
    assert board.match.outcome is not None
    assert (board.match.outcome.ending, board.match.outcome.winners) == (Ending.AGREED, ())
    assert (board.match.outcome.counts, board.match.ended_at) == (True, later(70))
    assert open_offer(board.match) is None


def test_a_rejected_offer_is_gone_and_can_be_made_again() -> None:
    board = rejected(offered(after("b2"), 0), 1)
    assert open_offer(board.match) is None
    assert open_offer(offered(board, 0).match) == Offer(DRAW, 0, 2)


@each(
    ("texts", "seat", "taken", "players"),
    [
        (("b2",), 0, ("b2",), (ALICE, BOB)),
        (("b2", "a1"), 0, ("b2", "a1"), (ALICE, BOB)),
        (("b2", "a1"), 1, ("a1",), (ALICE, BOB)),
        (("b2", "swap"), 0, ("swap",), (ALICE, BOB)),
        (("b2", "swap"), 1, ("b2", "swap"), (ALICE, BOB)),
        (("b2", "swap", "a1"), 0, ("swap", "a1"), (ALICE, BOB)),
        (("b2", "swap", "a1"), 1, ("a1",), (BOB, ALICE)),
    ],
)
def test_an_undo_takes_back_the_offerers_last_ply_and_what_came_after(
    texts: tuple[str, ...], seat: Seat, taken: tuple[str, ...], players: tuple[int, ...]
) -> None:
    board = after(*texts)
    assert moves_of_undo(board.match, seat) == taken
    asking = board.match.players[seat]
    undone = accepted(offered(board, seat, UNDO), 1 - seat)
    assert [e.text for e in undone.match.plies] == list(texts[: len(texts) - len(taken)])
    assert undone.match.players == players
    assert [undone.match.players[s] for s in undone.to_move] == [asking]
    assert undone.match.turn_since == later(70)
    assert stored(undone).position == undone.position


def test_a_player_who_has_not_moved_has_nothing_to_take_back() -> None:
    for board, seat in ((live(match(), game), 0), (after("b2"), 1)):
        with pytest.raises(NotNow, match="You have no move on board 104 to take back"):
            offered(board, seat, UNDO)


def test_one_offer_stands_at_a_time() -> None:
    board = offered(after("b2", "a1"), 0)
    with pytest.raises(NotNow, match="You have offered that already"):
        offered(board, 0)
    with pytest.raises(NotNow, match="accept or reject that first"):
        offered(board, 1, UNDO)
    assert open_offer(offered(board, 0, UNDO).match) == Offer(UNDO, 0, 3)


@each("answer", [accepted, rejected])
def test_only_the_other_player_can_answer_and_only_what_stands(
    answer: Callable[..., LiveMatch],
) -> None:
    for board in (after("b2"), offered(after("b2"), 1), turn(offered(after("b2"), 0), "a1")):
        with pytest.raises(NotNow, match="Nothing is offered to you on board 104"):
            answer(board, 1)


@each("answer", [accepted, rejected])
def test_a_mail_older_than_the_offer_cannot_answer_it(answer: Callable[..., LiveMatch]) -> None:
    board = offered(after("b2", "a1"), 0)
    with pytest.raises(StaleMove, match="older than the offer"):
        answer(board, 1, 2)
    assert open_offer(answer(board, 1, 3).match) is None


def test_nothing_is_offered_or_answered_once_the_match_is_over() -> None:
    for board in (after(*WON), resign(offered(after("b2"), 0), 0, comment="", now=NOW)):
        assert open_offer(board.match) is None
        for step in (offered, accepted, rejected):
            with pytest.raises(NotNow, match="Board 104 is over"):
                step(board, 1)


def test_an_undo_of_the_operator_ends_an_offer() -> None:
    assert open_offer(undo(offered(after("b2"), 0), now=NOW).match) is None


STEPS = st.lists(st.sampled_from(["draw", "undo", "accept", "reject", "swap", "move"]), max_size=16)


@settings(max_examples=60, deadline=None)
@given(STEPS, st.data())
def test_the_match_goes_on_by_replay_whatever_is_offered(
    steps: list[str], data: st.DataObject
) -> None:
    """The model is the person who has offered; a ply of the opponent or an answer clears it."""
    board, offerer = live(match(), game), None
    for step in steps:
        if board.match.over:
            break
        before, person = board, data.draw(st.sampled_from([ALICE, BOB]))
        seat = board.match.players.index(person)
        try:
            board = _step(board, seat, step, data)
        except NotNow:
            continue
        if step in ("draw", "undo"):
            offerer = person
        elif step in ("accept", "reject"):
            assert offerer not in (None, person)
            offerer = None
        elif board is not before and offerer != before.match.players[before.to_move[0]]:
            offerer = None
        standing = open_offer(board.match)
        assert (standing and board.match.players[standing.seat]) == (
            None if board.match.over else offerer
        )
        assert stored(board).position == board.position
        kinds = {entry.kind for entry in board.match.plies}
        assert kinds <= {EntryKind.MOVE, EntryKind.SWAP}


def _step(board: LiveMatch, seat: Seat, step: str, data: st.DataObject) -> LiveMatch:
    if step in ("draw", "undo"):
        return offered(board, seat, OfferKind(step))
    if step == "accept":
        return accepted(board, seat)
    if step == "reject":
        return rejected(board, seat)
    if step == "swap":
        return turn(board, "swap") if board.may_swap else board
    moves = list(game.legal_moves(board.position.state, board.to_move[0]))
    return turn(board, data.draw(st.sampled_from(moves)))


def test_an_offer_to_three_outlasts_the_moves_of_those_who_agree_and_the_swap_of_one() -> None:
    log = Log(
        [
            Entry(EntryKind.MOVE, 0, "a1", NOW),
            Entry(EntryKind.OFFER, 0, "draw", NOW),
            Entry(EntryKind.ACCEPT, 1, "draw", NOW),
            Entry(EntryKind.SWAP, 1, "swap", NOW),
            *(Entry(EntryKind.MOVE, n % 2, f"m{n}", NOW) for n in range(LAST_PLIES + 2)),
        ]
    )
    seats = (BOB, ALICE, CAROL)
    board = replace(match(), starters=(ALICE, BOB, CAROL), players=seats, log=log)
    assert open_offer(board) == Offer(DRAW, 1, 2, agreed=(0,))
    assert open_offer(replace(board, log=log.shortened())) == open_offer(board)
    gone = log.plus(Entry(EntryKind.MOVE, 2, "c3", NOW))
    assert open_offer(replace(board, log=gone)) is None
