"""Robots as accounts: made once, nobody's to use, and rated from where play among them began."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.bootstrap import House, prepare_database
from pbm.config import Settings
from pbm.domain.player import PlayerKind
from pbm.domain.robots import Brain, Strength, read_calibration, starting_rating
from pbm.operator.administration import Administration
from pbm.operator.robot_accounts import add_robot, give_ratings
from pbm.service.context import hour_of
from pbm.service.limits import RECEIVED_AN_HOUR
from tests.databases import new_database
from tests.house import (
    ADDRESS,
    QUICK_PASSWORDS,
    Clock,
    HouseUnderTest,
    SeededChance,
    text_of,
)

CALIBRATED = read_calibration({"gonnect": {"1": [1111, 90], "2": [1333, 95]}})


@dataclass
class Counting:
    """Passwords that count how many were compared, and with what."""

    compared: list[str] = field(default_factory=list)

    def hash(self, password: str) -> str:
        return QUICK_PASSWORDS.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        self.compared.append(password_hash)
        return QUICK_PASSWORDS.verify(password_hash, password)

    def well_known(self, password: str) -> bool:
        return QUICK_PASSWORDS.well_known(password)


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    return house


def administration(house: HouseUnderTest, work: object) -> Administration:
    return Administration(house.house.services, work, house.clock())  # type: ignore[arg-type]


def add(house: HouseUnderTest, userid: str, brain: Brain, password: str = "nobody-knows") -> None:
    with house.house.open_unit() as work:
        operator = administration(house, work)
        add_robot(operator, userid, brain, QUICK_PASSWORDS.hash(password))
        give_ratings(operator, CALIBRATED)
        work.commit()


def userids(house: HouseUnderTest) -> list[str]:
    with house.house.open_reading() as work:
        return [player.userid for player in work.players.listing()]


def ratings(house: HouseUnderTest, userid: str) -> dict[str, tuple[float, float]]:
    with house.house.open_reading() as work:
        player = work.players.by_userid(userid)
        assert player
        known = work.ratings.all_of(player.id)
        return {game: (own.rating, own.deviation) for game, own in known.items()}


def decide(house: HouseUnderTest, number: int, winner: int) -> None:
    with house.house.open_unit() as work:
        administration(house, work).adjudicate(number, (winner,))
        work.commit()
    house.deliver()


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_processes_that_start_at_once_make_each_robot_once(kind: str, tmp_path: Path) -> None:
    with new_database(kind, tmp_path) as url:
        prepare_database(url)
        settings = Settings(ADDRESS, url, "null:", tmp_path / "key")
        houses = [House(settings, Clock(), SeededChance(), QUICK_PASSWORDS) for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            made = sum(pool.map(lambda house: house.robots.make(), houses), ())
        assert sorted(made) == [f"robot-{level}" for level in range(1, 6)]
        assert houses[0].robots.make() == ()
        with houses[0].open_reading() as work:
            assert [robot.userid for robot in work.players.listing()] == sorted(made)
        for each in houses:
            each.close()


def test_an_operator_who_wants_no_robots_has_none(house: HouseUnderTest) -> None:
    settings = replace(house.house.settings, robots=False)
    with closing(House(settings, house.clock, house.chance, QUICK_PASSWORDS)) as without:
        assert without.robots.make() == ()
    assert userids(house) == ["alice", "bob"]


def test_a_person_who_had_the_name_of_a_robot_keeps_it(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        work.players.add("Robot-2", "", ("r@example.org",), house.clock())
        work.commit()
    assert house.house.robots.make() == ("robot-1", "robot-3", "robot-4", "robot-5")
    mails = house.mail("alice@example.org", "gonnect challenge alice alice-pw robot-2")
    assert [mail["To"] for mail in mails] == ["alice@example.org", "r@example.org"]


def test_a_password_for_a_robot_is_compared_as_any_other_and_never_right(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    passwords = Counting()
    house.house = replace(house.house, passwords=passwords)
    house.add("alice", "bob")
    add(house, "robot-1", Brain(1), password="the-right-one")
    said = []
    for line in ("list", "games robot-1 the-right-one"):
        house.mail("alice@example.org", line)
    for userid, password in (("bob", "wrong"), ("robot-1", "wrong"), ("robot-1", "the-right-one")):
        (mail,) = house.mail("alice@example.org", f"gonnect seek {userid} {password}")
        said.append(text_of(mail).replace(userid, "X"))
    assert said == [said[0]] * 3
    assert "The password does not match that userid." in said[0]
    assert len(passwords.compared) == 3
    assert all(each.startswith("$argon2id$") for each in passwords.compared)


def test_a_robot_begins_with_the_rating_of_its_level_or_with_what_is_believed_of_it(
    house: HouseUnderTest,
) -> None:
    add(house, "robot-1", Brain(1))
    add(house, "gonny", Brain(2, "gonnect"))
    assert ratings(house, "gonny") == {"gonnect": (1333, 95)}
    assert ratings(house, "robot-1") | {"gonnect": (1111, 90)} == ratings(house, "robot-1")
    assert ratings(house, "robot-1")["morris"] == (1200, 200)
    assert starting_rating(CALIBRATED, "gonnect", 5).rating == 1800


def test_a_game_that_comes_later_gets_its_ratings_and_those_that_are_there_stay(
    house: HouseUnderTest,
) -> None:
    add(house, "robot-1", Brain(1))
    with house.house.open_unit() as work:
        work.robots.save(work.players.by_userid("robot-1").id, Brain(1))  # type: ignore[union-attr]
        give_ratings(administration(house, work), {"gonnect": {1: Strength(900, 50)}})
        work.commit()
    assert ratings(house, "robot-1")["gonnect"] == (1111, 90)


def test_a_rated_match_counts_from_there(house: HouseUnderTest) -> None:
    add(house, "robot-1", Brain(1))
    (mail,) = house.mail("alice@example.org", "gonnect challenge alice alice-pw robot --rated")
    house.reply(mail, "C3")
    (mail,) = house.reply(mail, "resign")
    assert "robot-1 1111 ->" in text_of(mail)
    assert ratings(house, "robot-1")["gonnect"][0] > 1111
    house.clock.now += timedelta(days=1)
    rate(house, {1: Strength(1250, 85)})
    (mail,) = house.mail("bob@example.org", "gonnect standings")
    assert "robot-1 (robot)          1250 +- 85         1    0     0  1" in text_of(mail)


def rate(house: HouseUnderTest, strengths: dict[int, Strength]) -> None:
    """Store these ratings of the robots in Gonnect, by level."""
    with house.house.open_unit() as work:
        for player, brain in work.robots.all().items():
            before = work.ratings.of("gonnect", [player]).get(player)
            start = starting_rating({"gonnect": strengths}, "gonnect", brain.level)
            after = replace(
                before or start, rating=start.rating, deviation=start.deviation,
                volatility=start.volatility, updated_at=house.clock.now,
            )  # fmt: skip
            work.ratings.save("gonnect", player, before, after)
        work.commit()


def test_the_word_robot_takes_the_nearest_rating_or_the_next_one_after_a_win(
    house: HouseUnderTest,
) -> None:
    house.house.robots.make()
    rate(house, {level: Strength(1050.0 + 150 * level, 200.0) for level in range(1, 6)})
    challenge = "gonnect challenge alice alice-pw robot -size=5"
    (first,) = house.mail("alice@example.org", challenge)
    assert "robot-1 is Ohs" in text_of(first)
    decide(house, 101, winner=0)
    (second,) = house.mail("alice@example.org", challenge)
    assert "robot-2 is Ohs" in text_of(second)
    decide(house, 102, winner=1)
    (third,) = house.mail("alice@example.org", f"{challenge} --rated")
    assert "robot-2 is Ohs" in text_of(third)
    decide(house, 103, winner=0)
    rating = ratings(house, "alice")["gonnect"][0]
    assert 1575 < rating < 1725
    (fourth,) = house.mail("alice@example.org", challenge)
    assert "robot-4 is Ohs" in text_of(fourth)


def test_a_robot_of_one_game_and_a_program_say_what_they_play(house: HouseUnderTest) -> None:
    add(house, "oliver", Brain(2, "olix", ("./oliver",)))
    (mail,) = house.mail("alice@example.org", "gonnect challenge alice alice-pw oliver")
    assert "oliver does not play Gonnect. No robot plays Gonnect." in text_of(mail)
    (mail,) = house.mail("alice@example.org", "robot gonnect alice alice-pw")
    assert "No robot plays Gonnect here at present." in text_of(mail)
    (mail,) = house.mail("alice@example.org", "olix challenge alice alice-pw oliver --rated")
    assert "oliver is a program of others, and plays unrated matches only." in text_of(mail)
    (mail,) = house.mail("alice@example.org", "robot alice alice-pw")
    assert "oliver is White" in text_of(mail), "the first game that a robot plays"


def test_a_disabled_robot_is_not_offered_and_says_who_plays(house: HouseUnderTest) -> None:
    add(house, "robot-1", Brain(1))
    add(house, "robot-2", Brain(2))
    with house.house.open_unit() as work:
        robot = work.players.by_userid("robot-1")
        assert robot
        assert robot.kind is PlayerKind.ROBOT
        administration(house, work).set_state("robot-1", type(robot.state)("disabled"))
        work.commit()
    (mail,) = house.mail("alice@example.org", "gonnect challenge alice alice-pw robot-1")
    assert "robot-1 does not play at present. robot-2 plays Gonnect" in text_of(mail)
    (mail,) = house.mail("alice@example.org", "robot gonnect alice alice-pw")
    assert "robot-2 is Ohs" in text_of(mail)


def test_a_robot_is_invited_by_any_number_of_people(house: HouseUnderTest) -> None:
    house.house.robots.make()
    with house.house.open_unit() as work:
        robot = work.players.by_userid("robot-1")
        assert robot
        work.add_to_tally(f"invitation>{robot.id}", hour_of(house.clock()), RECEIVED_AN_HOUR)
        work.commit()
    (mail,) = house.mail("alice@example.org", "robot gonnect 1 alice alice-pw")
    assert "Your move" in text_of(mail)


def test_one_mail_begins_no_more_matches_than_one_can_have(house: HouseUnderTest) -> None:
    house.house.robots.make()
    lines = [f"robot gonnect {1 + n % 5} alice alice-pw --forfeittime={n + 2}" for n in range(50)]
    mails = house.mail("alice@example.org", lines[0], "\n".join(lines[1:]))
    house.mail("alice@example.org", "", "\n".join(lines))
    house.mail("alice@example.org", "", "\n".join(lines[20:]))
    with house.house.open_reading() as work:
        assert work.matches.count(over=False) == 10
        robot = work.players.by_userid("alice")
        assert robot
        assert work.robots.boards_with(robot.id) == 10
    assert {mail["To"] for mail in mails} == {"alice@example.org"}
