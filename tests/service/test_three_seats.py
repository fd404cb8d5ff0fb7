"""A game for three, as somebody may write one in an afternoon, played by mail."""

from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.engine import AnyGame
from tests.engine.noughts import game as for_two
from tests.engine.noughts.three import game as three
from tests.house import HouseUnderTest, text_of

PEOPLE = ("alice", "bob", "carol")


def house_of(folder: Path, *games: AnyGame) -> HouseUnderTest:
    house = HouseUnderTest(folder)
    house.add(*PEOPLE)
    catalogue = Catalogue([InstalledGame(each, "") for each in games])
    house.house = replace(house.house, find_games=lambda: catalogue)
    return house


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    return house_of(tmp_path, three)


def told(mail: EmailMessage) -> str:
    return " ".join(text_of(mail).split())


def write(house: HouseUnderTest, who: str, line: str) -> list[EmailMessage]:
    return house.mail(f"{who}@example.org", line)


def test_three_people_play_a_match_that_is_not_rated(house: HouseUnderTest) -> None:
    [asked, *_] = write(house, "alice", "three challenge alice alice-pw bob carol")
    assert "Three, unrated;" in told(asked)
    for who in ("bob", "carol"):
        house.reply(house.last_to(f"{who}@example.org"), "accept")
    for turn, move in enumerate(("a1", "a3", "c2", "b1", "b3", "c3", "c1")):
        who = PEOPLE[turn % 3]
        mails = write(house, who, f"move 101 {who} {who}-pw {move}")
    assert {str(mail["To"]) for mail in mails} == {f"{who}@example.org" for who in PEOPLE}
    assert "You lost; alice won: three in a row." in told(house.last_to("carol@example.org"))


def test_who_names_too_few_opponents_or_seeks_one_reads_how_to_name_all(
    house: HouseUnderTest,
) -> None:
    [answer] = write(house, "bob", "three challenge bob bob-pw alice")
    assert "Three is for 3 players; 2 are named." in told(answer)
    assert "A line that works: three challenge bob your-password carol dave" in told(answer)
    [answer] = write(house, "alice", "three seek alice alice-pw")
    assert "a seek finds one opponent. Name all of them in a challenge." in told(answer)
    assert "A line that works: three challenge alice your-password bob carol" in told(answer)


def test_nobody_is_offered_a_seek_or_a_robot_for_a_game_of_three(tmp_path: Path) -> None:
    house = house_of(tmp_path, for_two, three)
    house.house.robots.make()
    [listed] = write(house, "alice", "list three")
    assert "Nobody looks for an opponent now." in told(listed)
    assert "reply three seek" not in told(listed)
    assert "three robot" not in told(listed)
    assert "reply noughts robot" in told(write(house, "alice", "list")[0])
