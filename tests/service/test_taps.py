"""Whole matches played by nothing but links from the HTML form of mails."""

import random
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from gallery.boards import strangers
from pbm.domain.catalogue import Catalogue, InstalledGame
from tests.engine.noughts import game as noughts
from tests.house import HouseUnderTest
from tests.links import Link, links_of, tap

pytestmark = pytest.mark.slow

GAMES = (
    *(("gonnect -size=7", 12), ("morris", 28), ("notwos", 12), ("olix", 12), ("pow2", 2)),
    (noughts.info.key, 12),
    pytest.param("hex", 4),
)
"""Games to play: the games of pbm and two of strangers, each with a seed of a short match."""

MOST_TURNS = 400
"""Random play ends before; the longest match takes 222 turns in Morris."""

MOST_TAPS = 4
"""A turn takes two taps; who takes only points of the board taps each point of a long turn."""

DIGESTS = (2, 3)
"""The turns of alice that she takes from a digest."""

TALK = {"draw", "undo", "I resign", "show", "rematch", "record", "accept", "reject", "set"}
"""Links that are no turn."""

OVER = ("You won", "You lost", "Draw")


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


def turns_in(mail: EmailMessage, number: int) -> list[Link]:
    """Return the links that play on a board; in a mail about several boards they name it."""
    links = links_of(mail)
    named = [link for link in links if link.text.startswith(f"move {number} ")]
    return named or [
        link
        for link in links
        if link.text not in TALK and not link.text.startswith(("help ", "set "))
    ]


def news(mail: EmailMessage) -> str:
    (sender,) = mail["From"].addresses
    return str(sender.display_name).partition(" - ")[0]


def chosen(links: list[Link], *, by_points: bool) -> list[Link]:
    """Return the links on the board, or those beside it, or all if there are none of these."""
    return [link for link in links if link.on_board == by_points] or links


def reader_of(mail: EmailMessage) -> str:
    return str(mail["To"])


def taps_for_a_turn(
    house: HouseUnderTest, mail: EmailMessage, number: int, chance: random.Random
) -> int:
    """Play a turn by a tap on the mail, and taps on the answers; return how many it took.

    The first tap is one on the board or beside it. Then a player either takes points of the board
    as long as there are any, or one of the turns that the answer lists, which is always the last.
    """
    by_points, begins_on_board = chance.random() < 0.5, chance.random() < 0.8
    link = chance.choice(chosen(turns_in(mail, number), by_points=begins_on_board))
    for taps in range(1, MOST_TAPS + 1):
        reader = reader_of(mail)
        (mail,) = [m for m in tap(house, link, reader) if reader_of(m) == reader]
        if news(mail) != "Please choose":
            assert by_points or taps <= 2, link.text
            return taps
        link = chance.choice(chosen(turns_in(mail, number), by_points=by_points))
    raise AssertionError(f"no turn by these taps, the last one {link.text}")


def begun(house: HouseUnderTest, game: str) -> None:
    house.mail("alice@example.org", f"{game} challenge alice alice-pw bob")
    (accept,) = [
        link for link in links_of(house.last_to("bob@example.org")) if link.text == "accept"
    ]
    tap(house, accept, "bob@example.org")


def reminded(house: HouseUnderTest) -> EmailMessage:
    """Let a week pass, and return the reminder that comes."""
    house.clock.now += timedelta(days=7)
    (mail,) = house.remind()
    assert news(mail) == "A reminder"
    return mail


def digest(house: HouseUnderTest) -> EmailMessage:
    """Let the next morning come, and return the digest of the day."""
    house.clock.now += timedelta(days=1)
    (mail,) = house.remind()
    assert news(mail) == "Your boards today"
    return mail


def wants_digests(house: HouseUnderTest, answer: str) -> None:
    house.mail("alice@example.org", f"set alice alice-pw digest {answer}")


def play_out(house: HouseUnderTest, number: int, chance: random.Random) -> None:
    """Play the match of a board to its end.

    The first turn is taken from a reminder of two boards, some turns of alice from digests of
    these, all others from the mail of the board.
    """
    taps_for_a_turn(house, reminded(house), number, chance)
    hers = 1
    for _ in range(MOST_TURNS):
        if news(house.sent[-1]) in OVER:
            return
        waiting = [mail for mail in house.sent[-2:] if news(mail) == "Your move"]
        hers += not waiting or reader_of(waiting[0]) == "alice@example.org"
        if hers + 1 in DIGESTS:
            wants_digests(house, "yes")
        mail = waiting[0] if waiting else digest(house)
        if hers in DIGESTS and not waiting:
            wants_digests(house, "no")
        taps_for_a_turn(house, mail, number, chance)


@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_a_match_is_played_to_its_end_by_nothing_but_links(
    game: str, seed: int, tmp_path: Path
) -> None:
    house = house_with_strangers(tmp_path)
    begun(house, game)
    begun(house, game)
    play_out(house, 101, random.Random(seed))
    assert news(house.sent[-1]) in OVER
    assert "Your boards today" in {news(mail) for mail in house.sent}


def test_a_board_as_it_stood_earlier_has_nothing_to_tap(tmp_path: Path) -> None:
    house = house_with_strangers(tmp_path)
    begun(house, "hex")
    (mail,) = [mail for mail in house.sent[-2:] if news(mail) == "Your move"]
    tap(house, turns_in(mail, 101)[0], str(mail["To"]))
    (shown,) = house.mail(str(mail["To"]), "show 101#0")
    assert not [link for link in links_of(shown) if link.on_board]
