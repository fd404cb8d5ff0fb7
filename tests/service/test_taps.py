"""Whole matches played by nothing but links from the HTML form of mails."""

import random
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from tests.engine.noughts import game as noughts
from tests.gallery.boards import strangers
from tests.house import HouseUnderTest
from tests.links import Link, links_of, tap

PLIES = 24
"""Random play may go on for ever; by then stones move in Morris."""

MOST_TAPS = 4
"""A turn takes two taps; who takes only points of the board taps each point of a long turn."""

TALK = {"draw", "undo", "I resign", "show", "rematch", "record", "accept", "reject"}
"""Links that are no turn."""


def house_with_strangers(folder: Path) -> HouseUnderTest:
    house = HouseUnderTest(folder)
    known = list(house.house.catalogue)
    vars(house.house)["catalogue"] = Catalogue(
        [InstalledGame(game, "") for game in (*known, *strangers())]
    )
    house.add("alice", "bob")
    for userid in ("alice", "bob"):  # pictures take their time, and have no links
        house.mail(f"{userid}@example.org", f"set {userid} {userid}-pw picture no")
    return house


def turns_in(mail: EmailMessage) -> list[Link]:
    return [
        link
        for link in links_of(mail)
        if link.text not in TALK and not link.text.startswith("help ")
    ]


def news(mail: EmailMessage) -> str:
    (sender,) = mail["From"].addresses
    return str(sender.display_name).partition(" - ")[0]


def chosen(links: list[Link], chance: random.Random) -> Link:
    """Return a link on the board as a rule, and now and then one of the others."""
    board = [link for link in links if link.on_board]
    beside = [link for link in links if not link.on_board]
    return chance.choice(board if board and (chance.random() < 0.8 or not beside) else beside)


def played_by_taps(house: HouseUnderTest, chance: random.Random) -> list[int]:
    """Play a match that has begun; return how many taps each turn took."""
    taps: list[int] = []
    while len(taps) < PLIES:
        waiting = [mail for mail in house.sent[-2:] if news(mail) == "Your move"]
        if not waiting:
            break
        taps.append(taps_for_a_turn(house, waiting[0], chance))
    return taps


def taps_for_a_turn(house: HouseUnderTest, mail: EmailMessage, chance: random.Random) -> int:
    reader = str(mail["To"])
    for taps in range(1, MOST_TAPS + 1):
        link = chosen(turns_in(mail), chance)
        answers = tap(house, link, reader)
        (mail,) = [answer for answer in answers if answer["To"] == reader]
        if news(mail) != "Not done":
            return taps
    raise AssertionError(f"no turn by these taps, the last one {link.text}")


def begun(house: HouseUnderTest, game: str) -> None:
    house.mail("alice@example.org", f"{game} challenge alice alice-pw bob")
    (accept,) = [
        link for link in links_of(house.last_to("bob@example.org")) if link.text == "accept"
    ]
    tap(house, accept, "bob@example.org")


@pytest.mark.parametrize(
    "game", ["gonnect", "morris", "notwos", "olix", "pow2", noughts.info.key, "hex"]
)
def test_a_match_is_played_by_nothing_but_links(game: str, tmp_path: Path) -> None:
    house = house_with_strangers(tmp_path)
    begun(house, game)
    taps = played_by_taps(house, random.Random(12))
    ended = news(house.sent[-1]) in ("You won", "You lost", "Draw")
    assert len(taps) == PLIES or ended


def test_who_taps_that_they_resign_is_asked_and_answers_by_a_tap(tmp_path: Path) -> None:
    house = house_with_strangers(tmp_path)
    begun(house, "gonnect")
    (resign,) = [link for link in links_of(house.sent[-1]) if link.text == "I resign"]
    reader = str(house.sent[-1]["To"])
    (asked,) = tap(house, resign, reader)
    (sure,) = [link for link in links_of(asked) if link.text == "resign"]
    # Given up before its first move, a match does not count.
    assert [news(mail) for mail in tap(house, sure, reader)] == ["Closed", "Closed"]


def test_a_board_as_it_stood_earlier_has_nothing_to_tap(tmp_path: Path) -> None:
    house = house_with_strangers(tmp_path)
    begun(house, "hex")
    (mail,) = [mail for mail in house.sent[-2:] if news(mail) == "Your move"]
    tap(house, turns_in(mail)[0], str(mail["To"]))
    (shown,) = house.mail(str(mail["To"]), "show 101#0")
    assert not [link for link in links_of(shown) if link.on_board]
