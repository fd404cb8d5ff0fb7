"""A game for three, as somebody may write one in an afternoon, played by mail."""

from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.engine import AnyGame
from pbm.operator.administration import Administration
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


def test_a_match_of_three_that_the_operator_makes_is_told_as_unrated(
    house: HouseUnderTest,
) -> None:
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        admin.create_match(three, PEOPLE, {}, {"rated": "yes"})
        work.commit()
    house.deliver()
    assert "Three, unrated, board 101" in told(house.last_to("carol@example.org"))


def test_who_names_too_few_opponents_or_seeks_one_reads_how_to_name_all(
    house: HouseUnderTest,
) -> None:
    [answer] = write(house, "bob", "three challenge bob bob-pw alice")
    assert "Three is for 3 players; 2 are named." in told(answer)
    assert "Try: three challenge bob your-password carol dave" in told(answer)
    [answer] = write(house, "alice", "three seek alice alice-pw")
    assert "a seek finds one opponent. Name all of them in a challenge." in told(answer)
    assert "Try: three challenge alice your-password bob carol" in told(answer)


def test_nobody_is_offered_a_seek_or_a_robot_for_a_game_of_three(tmp_path: Path) -> None:
    house = house_of(tmp_path, for_two, three)
    house.house.robots.make()
    [listed] = write(house, "alice", "list three")
    assert "Nobody looks for an opponent now." in told(listed)
    assert "reply three seek" not in told(listed)
    assert "three robot" not in told(listed)
    assert "reply noughts robot" in told(write(house, "alice", "list")[0])


def begun(house: HouseUnderTest, *moves: str) -> None:
    """Start board 101 of alice, bob and carol, who play these moves in turn."""
    write(house, "alice", "three challenge alice alice-pw bob carol")
    for who in ("bob", "carol"):
        house.reply(house.last_to(f"{who}@example.org"), "accept")
    for turn, move in enumerate(moves):
        who = PEOPLE[turn % 3]
        write(house, who, f"move 101 {who} {who}-pw {move}")


def answer(house: HouseUnderTest, who: str, word: str) -> dict[str, str]:
    """Return what each of those who are written to reads after `who` has replied `word`."""
    mails = house.reply(house.last_to(f"{who}@example.org"), word)
    return {str(mail["To"]).partition("@")[0]: told(mail) for mail in mails}


def test_a_draw_among_three_is_agreed_only_when_all_have_said_yes(house: HouseUnderTest) -> None:
    begun(house, "a1", "a3", "c2")
    read = answer(house, "carol", "draw")
    assert "You have offered a draw. alice and bob have yet to answer." in read["carol"]
    asked = "carol offers a draw. You and bob have yet to answer. Reply accept or reject."
    assert asked in read["alice"]
    read = answer(house, "bob", "accept")
    assert "bob accepted the draw." in read["alice"]
    assert "carol offers a draw. bob has agreed; you have yet to answer. Reply" in read["alice"]
    assert "You have offered a draw. bob has agreed; alice has yet to answer." in read["carol"]
    assert "You have agreed; alice has yet to answer." in read["bob"]
    assert "Reply accept" not in read["bob"]
    assert set(read) == set(PEOPLE)
    read = answer(house, "bob", "accept")
    assert "You have agreed to that already; Cross has yet to answer." in read["bob"]
    read = answer(house, "alice", "accept")
    assert all("The match is a draw." in text for text in read.values())
    assert set(read) == set(PEOPLE)


def test_one_no_among_three_is_enough_also_of_one_who_had_agreed(house: HouseUnderTest) -> None:
    begun(house, "a1", "a3", "c2")
    answer(house, "carol", "draw")
    answer(house, "bob", "accept")
    read = answer(house, "bob", "reject")
    assert "bob declined the draw." in read["carol"]
    assert "offers a draw" not in read["alice"]
    assert "Nothing is offered to you" in answer(house, "alice", "accept 101")["alice"]


def test_an_undo_among_three_waits_for_all_and_ends_with_a_move_of_one_still_asked(
    house: HouseUnderTest,
) -> None:
    begun(house, "a1", "a3", "c2")
    answer(house, "carol", "undo")
    assert "to take back c2. bob has agreed; you have" in answer(house, "bob", "accept")["alice"]
    assert "alice agreed to take back c2." in answer(house, "alice", "accept")["carol"]
    answer(house, "carol", "c2")
    answer(house, "carol", "undo")
    answer(house, "bob", "accept")
    assert "to take back" not in answer(house, "alice", "b2")["bob"]
    assert "Nothing is offered" in answer(house, "bob", "accept 101")["bob"]


def test_a_robot_among_three_answers_an_offer_and_the_other_is_still_asked(
    house: HouseUnderTest,
) -> None:
    house.house.robots.make()
    begin = "three challenge alice alice-pw bob robot-1"
    write(house, "alice", begin)
    house.reply(house.last_to("bob@example.org"), "accept")
    answer(house, "alice", "a1")
    read = answer(house, "alice", "undo")
    assert "robot-1 has agreed; you have yet to answer." in read["bob"]
    assert "bob agreed to take back a1." in answer(house, "bob", "accept")["alice"]
