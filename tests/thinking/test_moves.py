"""Robots play as people do, each person has a share of their day, and what is late is dropped.

Much here happens between the moment at which a thought is taken and the one at which it comes back,
which no conversation can name.
"""

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbm.domain.match import Ending
from pbm.robots.tasks import MoveFound, MoveTask
from tests.doors import Observer, ThoughtFate, ThoughtTold
from tests.house import HouseUnderTest, text_of
from tests.thinking.conftest import begin_match, carry_out, log_of, match_of, run, taken, waiting

ALICE = "alice@example.org"


class Fates(Observer):
    """Remembers what became of thoughts."""

    def __init__(self) -> None:
        self.seen: list[ThoughtFate] = []

    def thought(self, thought: ThoughtTold) -> None:
        self.seen.append(thought.fate)


@pytest.fixture
def fates(house: HouseUnderTest) -> list[ThoughtFate]:
    """Return a list that grows by what becomes of each thought."""
    observer = Fates()
    house.house = replace(house.house, observer=observer)
    return observer.seen


def begin(house: HouseUnderTest, *userids: str) -> int:
    return begin_match(house.house, "gonnect", *userids, size="7")


def written(house: HouseUnderTest, verb: str, number: int, move: str = "") -> list[EmailMessage]:
    """Return the mails that a line of Alice leads to."""
    return house.mail(ALICE, f"{verb} {number} alice alice-pw {move}")


def test_a_robot_that_is_to_move_plays_and_its_opponent_is_told(house: HouseUnderTest) -> None:
    number = begin(house, "robot-1", "alice")
    (mail,) = house.think()
    assert mail["To"] == ALICE
    (played,) = log_of(house.house, number)
    assert f"robot-1 played {played}" in text_of(mail)
    assert not waiting(house.house)


def test_a_move_that_was_queued_for_the_robots_is_played_and_the_robot_asked_again(
    house: HouseUnderTest,
) -> None:
    number = begin(house, "robot-1", "alice")
    claimed, task = taken(house)
    found = run(house.house, task)
    queued = "g7" if found.text != "G7" else "a1"
    written(house, "queue", number, queued)
    assert carry_out(house, (claimed, task), found)
    assert log_of(house.house, number) == [found.text, queued.upper()]
    house.think()
    assert len(log_of(house.house, number)) == 3


def test_the_same_thought_has_the_same_result_whoever_thinks_it(house: HouseUnderTest) -> None:
    begin(house, "robot-1", "alice")
    claimed, task = taken(house)
    house.house.robots.queue().give_back(claimed)
    assert run(house.house, task) == run(house.house, taken(house)[1])


def test_what_was_thought_of_a_move_that_is_taken_back_is_not_played(
    house: HouseUnderTest, fates: list[ThoughtFate]
) -> None:
    number = begin(house, "alice", "robot-1")
    written(house, "move", number, "d4")
    thought = taken(house)
    with house.administration() as operator:
        operator.undo(number)
    assert not carry_out(house, thought)
    house.think()
    assert match_of(house.house, number).plies == ()
    assert not waiting(house.house)
    assert fates == [ThoughtFate.OUT_OF_DATE]


def test_what_was_thought_of_another_move_in_its_place_is_thought_anew(
    house: HouseUnderTest,
) -> None:
    number = begin(house, "alice", "robot-1")
    written(house, "move", number, "d4")
    thought = taken(house)
    with house.administration() as operator:
        operator.undo(number)
    written(house, "move", number, "a1")
    carry_out(house, thought)
    assert log_of(house.house, number)[0] == "D4"
    house.think()
    assert len(match_of(house.house, number).plies) == 2
    assert not waiting(house.house)


def test_nothing_is_played_in_a_match_that_was_resigned_meanwhile(house: HouseUnderTest) -> None:
    number = begin(house, "alice", "robot-1")
    written(house, "move", number, "d4")
    thought = taken(house)
    written(house, "resign", number)
    assert not carry_out(house, thought)
    assert not house.think()
    assert len(match_of(house.house, number).plies) == 1
    assert not waiting(house.house)


def test_what_somebody_else_has_taken_over_is_not_carried_out(house: HouseUnderTest) -> None:
    number = begin(house, "robot-1", "alice")
    thought = taken(house)
    with house.house.open_unit() as work:
        work.thoughts.release("test:1:think")
        work.commit()
    other = house.house.robots.queue().take("test:2:think")
    assert other
    assert not carry_out(house, thought)
    assert carry_out(house, other)
    assert len(log_of(house.house, number)) == 1


def test_a_draw_is_answered_before_the_move_is_played(house: HouseUnderTest) -> None:
    number = begin(house, "alice", "robot-1")
    written(house, "move", number, "d4")
    thought = taken(house)
    written(house, "draw", number)
    assert not carry_out(house, thought)
    assert house.think()
    match = match_of(house.house, number)
    if match.over:
        assert match.outcome
        assert match.outcome.ending is Ending.AGREED
    else:
        assert log_of(house.house, number)[1:3] == ["draw", "draw"]
        assert len(match.plies) == 2
    assert not waiting(house.house)


