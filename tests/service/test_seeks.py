"""Who is told of a seek and who can take it: never too many mails, never a match too many."""

from collections import Counter
from datetime import timedelta

import pytest

from pbm.domain.invitations import SEEKS_HEARD, SEEKS_TOLD
from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
FANS = 30
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    return house


def wanting(house: HouseUnderTest, *names: str) -> None:
    """Let these players be told of seeks of Gonnect."""
    with house.house.open_unit() as work:
        for name in names:
            player = work.players.by_userid(name)
            assert player
            work.players.set_setting(player.id, "seeks.gonnect", "yes")
        work.commit()


def told(house: HouseUnderTest, author: str, line: str) -> Counter[str]:
    """Return who but the author gets how many mails after this line."""
    mails = house.mail(f"{author}@example.org", f"{line.replace('ME', f'{author} {author}-pw')}")
    return Counter(str(mail["To"]) for mail in mails if mail["To"] != f"{author}@example.org")


def test_a_crowd_that_wants_to_know_is_told_each_once(house: HouseUnderTest) -> None:
    fans = [f"fan{n}" for n in range(FANS)]
    house.add(*fans)
    wanting(house, "alice", *fans)
    expected = Counter(f"{fan}@example.org" for fan in fans)
    assert told(house, "alice", "gonnect seek ME") == expected


def test_one_player_cannot_make_others_read_more_than_a_few_seeks_a_day(
    house: HouseUnderTest,
) -> None:
    wanting(house, "bob")
    sizes = (5, 7, 9, 11, 13, 15)
    mails = [told(house, "alice", f"gonnect seek ME -size={size}")[BOB] for size in sizes]
    assert mails == [1] * SEEKS_TOLD + [0] * (len(sizes) - SEEKS_TOLD)
    house.clock.now += DAY
    assert told(house, "alice", "gonnect seek ME -size=5")[BOB] == 1


def test_nobody_gets_more_than_a_few_mails_of_seeks_a_day(house: HouseUnderTest) -> None:
    names = [f"p{n}" for n in range(SEEKS_HEARD + 3)]
    house.add(*names)
    wanting(house, "bob")
    mails = [
        told(house, name, f"gonnect seek ME --totaltime={100 + n}")[BOB]
        for n, name in enumerate(names)
    ]
    assert mails == [1] * SEEKS_HEARD + [0] * 3
    house.clock.now += DAY
    house.add("zoe")
    assert told(house, "zoe", "gonnect seek ME")[BOB] == 1


def test_withdrawing_and_seeking_again_tells_no_more_often(house: HouseUnderTest) -> None:
    wanting(house, "bob")
    mails = 0
    for _ in range(10):
        mails += told(house, "alice", "gonnect seek ME")[BOB]
        told(house, "alice", "gonnect seek 0 ME")
    assert mails == SEEKS_TOLD


def test_a_seek_of_several_matches_ends_with_the_last_of_them(house: HouseUnderTest) -> None:
    house.add("carol", "dave")
    house.mail(ALICE, "gonnect seek 2 alice alice-pw")
    boards = [
        str(house.mail(f"{name}@example.org", f"accept 101 {name} {name}-pw")[0]["Subject"])
        for name in ("bob", "carol")
    ]
    assert [board.partition("]")[0] for board in boards] == ["[Gonnect 102", "[Gonnect 101"]
    (late,) = house.mail("dave@example.org", "accept 101 dave dave-pw")
    assert "101 is taken: " in text_of(late)


def test_one_player_cannot_empty_the_list(house: HouseUnderTest) -> None:
    house.mail(ALICE, "gonnect seek 10 alice alice-pw")
    answers = [house.mail(BOB, "accept 101 bob bob-pw") for _ in range(4)]
    assert [len(mails) for mails in answers] == [2, 2, 2, 1]
    assert "3 seeks an hour to one player are the limit" in text_of(answers[-1][0])


def test_nobody_takes_a_seek_of_their_own_other_account(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob
        work.players.set_addresses(bob.id, [BOB, ALICE])
        work.commit()
    wanting(house, "bob")
    assert told(house, "alice", "gonnect seek ME") == Counter()
    (answer,) = house.mail(BOB, "accept 101 bob bob-pw")
    assert "Nobody can play against themselves here." in text_of(answer)


def test_a_seek_stops_at_the_limit_of_its_player(house: HouseUnderTest) -> None:
    house.mail(ALICE, "gonnect seek 2 alice alice-pw")
    house.mail(ALICE, "gonnect limit 0 alice alice-pw")
    (answer,) = house.mail(BOB, "accept 101 bob bob-pw")
    assert "alice has as many boards of Gonnect as they want." in text_of(answer)
    (answer,) = house.mail(BOB, "gonnect seek bob bob-pw")
    assert "You seek 1 match of Gonnect." in text_of(answer)


def test_a_setting_that_is_no_longer_offered_stays_stored(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob
        work.players.set_setting(bob.id, "digest", "yes")
        work.commit()
    house.mail(BOB, "set bob bob-pw zone Europe/Berlin")
    with house.house.open_reading() as work:
        bob = work.players.by_userid("bob")
    assert bob
    assert bob.settings == {"digest": "yes", "zone": "Europe/Berlin"}
