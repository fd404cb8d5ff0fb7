"""Who follows boards of others is not flooded by them, whatever is played there."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.mail import FOLLOWED_AN_HOUR
from pbm.operator.administration import Administration
from tests.house import HouseUnderTest, text_of

CAROL = "carol@example.org"
APART = [f"{column}{row}" for row in range(1, 20, 2) for column in "ACEGJLNQS"]
"""Points of a board of Gonnect, no two of which touch."""


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where carol follows a board on which one move after the other is played."""
    house = HouseUnderTest(tmp_path_factory.mktemp("flooded"))
    house.add("alice", "bob", "carol", text_alone=True)
    with house.house.open_unit() as work:
        game = house.house.catalogue.get("gonnect")
        admin = Administration(house.house.services, work, house.clock())
        admin.create_match(game, ["alice", "bob"], {"size": "19"}, {})
        work.commit()
    house.mail(CAROL, "gonnect subscribe all carol carol-pw")
    for n in range(FOLLOWED_AN_HOUR + 5):
        _move(house, n)
    return house


@pytest.fixture
def house(flooded: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    return flooded.twin(tmp_path)


def _move(house: HouseUnderTest, n: int) -> list[EmailMessage]:
    name = ("alice", "bob")[n % 2]
    mails = house.mail(f"{name}@example.org", f"move 101 {name} {name}-pw {APART[n]}")
    assert {"alice@example.org", "bob@example.org"} <= {mail["To"] for mail in mails}
    return mails


def _to_carol(mails: list[EmailMessage]) -> list[EmailMessage]:
    return [mail for mail in mails if mail["To"] == CAROL]


def test_a_follower_gets_so_many_mails_in_an_hour_and_is_told_that_this_is_all(
    house: HouseUnderTest,
) -> None:
    _, *boards, last = _to_carol(house.sent)
    assert [mail["Subject"] for mail in boards].count(boards[0]["Subject"]) == FOLLOWED_AN_HOUR
    assert f"have sent you {FOLLOWED_AN_HOUR} mails" in text_of(last)
    assert "unsubscribe 101  or  gonnect unsubscribe all" in text_of(last)
    assert "unsubscribe" in str(last["List-Unsubscribe"])


def test_the_end_of_a_match_comes_all_the_same(house: HouseUnderTest) -> None:
    (end,) = _to_carol(house.mail("alice@example.org", "resign 101 alice alice-pw"))
    assert "resigned" in text_of(end)


def test_in_the_next_hour_it_goes_on_and_the_next_flood_of_the_day_is_not_told_again(
    house: HouseUnderTest,
) -> None:
    house.clock.now += timedelta(hours=1)
    first = FOLLOWED_AN_HOUR + 5
    told = [_to_carol(_move(house, n)) for n in range(first, first + 4)]
    assert [len(mails) for mails in told] == [1, 1, 1, 1]
    assert APART[first - 1] in text_of(told[0][0])


def test_what_a_follower_does_is_answered(house: HouseUnderTest) -> None:
    (shown,) = _to_carol(house.mail(CAROL, "show 101"))
    assert APART[0] in text_of(shown)
