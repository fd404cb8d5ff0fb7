"""Queued moves and variations: checked when given, played when their turn has come."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.errors import NotNow, NotUnderstood
from pbm.domain.plans import (
    MOST_MOVES,
    MOST_QUEUED,
    QueuedMove,
    conditional,
    due_move,
    play_variation,
    remaining,
    still_possible,
    try_turn,
    unconditional,
    with_move,
    without,
    without_illegal,
)
from pbm.domain.play import LiveMatch, live
from pbm.engine import MoveError
from tests.domain.matches import ALICE, BOB, WON, after, match, turn
from tests.engine.noughts import game


def test_a_line_is_read_however_its_moves_are_separated() -> None:
    board = after("b2")
    for text in (
        "a1 c3 a3",
        "a1, c3; a3",
        "A1 then c3 THEN a3",
        " a1 and then c3,a3 ",
        "a1,then c3 a3",
    ):
        moves, reached = play_variation(board, text)
        assert moves == ("a1", "c3", "a3"), text
        assert reached.position == after("b2", "a1", "c3", "a3").position
    assert board == after("b2")


def test_a_line_may_hold_a_swap() -> None:
    moves, reached = play_variation(live(match(), game), "b2 swap a1")
    assert (moves, reached.match.players) == (("b2", "swap", "a1"), (BOB, ALICE))


def test_a_line_that_breaks_a_rule_or_goes_on_after_the_end_is_refused() -> None:
    with pytest.raises(MoveError):
        play_variation(after("b2"), "a1 b2")
    with pytest.raises(NotNow, match="Board 104 is over"):
        play_variation(live(match(), game), " ".join((*WON, "c3")))
    with pytest.raises(MoveError):
        play_variation(after(), "b2 " * MOST_MOVES)


def test_an_overlong_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbm.domain.plans.MOST_MOVES", 2)
    assert play_variation(after(), "b2 a1")[0] == ("b2", "a1")
    with pytest.raises(NotUnderstood, match="A variation can have 2 moves at most"):
        play_variation(after(), "b2 a1 c3")


def test_a_condition_is_kept_in_canonical_form_with_the_ply_that_it_starts_from() -> None:
    assert conditional(after("b2"), ALICE, " C3", "A1") == QueuedMove("c3", 1, ("a1",))
    assert conditional(after("b2"), BOB, "C3", "a1 A2") == QueuedMove("c3", 1, ("a1", "a2"))


def test_a_condition_must_lead_to_a_turn_of_the_player_where_the_move_is_legal() -> None:
    for text, line, refused in (
        ("c3", "a1 a2", NotNow),
        ("c3", "", NotUnderstood),
        ("c3", " ; ", NotUnderstood),
        ("a1", "a1", MoveError),
        ("c3", "b2", MoveError),
    ):
        with pytest.raises(refused):
            conditional(after("b2"), ALICE, text, line)
    with pytest.raises(NotNow, match="over"):
        conditional(after(*WON), ALICE, "c3", "a1")


def test_a_condition_on_the_pie_rule_is_checked_in_the_exchanged_seat() -> None:
    assert conditional(after("b2"), ALICE, "a1", "swap") == QueuedMove("a1", 1, ("swap",))


def test_the_next_move_must_be_legal_after_some_reply_and_those_behind_it_only_readable() -> None:
    board = after("b2")
    assert unconditional(board, ALICE, (), "C3") == QueuedMove("c3")
    with pytest.raises(MoveError):
        unconditional(board, ALICE, (), "b2")
    assert unconditional(board, ALICE, (QueuedMove("c3"),), "b2") == QueuedMove("b2")
    assert unconditional(board, ALICE, (QueuedMove("c3", 1, ("a1",)),), "c3").condition == ()
    with pytest.raises(MoveError):
        unconditional(board, ALICE, (QueuedMove("c3", 1, ("a1",)),), "b2")
    with pytest.raises(MoveError):
        unconditional(board, ALICE, (QueuedMove("c3"),), "")


def test_a_move_that_only_one_reply_makes_possible_can_be_queued() -> None:
    board = after("b2", "a1", "c3", "a3", "a2", "c2", "b1")
    assert [str(m) for m in game.legal_moves(board.position.state, 1)] == ["b3", "c1"]
    assert unconditional(board, ALICE, (), "c1") == QueuedMove("c1")


def test_where_every_reply_ends_the_match_nothing_can_be_queued() -> None:
    board = after("b2", "a1", "c3", "a3", "a2", "c2", "c1", "b1")
    (last,) = game.legal_moves(board.position.state, 0)
    assert board.to_move == (0,)
    with pytest.raises(NotNow, match="not get a turn"):
        unconditional(board, BOB, (), str(last))


def test_the_line_that_came_true_goes_before_the_moves_without_a_condition() -> None:
    board = after("b2")
    queue = (
        QueuedMove("c3"),
        QueuedMove("a3"),
        conditional(board, ALICE, "c1", "a1"),
        conditional(board, ALICE, "a2", "a1 c1 b1"),
    )
    reached = turn(board, "a1")
    chosen = due_move(reached.match, queue)
    assert chosen == queue[2]
    assert due_move(turn(board, "a2").match, queue) == QueuedMove("c3")
    later = play_variation(reached, "c1 b1")[1]
    kept = still_possible(later.match, without(queue, queue[2]))
    assert due_move(later.match, kept) == queue[3]
    assert remaining(reached.match, queue[3]) == ("c1", "b1")


def test_lines_that_cannot_come_true_are_forgotten() -> None:
    board = after("b2")
    queue = (conditional(board, ALICE, "c1", "a1"), conditional(board, ALICE, "c1", "a2"))
    assert still_possible(board.match, queue) == queue
    assert still_possible(turn(board, "a2").match, queue) == queue[1:]
    assert still_possible(play_variation(board, "a2 a3")[1].match, queue) == ()


def test_one_condition_has_one_move_and_the_last_word_counts() -> None:
    board = after("b2")
    first = conditional(board, ALICE, "c1", "a1 c3 a2")
    queue = with_move(board.match, (), first)
    reached = play_variation(board, "a1 c3")[1]
    again = conditional(reached, ALICE, "b1", "a2")
    assert with_move(reached.match, queue, again) == (again,)
    same = QueuedMove("c1")
    assert with_move(board.match, (same,), same) == (same, same)
    assert without((same, first, same), same) == (first, same)


def test_an_illegal_move_takes_along_what_builds_on_it() -> None:
    line = QueuedMove("c1", 1, ("a1",))
    queue = (QueuedMove("c3"), line, QueuedMove("a3"))
    assert without_illegal(queue, queue[0]) == (line,)
    assert without_illegal(queue, line) == (queue[0], queue[2])


def test_a_queue_has_a_bound() -> None:
    queue = tuple(QueuedMove("c3") for _ in range(MOST_QUEUED))
    with pytest.raises(NotNow, match=f"Your queue holds {MOST_QUEUED} moves"):
        with_move(after("b2").match, queue, QueuedMove("a1"))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_condition_is_played_exactly_when_its_line_was(data: st.DataObject) -> None:
    """The model asks if the variation is a prefix of what was played from its base on."""
    board = after("b2")
    line = _walk(board, data.draw(st.sampled_from([1, 3])), data)
    queued = QueuedMove("never looked at", 1, line)
    for _ in range(5):
        played = tuple(entry.text for entry in board.match.plies[1:])
        assert (due_move(board.match, (queued,)) is not None) == (played == line)
        possible = line[: len(played)] == played
        assert (still_possible(board.match, (queued,)) != ()) == possible
        if not board.to_move:
            break
        follow = possible and len(played) < len(line) and data.draw(st.booleans())
        board = try_turn(board, line[len(played)] if follow else _walk(board, 1, data)[0])


def _walk(board: LiveMatch, plies: int, data: st.DataObject) -> tuple[str, ...]:
    walked: list[str] = []
    for _ in range(plies):
        moves = list(map(str, game.legal_moves(board.position.state, board.to_move[0])))
        walked.append(data.draw(st.sampled_from(moves)))
        board = try_turn(board, walked[-1])
    return tuple(walked)
