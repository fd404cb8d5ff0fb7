"""Robots as accounts: nobody's to use, and rated from where play among them began.

Playing with them is in conversations/robots.txt, and how they are made at once in test_races.py.
"""

from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.core.robot_accounts import add_robot, give_ratings
from pbm.domain.ratings import Rating
from pbm.domain.robots import Brain, read_calibration, starting_rating
from pbm.server.assembly import App
from tests.house import QUICK_PASSWORDS, HouseUnderTest, text_of

CALIBRATED = read_calibration({"gonnect": {"1": [1111, 90], "2": [1333, 95]}})


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    return house


def add(house: HouseUnderTest, userid: str, brain: Brain, password: str = "nobody-knows") -> None:
    with house.administration() as operator:
        add_robot(operator.context, userid, brain, QUICK_PASSWORDS.hash(password))
        give_ratings(operator.context, CALIBRATED)


def ratings(house: HouseUnderTest, userid: str) -> dict[str, tuple[float, float]]:
    with house.house.open_reading() as work:
        player = work.players.by_userid(userid)
        assert player
        known = work.ratings.all_of(player.id)
        return {game: (own.rating, own.deviation) for game, own in known.items()}


def test_an_operator_who_wants_no_robots_has_none_and_a_person_keeps_a_name(
    house: HouseUnderTest,
) -> None:
    settings = replace(house.house.settings, robots=False)
    with closing(App(settings, house.clock, house.chance, QUICK_PASSWORDS)) as without:
        assert without.robots.make() == ()
    with house.house.open_unit() as work:
        assert {player.userid for player in work.players.listing()} == {"alice", "bob"}
        work.players.add("Robot-2", "", ("r@example.org",), house.clock())
        work.commit()
    assert house.house.robots.make() == ("robot-1", "robot-3", "robot-4", "robot-5")
    mails = house.mail("alice@example.org", "gonnect challenge alice alice-pw robot-2")
    assert [mail["To"] for mail in mails] == ["alice@example.org", "r@example.org"]


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


def test_a_password_for_a_robot_is_compared_as_any_other_and_never_right(
    house: HouseUnderTest,
) -> None:
    """A cost: no clock shows which names are robots."""
    passwords = Counting()
    house.house = replace(house.house, passwords=passwords)
    add(house, "robot-1", Brain(1), password="the-right-one")
    said = []
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
    # A game that comes later gets its ratings, and those that are there stay.
    with house.administration() as operator:
        give_ratings(operator.context, {"gonnect": {1: Rating(900, 50)}})
    assert ratings(house, "robot-1")["gonnect"] == (1111, 90)


def test_a_rated_match_counts_from_there(house: HouseUnderTest) -> None:
    add(house, "robot-1", Brain(1))
    house.clock.now += timedelta(days=8)
    (_, mail) = house.mail("alice@example.org", "gonnect challenge alice alice-pw bob -size=5")
    house.reply(mail, "accept")
    for who, line in (("alice", "C3"), ("bob", "B2"), ("alice", "resign")):
        house.mail(f"{who}@example.org", f"gonnect move 101 {who} {who}-pw {line}")
    (mail,) = house.mail("alice@example.org", "gonnect challenge alice alice-pw robot --rated")
    house.reply(mail, "C3")
    (mail,) = house.reply(mail, "resign")
    assert "robot-1 1111 ->" in text_of(mail)
    rating, deviation = ratings(house, "robot-1")["gonnect"]
    assert rating > 1111
    house.clock.now += timedelta(days=1)
    (mail,) = house.mail("bob@example.org", "gonnect standings")
    figures = f"{rating:.0f} +- {deviation:.0f}"
    assert f"robot-1 (robot) {figures} 1 0 0 1" in " ".join(text_of(mail).split())
