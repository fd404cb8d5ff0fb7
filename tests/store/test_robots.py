"""Thoughts of robots wait for a process to think them, and one thinks each."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pbm.domain.match import Ending, Outcome
from pbm.domain.player import PlayerId, PlayerKind
from pbm.domain.robots import Brain, Thought, ThoughtKind
from tests.doors import ThoughtCounts, UnitOfWork, tally_of
from tests.store.samples import MINUTE, NOW, START, a_match, add_players

LATER = NOW + MINUTE
MOVE = ThoughtKind.MOVE


@pytest.fixture
def players(unit: UnitOfWork) -> tuple[PlayerId, PlayerId]:
    """Store a person and a robot, and the boards 101 to 103 between them."""
    (alice,) = add_players(unit, "alice")
    robot = unit.players.add("robot-1", "", (), NOW, PlayerKind.ROBOT).id
    for number in (101, 102, 103):
        unit.matches.add(a_match(number, (alice, robot)), START, (1,))
    return alice, robot


def claimed(unit: UnitOfWork, owner: str = "a") -> Thought | None:
    return unit.thoughts.claim(owner, LATER, NOW)


def test_each_thought_is_claimed_by_one_process_the_longest_waiting_first(
    unit: UnitOfWork, players: tuple[PlayerId, PlayerId]
) -> None:
    alice, robot = players
    unit.thoughts.add(MOVE, 102, robot, NOW)
    unit.thoughts.add(ThoughtKind.HINT, 101, alice, NOW)
    unit.thoughts.add(MOVE, 103, robot, LATER + timedelta(seconds=1))
    found = [claimed(unit, owner) for owner in ("host:1:a", "host:2:b", "host:3:c")]
    assert [each and (each.kind, each.number, each.player, each.owner) for each in found] == [
        (MOVE, 102, robot, "host:1:a"), (ThoughtKind.HINT, 101, alice, "host:2:b"), None,
    ]  # fmt: skip
    assert unit.thoughts.owners() == ("host:1:a", "host:2:b")
    assert unit.thoughts.counts(LATER) == ThoughtCounts(0, 2, None)


def test_the_same_waits_once_and_is_asked_anew_if_it_was_asked_while_it_was_thought(
    unit: UnitOfWork, players: tuple[PlayerId, PlayerId]
) -> None:
    for _ in range(2):
        unit.thoughts.add(MOVE, 101, players[1], NOW)
    first = claimed(unit)
    assert first
    unit.thoughts.add(MOVE, 101, players[1], NOW)
    assert claimed(unit, "b") is None
    assert unit.thoughts.done(first)
    again = claimed(unit, "b")
    assert again
    assert not unit.thoughts.done(first)
    assert unit.thoughts.done(again)
    assert unit.thoughts.counts(LATER) == ThoughtCounts(0, 0, None)


def test_what_is_released_or_put_off_waits_again(
    unit: UnitOfWork, players: tuple[PlayerId, PlayerId]
) -> None:
    for number in (101, 102):
        unit.thoughts.add(MOVE, number, players[1], NOW)
    first, second = claimed(unit, "dead"), claimed(unit, "alive")
    assert first
    assert second
    unit.thoughts.release("dead")
    assert unit.thoughts.put_off(second, LATER, tries=3)
    assert not unit.thoughts.put_off(first, LATER)
    assert unit.thoughts.counts(NOW) == ThoughtCounts(1, 0, NOW)
    assert unit.thoughts.counts(LATER) == ThoughtCounts(2, 0, NOW)
    again = [claimed(unit) for _ in range(2)]
    assert [each and (each.number, each.tries) for each in again] == [(101, 0), (102, 3)]


def test_those_come_first_for_whom_least_was_thought_on_that_day(
    unit: UnitOfWork, players: tuple[PlayerId, PlayerId]
) -> None:
    alice, robot = players
    (bob,) = add_players(unit, "bob")
    for number in (101, 102):
        unit.thoughts.add(MOVE, number, robot, NOW, alice)
    unit.thoughts.add(MOVE, 103, robot, LATER, bob)
    unit.tally(tally_of(alice), NOW, 1)
    unit.tally(tally_of(bob), NOW - timedelta(days=1), 1000)
    found = [claimed(unit) for _ in range(3)]
    assert [each and each.number for each in found] == [103, 101, 102]


def test_boards_with_a_robot_are_counted_while_they_are_open(
    unit: UnitOfWork, players: tuple[PlayerId, PlayerId]
) -> None:
    """Mails that reach the limit play with robots alone, so they cannot tell these apart."""
    alice, robot = players
    (bob,) = add_players(unit, "bob")
    unit.robots.save(robot, Brain(3))
    unit.matches.add(a_match(104, (alice, bob)), START, (1,))
    over = replace(a_match(105, (robot, alice)), outcome=Outcome(Ending.RESIGNED), ended_at=NOW)
    unit.matches.add(over, START, ())
    assert (unit.robots.boards_with(alice), unit.robots.boards_with(bob)) == (3, 0)
