"""Lists that are longer than conversations can make them: they are cut off, and paid for by row."""

from types import ModuleType

import pytest

from pbm.domain.ratings import Rating
from pbm.features import boards, results
from tests.house import HouseUnderTest, text_of

PLAYERS = 120


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with rated players, and with some open and some finished boards."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", text_alone=True)
    with house.house.open_unit() as work:
        for n in range(PLAYERS):
            player = work.players.add(f"player{n}", "", [f"player{n}@x.org"], house.clock())
            rating = Rating(1500 + n, 80, won=n + 1, updated_at=house.clock())
            work.ratings.save("gonnect", player.id, None, rating)
        work.commit()
    for number in range(101, 113):
        assert house.create_match("alice", "bob") == number
        if number % 2:
            house.mail("alice@example.org", f"resign {number} alice alice-pw")
    house.play()
    return house


@pytest.mark.parametrize(
    ("line", "subject", "limit", "sentence"),
    [
        ("games all", boards, "BOARDS", "There are 1 more. Name a game or players"),
        ("gonnect standings", results, "STANDINGS", "These are the first 5 players."),
        ("history", results, "HISTORY", "These are the newest 5."),
    ],
)
def test_a_list_that_is_cut_off_says_so(
    house: HouseUnderTest,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    subject: ModuleType,
    limit: str,
    sentence: str,
) -> None:
    def told() -> str:
        return " ".join(text_of(house.mail("alice@example.org", line)[0]).split())

    assert sentence[:9] not in told()
    monkeypatch.setattr(subject, limit, 5)
    assert sentence in told()


def test_a_rating_list_is_paid_for_by_its_rows(house: HouseUnderTest) -> None:
    """An hour of an unproven address is 1,500,000 octets: 21 lists of 120 rows of 550 octets."""
    answers = [len(house.mail("bob@example.org", "gonnect standings")) for _ in range(23)]
    assert (answers[:21], answers[22]) == ([1] * 21, 0)
