"""Robots play as people do: the same log, mails and queues, and what is out of date is dropped."""

from datetime import timedelta
from email.message import EmailMessage
from typing import Any

from pbm.dispatch.thoughts import Claimed
from pbm.domain.match import Ending
from pbm.domain.player import PlayerState
from pbm.operator.administration import Administration
from pbm.robots.tasks import MoveFound, Task
from tests.house import HouseUnderTest, text_of
from tests.thinking.helpers import begin_match, log_of, match_of, run, think_at_once, waiting

ALICE = "alice@example.org"


def written(house: HouseUnderTest, verb: str, number: int, move: str = "") -> list[EmailMessage]:
    """Return the mails that a line of Alice leads to."""
    return house.mail(ALICE, f"{verb} {number} alice alice-pw {move}")


def taken(house: HouseUnderTest) -> tuple[Claimed, Task]:
    """Return a thought that somebody thinks about now."""
    found = house.house.robots.queue().take("test:1:think")
    assert found
    return found


def test_a_robot_that_is_to_move_plays_and_its_opponent_is_told(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    (mail,) = think_at_once(house)
    assert mail["To"] == ALICE
    (played,) = log_of(house.house, number)
    assert f"robot-1 played {played}" in text_of(mail)
    assert not waiting(house.house)


def test_a_move_that_was_queued_for_the_robots_is_played_and_the_robot_asked_again(
    house: HouseUnderTest,
) -> None:
    number = begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    claimed, task = taken(house)
    found = run(house.house, task)
    queued = "g7" if found.text != "G7" else "a1"
    written(house, "queue", number, queued)
    assert house.house.robots.queue().carry_out(claimed, found, 0.1)
    assert log_of(house.house, number) == [found.text, queued.upper()]
    think_at_once(house)
    assert len(log_of(house.house, number)) == 3


def test_the_same_thought_has_the_same_result_whoever_thinks_it(house: HouseUnderTest) -> None:
    begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    claimed, task = taken(house)
    house.house.robots.queue().give_back(claimed)
    assert run(house.house, task) == run(house.house, taken(house)[1])


def test_what_was_thought_of_a_move_that_is_taken_back_is_not_played(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "alice", "robot-1", size="7")
    written(house, "move", number, "d4")
    claimed, task = taken(house)
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock()).undo(number)
        work.commit()
    assert not house.house.robots.queue().carry_out(claimed, run(house.house, task), 0.1)
    think_at_once(house)
    assert match_of(house.house, number).plies == ()
    assert not waiting(house.house)


def test_what_was_thought_of_another_move_in_its_place_is_thought_anew(
    house: HouseUnderTest,
) -> None:
    number = begin_match(house.house, "gonnect", "alice", "robot-1", size="7")
    written(house, "move", number, "d4")
    claimed, task = taken(house)
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock()).undo(number)
        work.commit()
    written(house, "move", number, "a1")
    house.house.robots.queue().carry_out(claimed, run(house.house, task), 0.1)
    assert log_of(house.house, number)[0] == "D4"
    think_at_once(house)
    assert len(match_of(house.house, number).plies) == 2
    assert not waiting(house.house)


def test_nothing_is_played_in_a_match_that_was_resigned_meanwhile(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "alice", "robot-1", size="7")
    written(house, "move", number, "d4")
    claimed, task = taken(house)
    written(house, "resign", number)
    assert not house.house.robots.queue().carry_out(claimed, run(house.house, task), 0.1)
    assert not think_at_once(house)
    assert len(match_of(house.house, number).plies) == 1
    assert not waiting(house.house)


def test_what_somebody_else_has_taken_over_is_not_carried_out(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    claimed, task = taken(house)
    with house.house.open_unit() as work:
        work.thoughts.release("test:1:think")
        work.commit()
    other = house.house.robots.queue().take("test:2:think")
    assert other
    found = run(house.house, task)
    assert not house.house.robots.queue().carry_out(claimed, found, 0.1)
    assert house.house.robots.queue().carry_out(other[0], found, 0.1)
    assert len(log_of(house.house, number)) == 1


def test_a_draw_is_answered_before_the_move_is_played(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "alice", "robot-1", size="7")
    written(house, "move", number, "d4")
    thinking = taken(house)
    written(house, "draw", number)
    assert not house.house.robots.queue().carry_out(thinking[0], run(house.house, thinking[1]), 0.1)
    mails = think_at_once(house)
    match = match_of(house.house, number)
    if match.over:
        assert match.outcome
        assert match.outcome.ending is Ending.AGREED
    else:
        assert log_of(house.house, number)[1:3] == ["draw", "draw"]
        assert len(match.plies) == 2
    assert mails
    assert not waiting(house.house)


def played(house: HouseUnderTest, number: int, found: Any) -> bool:
    """Carry out what is said to be found for a board; return whether the match is over then."""
    claimed, _ = taken(house)
    assert house.house.robots.queue().carry_out(claimed, found, 0.1)
    return match_of(house.house, number).over


def test_a_robot_gives_up_a_lost_match_but_declines_none(house: HouseUnderTest) -> None:
    number = begin_match(house.house, "gonnect", "robot-3", "alice", size="7")
    assert not played(house, number, MoveFound("d4", 1, resigns=True))
    written(house, "move", number, "a1")
    assert played(house, number, MoveFound("a2", 3, resigns=True))
    outcome = match_of(house.house, number).outcome
    assert outcome
    assert outcome.ending is Ending.RESIGNED


def test_a_bug_holds_up_no_other_board_and_is_tried_again_later_each_time(
    house: HouseUnderTest,
) -> None:
    bad, good = (
        begin_match(house.house, "gonnect", "robot-1", "alice", size="7") for _ in range(2)
    )
    queue, waited = house.house.robots.queue(), []
    claimed, _ = taken(house)
    assert not queue.carry_out(claimed, MoveFound("no move", 1), 0.1)
    think_at_once(house)
    assert (len(log_of(house.house, bad)), len(log_of(house.house, good))) == (0, 1)
    for _ in range(4):
        began = house.clock()
        while not queue.anything_due():
            house.clock.now += timedelta(seconds=10)
        waited.append((house.clock() - began).total_seconds())
        queue.carry_out(taken(house)[0], MoveFound("no move", 1), 0.1)
    assert waited == [10, 60, 600, 3600]
    house.clock.now += timedelta(hours=1)
    think_at_once(house)
    assert len(log_of(house.house, bad)) == 1


def test_a_robot_that_is_disabled_thinks_no_more_until_it_is_enabled(house: HouseUnderTest) -> None:
    begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    set_state(house, PlayerState.DISABLED)
    assert not think_at_once(house)
    assert waiting(house.house) == 1
    set_state(house, PlayerState.ACTIVE)
    house.clock.now += timedelta(hours=1)
    assert think_at_once(house)


def set_state(house: HouseUnderTest, state: PlayerState) -> None:
    """Let the operator disable or enable the robot."""
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock()).set_state("robot-1", state)
        work.commit()
