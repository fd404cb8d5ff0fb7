"""Queued moves and variations: checked when given, played when their turn has come."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.plans import (
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
from pbm.domain.play import Board
from pbm.engine import MoveError
from tests.domain.matches import ALICE, BOB, after
from tests.engine.noughts import game
from tests.readings import answers, sections

TABLES = sections(Path(__file__).with_name("plans.txt"))

Queue = tuple[QueuedMove, ...]


def line(script: str, text: str) -> str:
    """Return the moves of a variation, which leaves the board as it was."""
    board = after(*script.split())
    moves, reached = play_variation(board, text)
    assert reached.position == after(*script.split(), *moves).position
    assert reached.match.players == after(*script.split(), *moves).match.players
    assert board == after(*script.split())
    return " ".join(moves)


def queue_of(board: Board, player: int, words: str) -> Queue:
    """Queue moves as a player gives them."""
    queue: Queue = ()
    for each in words.split("&"):
        text, condition, moves = each.rstrip().partition(" if")
        made = (
            conditional(board, player, text, moves)
            if condition
            else unconditional(board, player, queue, text.strip())
        )
        assert made.base == (len(board.match.plies) if condition else 0)
        queue = with_move(board.match, queue, made)
    return queue


def shown(queue: Queue) -> str:
    written = (f"{q.text} if {' '.join(q.condition)}" if q.condition else q.text for q in queue)
    return " & ".join(written) or "-"


def queued(script: str, who: str, words: str) -> str:
    player = {"alice": ALICE, "bob": BOB}[who]
    return shown(queue_of(after(*script.split()), player, words))


def due(words: str, goes_on: str) -> str:
    """Return what is due, and what is left, after moves that the queue may have played."""
    board = after("b2")
    queue = queue_of(board, ALICE, words)
    for text in goes_on.split():
        chosen = due_move(board.match, queue)
        if chosen and chosen.text == text:
            queue = without(queue, chosen)
        board = try_turn(board, text)
        queue = still_possible(board.match, queue)
    chosen = due_move(board.match, queue) if goes_on else None
    return f"{shown((chosen,)) if chosen else 'nothing'} of {shown(queue)}"


@pytest.mark.parametrize(("title", "reader"), [*zip(TABLES, (line, queued, due), strict=True)])
def test_a_plan_is_what_the_table_says(title: str, reader: Callable[..., str]) -> None:
    assert answers(TABLES[title], reader, Refusal, MoveError) == TABLES[title]


def test_an_overlong_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbm.domain.plans.MOST_MOVES", 2)
    assert play_variation(after(), "b2 a1")[0] == ("b2", "a1")
    with pytest.raises(NotUnderstood, match="A variation can have 2 moves at most"):
        play_variation(after(), "b2 a1 c3")


def test_a_queue_has_a_bound() -> None:
    queue = tuple(QueuedMove("c3") for _ in range(MOST_QUEUED))
    with pytest.raises(NotNow, match=f"Your queue holds {MOST_QUEUED} moves"):
        with_move(after("b2").match, queue, QueuedMove("a1"))


def test_what_a_line_says_later_replaces_what_was_said_earlier() -> None:
    board = after("b2")
    first = conditional(board, ALICE, "c1", "a1 c3 a2")
    queue = with_move(board.match, (), first)
    reached = play_variation(board, "a1 c3")[1]
    assert remaining(reached.match, first) == ("a2",)
    again = conditional(reached, ALICE, "b1", "a2")
    assert with_move(reached.match, queue, again) == (again,)


def test_equal_moves_are_removed_one_at_a_time() -> None:
    same, line = QueuedMove("c1"), QueuedMove("c1", 1, ("a1",))
    assert with_move(after("b2").match, (same,), same) == (same, same)
    assert without((same, line, same), same) == (line, same)


def test_an_illegal_move_takes_along_what_builds_on_it() -> None:
    line = QueuedMove("c1", 1, ("a1",))
    queue = (QueuedMove("c3"), line, QueuedMove("a3"))
    assert without_illegal(queue, queue[0]) == (line,)
    assert without_illegal(queue, line) == (queue[0], queue[2])


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


def _walk(board: Board, plies: int, data: st.DataObject) -> tuple[str, ...]:
    walked: list[str] = []
    for _ in range(plies):
        moves = list(map(str, game.legal_moves(board.position.state, board.to_move[0])))
        walked.append(data.draw(st.sampled_from(moves)))
        board = try_turn(board, walked[-1])
    return tuple(walked)
