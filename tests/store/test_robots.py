"""Robots: their brains, and the thoughts that wait for a process to think them."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Engine

from pbm.domain.match import Ending, Outcome
from pbm.domain.player import PlayerId, PlayerKind
from pbm.domain.robots import Brain, Thought, ThoughtKind
from pbm.service.ports import ThoughtCounts, tally_of
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import NOW, START, a_match, add_players

LATER = NOW + timedelta(minutes=1)


def set_up(unit: UnitOfWork) -> tuple[PlayerId, PlayerId]:
    """Store a person and a robot, and the boards 101 to 103 between them."""
    (alice,) = add_players(unit, "alice")
    robot = unit.players.add("robot-1", "", (), NOW, PlayerKind.ROBOT).id
    for number in (101, 102, 103):
        unit.matches.add(a_match(number, (alice, robot)), START, (1,))
    return alice, robot


def claimed(begin: Begin, owner: str) -> Thought | None:
    with begin() as unit:
        found = unit.thoughts.claim(owner, LATER, NOW)
        unit.commit()
    return found


def test_a_robot_is_a_player_of_its_kind_with_a_brain_and_no_address(begin: Begin) -> None:
    with begin() as unit:
        alice, robot = set_up(unit)
        unit.robots.save(robot, Brain(3))
        unit.robots.save(robot, Brain(2, "gonnect", ("/usr/bin/gnu go", "--mode"), "brain"))
        unit.commit()
    with begin() as unit:
        people = unit.players.by_ids([alice, robot])
        assert people[robot].is_robot
        assert people[robot].address is None
        assert not people[alice].is_robot
        brain = Brain(2, "gonnect", ("/usr/bin/gnu go", "--mode"), "brain")
        assert unit.robots.get(robot) == brain
        assert unit.robots.all() == {robot: brain}
        assert unit.robots.get(alice) is None


def test_boards_with_a_robot_are_counted_while_they_are_open(begin: Begin) -> None:
    with begin() as unit:
        alice, robot = set_up(unit)
        (bob,) = add_players(unit, "bob")
        unit.robots.save(robot, Brain(3))
        unit.matches.add(a_match(104, (alice, bob)), START, (1,))
        over = replace(a_match(105, (robot, alice)), outcome=Outcome(Ending.RESIGNED), ended_at=NOW)
        unit.matches.add(over, START, ())
        assert unit.robots.boards_with(alice) == 3
        assert unit.robots.boards_with(bob) == 0


def test_each_thought_is_claimed_by_one_process_the_longest_waiting_first(begin: Begin) -> None:
    with begin() as unit:
        alice, robot = set_up(unit)
        unit.thoughts.add(ThoughtKind.MOVE, 102, robot, NOW)
        unit.thoughts.add(ThoughtKind.HINT, 101, alice, NOW)
        unit.thoughts.add(ThoughtKind.MOVE, 103, robot, LATER + timedelta(seconds=1))
        unit.commit()
    found = [claimed(begin, owner) for owner in ("host:1:a", "host:2:b", "host:3:c")]
    assert [each and (each.kind, each.number, each.player, each.owner) for each in found] == [
        (ThoughtKind.MOVE, 102, robot, "host:1:a"),
        (ThoughtKind.HINT, 101, alice, "host:2:b"),
        None,
    ]
    with begin() as unit:
        assert unit.thoughts.owners() == ("host:1:a", "host:2:b")
        assert unit.thoughts.counts(LATER) == ThoughtCounts(0, 2, None)


def test_the_same_waits_once_and_is_asked_anew_if_it_was_asked_while_it_was_thought(
    begin: Begin,
) -> None:
    with begin() as unit:
        _, robot = set_up(unit)
        unit.thoughts.add(ThoughtKind.MOVE, 101, robot, NOW)
        unit.thoughts.add(ThoughtKind.MOVE, 101, robot, NOW)
        unit.commit()
    first = claimed(begin, "a")
    assert first
    with begin() as unit:
        unit.thoughts.add(ThoughtKind.MOVE, 101, robot, NOW)
        assert unit.thoughts.claim("b", LATER, NOW) is None
        assert unit.thoughts.done(first)
        unit.commit()
    again = claimed(begin, "b")
    assert again
    with begin() as unit:
        assert not unit.thoughts.done(first)
        assert unit.thoughts.done(again)
        assert unit.thoughts.counts(LATER) == ThoughtCounts(0, 0, None)


def test_what_is_released_or_put_off_waits_again(begin: Begin) -> None:
    with begin() as unit:
        _, robot = set_up(unit)
        unit.thoughts.add(ThoughtKind.MOVE, 101, robot, NOW)
        unit.thoughts.add(ThoughtKind.MOVE, 102, robot, NOW)
        unit.commit()
    first, second = claimed(begin, "dead"), claimed(begin, "alive")
    assert first
    assert second
    with begin() as unit:
        unit.thoughts.release("dead")
        assert unit.thoughts.put_off(second, LATER, tries=3)
        assert not unit.thoughts.put_off(first, LATER)
        assert unit.thoughts.counts(NOW) == ThoughtCounts(1, 0, NOW)
        assert unit.thoughts.counts(LATER) == ThoughtCounts(2, 0, NOW)
        unit.commit()
    again = [claimed(begin, "alive") for _ in range(2)]
    assert [each and (each.number, each.tries) for each in again] == [(101, 0), (102, 3)]


def test_those_come_first_for_whom_least_was_thought_on_that_day(begin: Begin) -> None:
    with begin() as unit:
        alice, robot = set_up(unit)
        (bob,) = add_players(unit, "bob")
        for number in (101, 102):
            unit.thoughts.add(ThoughtKind.MOVE, number, robot, NOW, alice)
        unit.thoughts.add(ThoughtKind.MOVE, 103, robot, LATER, bob)
        unit.tally(tally_of(alice), NOW, 1)
        unit.tally(tally_of(bob), NOW - timedelta(days=1), 1000)
        unit.commit()
    found = [claimed(begin, "a") for _ in range(3)]
    assert [each and each.number for each in found] == [103, 101, 102]


def test_a_thought_that_another_is_claiming_is_passed_over(begin: Begin, engine: Engine) -> None:
    if engine.dialect.name != "postgresql":
        return  # one writer at a time
    with begin() as unit:
        _, robot = set_up(unit)
        unit.thoughts.add(ThoughtKind.MOVE, 101, robot, NOW)
        unit.thoughts.add(ThoughtKind.MOVE, 102, robot, NOW)
        unit.commit()
    with UnitOfWork(engine) as one, UnitOfWork(engine) as other:
        found = one.thoughts.claim("a", LATER, NOW), other.thoughts.claim("b", LATER, NOW)
        assert [each and each.number for each in found] == [101, 102]
