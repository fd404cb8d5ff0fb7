"""Each person has a share of the day in which robots think about their boards."""

from datetime import timedelta

from tests.house import HouseUnderTest, text_of
from tests.thinking.helpers import begin_match, match_of, think_at_once, waiting

DAY = timedelta(days=1)


def tallied(house: HouseUnderTest, userid: str, milliseconds: int = 0) -> int:
    """Count so many more as thought for that person today, and return how many there are."""
    with house.house.open_unit() as work:
        person = work.players.by_userid(userid)
        assert person
        today = house.clock().replace(hour=0, minute=0, second=0, microsecond=0)
        count = work.tally(f"thinking:{person.id}", today, milliseconds)
        work.commit()
    return count


def use_up(house: HouseUnderTest, userid: str) -> None:
    tallied(house, userid, house.house.settings.robot_seconds * 1000)


def test_whose_share_is_used_up_is_told_once_and_the_robots_go_on_the_next_day(
    house: HouseUnderTest,
) -> None:
    numbers = [begin_match(house.house, "gonnect", "robot-1", "alice", size="7") for _ in "ab"]
    use_up(house, "alice")
    (mail,) = think_at_once(house)
    assert mail["To"] == "alice@example.org"
    text = " ".join(text_of(mail).split())
    assert "for 30 minutes today" in text
    assert "on Sat 21 Nov 2026 00:00 UTC" in text
    assert not any(match_of(house.house, number).plies for number in numbers)
    assert waiting(house.house) == 2
    house.clock.now = house.clock.now.replace(hour=0) + DAY
    think_at_once(house)
    assert all(match_of(house.house, number).plies for number in numbers)


def test_one_persons_share_takes_nothing_from_another(house: HouseUnderTest) -> None:
    begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    number = begin_match(house.house, "gonnect", "robot-1", "bob", size="7")
    use_up(house, "alice")
    think_at_once(house)
    assert match_of(house.house, number).plies


def test_who_has_many_boards_does_not_hold_up_who_has_one(house: HouseUnderTest) -> None:
    many = [begin_match(house.house, "gonnect", "robot-1", "alice", size="7") for _ in range(9)]
    one = begin_match(house.house, "gonnect", "robot-1", "bob", size="7")
    queue, order = house.house.robots.queue(), []
    for _ in range(3):
        taken = queue.take("test:1:think")
        assert taken
        order.append(taken[0].thought.number)
        queue.fault(taken[0], "it took a second and came to nothing", 1.0)
    assert order == [many[0], one, many[1]]


def test_what_is_thought_is_counted_for_the_person_at_the_board(house: HouseUnderTest) -> None:
    for _ in range(2):
        begin_match(house.house, "gonnect", "robot-1", "alice", size="7")
    think_at_once(house)
    assert tallied(house, "alice") == 1000
    assert tallied(house, "robot-1") == 0
