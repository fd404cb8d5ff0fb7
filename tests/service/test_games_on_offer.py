"""Of the games that are left out by `--games`, open matches are played to their end.

Further in than a conversation, because a server is started again with other settings.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from pbm.config import ConfigError
from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"


def restarted(house: HouseUnderTest, *games: str) -> None:
    """Start the house again with these games on offer."""
    settings = replace(house.house.settings, games=games)
    house.house = replace(house.house, settings=settings)


def test_a_match_goes_on_and_no_other_begins(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.mail(ALICE, "hex challenge alice alice-pw bob -size=5")
    house.reply(house.last_to(BOB), "accept")
    restarted(house, "gonnect", "olix")
    house.reply(house.last_to(ALICE), "c3")
    assert "alice played c3" in text_of(house.last_to(BOB))
    for wish in ("hex seek bob bob-pw", "hex challenge bob bob-pw alice"):
        house.mail(BOB, wish)
        refused = "No new matches of Hex begin here; there is gonnect or olix."
        assert refused in " ".join(text_of(house.last_to(BOB)).split())
    house.mail(BOB, "list")
    offered = text_of(house.last_to(BOB))
    assert "Gonnect" in offered
    assert "Hex" not in offered


def test_a_game_that_there_is_not_cannot_be_chosen(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    restarted(house, "gonect")
    with pytest.raises(ConfigError, match=r'^The setting games: There is no game "gonect"; there'):
        _ = house.house.catalogue
