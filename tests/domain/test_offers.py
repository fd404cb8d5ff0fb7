"""Offers: what stands after any course of play, and what comes of the answers."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain import offers
from pbm.domain.errors import NotNow, StaleMove
from pbm.domain.match import Ending, EntryKind
from pbm.domain.offers import Offer, OfferKind, moves_of_undo, open_offer
from pbm.domain.play import LiveMatch, live, resign, undo
from pbm.engine import Seat
from tests.domain.matches import ALICE, BOB, NOW, WON, after, later, match, stored, turn
from tests.engine.noughts import game

DRAW, UNDO = OfferKind.DRAW, OfferKind.UNDO


def offered(table: LiveMatch, seat: Seat, kind: OfferKind = DRAW) -> LiveMatch:
    return offers.offer(table, seat, kind, comment="", now=later(60))


def accepted(table: LiveMatch, seat: Seat, seen: int | None = None) -> LiveMatch:
    return offers.accept(table, seat, seen=seen, comment="", now=later(70))


def rejected(table: LiveMatch, seat: Seat, seen: int | None = None) -> LiveMatch:
    return offers.reject(table, seat, seen=seen, comment="", now=later(70))


def test_an_offer_is_no_turn_and_shields_nobody_from_the_clock() -> None:
    before = after("b2")
    table = offered(before, 0)
    assert open_offer(table.match) == Offer(DRAW, 0, 2)
    assert (table.position, table.match.turn_since) == (before.position, before.match.turn_since)
    assert table.match.plies == before.match.plies


def test_a_move_of_the_opponent_withdraws_an_offer_and_the_own_move_does_not() -> None:
    assert open_offer(turn(offered(after("b2"), 0), "a1").match) is None
    own = turn(offered(after("b2"), 1), "a1")
    assert open_offer(own.match) == Offer(DRAW, 1, 2)


def test_an_offer_goes_along_with_its_player_when_the_pie_rule_changes_his_seat() -> None:
    table = turn(offered(after("b2"), 1), "swap")
    assert table.match.players == (BOB, ALICE)
    assert open_offer(table.match) == Offer(DRAW, 0, 2)
    assert open_offer(turn(offered(after("b2"), 0), "swap").match) is None


def test_an_agreed_draw_ends_the_match_without_winners() -> None:
    table = accepted(offered(after("b2"), 0), 1)
    assert table.match.outcome is not None
    assert (table.match.outcome.ending, table.match.outcome.winners) == (Ending.AGREED, ())
    assert (table.match.outcome.counts, table.match.ended_at) == (True, later(70))
    assert open_offer(table.match) is None


def test_a_rejected_offer_is_gone_and_can_be_made_again() -> None:
    table = rejected(offered(after("b2"), 0), 1)
    assert open_offer(table.match) is None
    assert open_offer(offered(table, 0).match) == Offer(DRAW, 0, 2)


@pytest.mark.parametrize(
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
    table = after(*texts)
    assert moves_of_undo(table.match, seat) == taken
    asking = table.match.players[seat]
    undone = accepted(offered(table, seat, UNDO), 1 - seat)
    assert [e.text for e in undone.match.plies] == list(texts[: len(texts) - len(taken)])
    assert undone.match.players == players
    assert [undone.match.players[s] for s in undone.to_move] == [asking]
    assert undone.match.turn_since == later(70)
    assert stored(undone).position == undone.position


def test_who_has_not_moved_has_nothing_to_take_back() -> None:
    for table, seat in ((live(match(), game), 0), (after("b2"), 1)):
        with pytest.raises(NotNow, match="You have no move on board 104 to take back"):
            offered(table, seat, UNDO)


def test_one_offer_stands_at_a_time() -> None:
    table = offered(after("b2", "a1"), 0)
    with pytest.raises(NotNow, match="You have offered that already"):
        offered(table, 0)
    with pytest.raises(NotNow, match="accept or reject that first"):
        offered(table, 1, UNDO)
    assert open_offer(offered(table, 0, UNDO).match) == Offer(UNDO, 0, 3)


@pytest.mark.parametrize("answer", [accepted, rejected])
def test_only_the_other_player_can_answer_and_only_what_stands(
    answer: Callable[..., LiveMatch],
) -> None:
    for table in (after("b2"), offered(after("b2"), 1), turn(offered(after("b2"), 0), "a1")):
        with pytest.raises(NotNow, match="Nothing is offered to you on board 104"):
            answer(table, 1)


@pytest.mark.parametrize("answer", [accepted, rejected])
def test_a_mail_older_than_the_offer_cannot_answer_it(answer: Callable[..., LiveMatch]) -> None:
    table = offered(after("b2", "a1"), 0)
    with pytest.raises(StaleMove, match="older than the offer"):
        answer(table, 1, 2)
    assert open_offer(answer(table, 1, 3).match) is None


def test_nothing_is_offered_or_answered_once_the_match_is_over() -> None:
    for table in (after(*WON), resign(offered(after("b2"), 0), 0, comment="", now=NOW)):
        assert open_offer(table.match) is None
        for step in (offered, accepted, rejected):
            with pytest.raises(NotNow, match="Board 104 is over"):
                step(table, 1)


def test_an_undo_of_the_operator_ends_an_offer() -> None:
    assert open_offer(undo(offered(after("b2"), 0), now=NOW).match) is None


STEPS = st.lists(st.sampled_from(["draw", "undo", "accept", "reject", "swap", "move"]), max_size=16)


@settings(max_examples=60, deadline=None)
@given(STEPS, st.data())
def test_the_match_goes_on_by_replay_whatever_is_offered(
    steps: list[str], data: st.DataObject
) -> None:
    """The model: who has offered, by person; any ply of the other or any answer clears it."""
    table, offerer = live(match(), game), None
    for step in steps:
        if table.match.over:
            break
        before, person = table, data.draw(st.sampled_from([ALICE, BOB]))
        seat = table.match.players.index(person)
        try:
            table = _step(table, seat, step, data)
        except NotNow:
            continue
        if step in ("draw", "undo"):
            offerer = person
        elif step in ("accept", "reject"):
            assert offerer not in (None, person)
            offerer = None
        elif table is not before and offerer != before.match.players[before.to_move[0]]:
            offerer = None
        standing = open_offer(table.match)
        assert (standing and table.match.players[standing.seat]) == (
            None if table.match.over else offerer
        )
        assert stored(table).position == table.position
        kinds = {entry.kind for entry in table.match.plies}
        assert kinds <= {EntryKind.MOVE, EntryKind.SWAP}


def _step(table: LiveMatch, seat: Seat, step: str, data: st.DataObject) -> LiveMatch:
    if step in ("draw", "undo"):
        return offered(table, seat, OfferKind(step))
    if step == "accept":
        return accepted(table, seat)
    if step == "reject":
        return rejected(table, seat)
    if step == "swap":
        return turn(table, "swap") if table.may_swap else table
    moves = list(game.legal_moves(table.position.state, table.to_move[0]))
    return turn(table, data.draw(st.sampled_from(moves)))
