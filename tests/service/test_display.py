"""What `set format` and `set picture` change in a mail, and settings changed by a tap."""

from pathlib import Path

import pytest

from tests.house import HouseUnderTest
from tests.links import links_of, tap

ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    """Return a house where it is bob's turn on board 101."""
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.begin_match()
    house.reply(house.last_to(ALICE), "C3")
    return house


def shown(house: HouseUnderTest) -> tuple[int, int]:
    """Return how many pictures bob's board has, and how many points that can be tapped."""
    (mail,) = house.mail(BOB, "show 101")
    pictures = sum(part.get_content_type() == "image/png" for part in mail.walk())
    return pictures, sum(link.on_board for link in links_of(mail))


@pytest.mark.parametrize(
    ("settings", "pictures", "points"),
    [
        ((), 1, 24),
        (("format html",), 1, 24),
        (("format both",), 1, 24),
        (("picture no",), 0, 24),
        (("picture only",), 1, 0),
        (("format text",), 0, 0),
        (("format text", "picture only"), 0, 0),
        (("format text", "format both", "picture only", "picture on"), 1, 24),
    ],
)
def test_a_board_is_shown_as_its_reader_has_set(
    house: HouseUnderTest, settings: tuple[str, ...], pictures: int, points: int
) -> None:
    for setting in settings:
        house.mail(BOB, f"set bob bob-pw {setting}")
    assert shown(house) == (pictures, points)


def test_a_setting_is_changed_by_a_tap(house: HouseUnderTest) -> None:
    (settings,) = house.mail(BOB, "set bob bob-pw")
    offered = {link.text: link for link in links_of(settings)}
    assert {"set format text", "set digest yes", "set style.pow2 small"} <= set(offered)
    assert "set format html" not in offered
    tap(house, offered["set format text"], BOB)
    assert shown(house) == (0, 0)


def test_a_board_is_shown_by_a_tap_on_its_number_in_a_list(house: HouseUnderTest) -> None:
    (games,) = house.mail(BOB, "games bob")
    number = next(link for link in links_of(games) if link.text == "show 101")
    (board,) = tap(house, number, BOB)
    assert board["Subject"] == "[Gonnect 101] alice - bob"