def test_a_robot_gives_up_a_lost_match_but_declines_none(house: HouseUnderTest) -> None:
    number = begin(house, "robot-3", "alice")
    assert carry_out(house, taken(house), MoveFound("d4", 1, resigns=True))
    assert not match_of(house.house, number).over
    written(house, "move", number, "a1")
    assert carry_out(house, taken(house), MoveFound("a2", 3, resigns=True))
    outcome = match_of(house.house, number).outcome
    assert outcome
    assert outcome.ending is Ending.RESIGNED


def test_a_bug_holds_up_no_other_board_and_is_tried_again_later_each_time(
    house: HouseUnderTest, fates: list[ThoughtFate]
) -> None:
    bad, good = (begin(house, "robot-1", "alice") for _ in range(2))
    queue, waited, levels = house.house.robots.queue(), [], []
    assert not carry_out(house, taken(house), MoveFound("no move", 1))
    house.think()
    assert (len(log_of(house.house, bad)), len(log_of(house.house, good))) == (0, 1)
    for _ in range(4):
        began = house.clock()
        while not queue.anything_due():
            house.clock.now += timedelta(seconds=10)
        waited.append((house.clock() - began).total_seconds())
        thought = taken(house)
        assert isinstance(thought[1], MoveTask)
        levels.append(thought[1].level)
        carry_out(house, thought, MoveFound("no move", 1))
    assert waited == [10, 60, 600, 3600]
    assert levels == [1, 0, 0, 0], "any legal move, once it has failed twice"
    house.clock.now += timedelta(hours=1)
    house.think()
    assert len(log_of(house.house, bad)) == 1
    fault, done = ThoughtFate.FAULT, ThoughtFate.DONE
    assert fates == [fault, done, *[fault] * 4, done]


# ---- the share of each person


def tallied(house: HouseUnderTest, userid: str, milliseconds: int = 0) -> int:
    """Count so many more as thought for that person today, and return how many there are."""
    with house.house.open_unit() as work:
        person = work.players.by_userid(userid)
        assert person
        today = house.clock().replace(hour=0, minute=0, second=0, microsecond=0)
        count = work.tally(f"thinking:{person.id}", today, milliseconds)
        work.commit()
    return count


def test_whose_share_is_used_up_is_told_once_holds_up_nobody_and_goes_on_the_next_day(
    house: HouseUnderTest, fates: list[ThoughtFate]
) -> None:
    numbers = [begin(house, "robot-1", "alice") for _ in "ab"]
    bobs = begin(house, "robot-1", "bob")
    tallied(house, "alice", house.house.settings.robot_seconds * 1000)
    (mail,) = (mail for mail in house.think() if mail["To"] == ALICE)
    text = " ".join(text_of(mail).split())
    assert "robots have spent 30 minutes thinking about your boards today" in text
    assert "on Sat 21 Nov 2026 00:00 UTC" in text
    assert not any(match_of(house.house, number).plies for number in numbers)
    assert match_of(house.house, bobs).plies
    assert waiting(house.house) == 2
    house.clock.now = house.clock.now.replace(hour=0) + timedelta(days=1)
    house.think()
    assert all(match_of(house.house, number).plies for number in numbers)
    put_off, done = ThoughtFate.PUT_OFF, ThoughtFate.DONE
    assert fates == [done, put_off, put_off, done, done]


def test_who_has_many_boards_does_not_hold_up_who_has_one(house: HouseUnderTest) -> None:
    many = [begin(house, "robot-1", "alice") for _ in range(9)]
    one = begin(house, "robot-1", "bob")
    order = []
    for _ in range(3):
        claimed, _ = taken(house)
        order.append(claimed.thought.number)
        house.house.robots.queue().fault(claimed, "it took a second and came to nothing", 1.0)
    assert order == [many[0], one, many[1]]


def test_new_accounts_together_hold_up_a_regular_as_little_as_one_would(
    house: HouseUnderTest,
) -> None:
    house.clock.now += timedelta(days=8)
    fresh = [f"fresh{n}" for n in range(4)]
    house.add(*fresh)
    theirs = [begin(house, "robot-1", userid) for userid in fresh]
    regulars = [begin(house, "robot-1", "alice") for _ in range(3)]
    order = []
    for _ in range(6):
        claimed, _ = taken(house)
        order.append(claimed.thought.number)
        house.house.robots.queue().fault(claimed, "it took a second and came to nothing", 1.0)
    assert order == [
        theirs[0], regulars[0], theirs[1], regulars[1], theirs[2], regulars[2]
    ]  # fmt: skip


def test_what_is_thought_is_counted_for_the_person_at_the_board(house: HouseUnderTest) -> None:
    for _ in range(2):
        begin(house, "robot-1", "alice")
    house.think()
    assert tallied(house, "alice") == 1000
    assert tallied(house, "robot-1") == 0
