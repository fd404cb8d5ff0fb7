"""Robots of Python packages: they play by mail, and cost the server nothing if they fail.

Each is asked in a worker process, as it would be by a server.
"""

import os
import re
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.domain.robots import Brain
from tests.house import HouseUnderTest, text_of
from tests.installing import install
from tests.readings import answers
from tests.robots.brute import GAMES
from tests.thinking.conftest import add_robot, begin_match, log_of, think_in_processes

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "robots.md").read_text("utf-8")
ROBOTS = """
import os

def prints(game, question):
    print("a1")
    return question.turns[-1].text if question.turns else "D1"

def raises(game, question):
    raise KeyError(game.info.key)

def returns_nothing(game, question):
    pass

def exits(game, question):
    raise SystemExit

def dies(game, question):
    os._exit(1)
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the robot of docs/robots.md, and bad ones."""
    of_the_page, entry = (
        re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]
        for language in ("python", "toml")
    )
    site = tmp_path / "site"
    install(
        site,
        monkeypatch,
        "pbm_first",
        of_the_page,
        "[pbm.robots]\n" + entry.splitlines()[1].replace('"', ""),
    )
    names = re.findall(r"def (\w+)", ROBOTS)
    entries = "".join(f"{name} = mischief:{name}\n" for name in names)
    entries = f"[pbm.robots]\n{entries}broken = no_such_module:choose\n"
    install(site, monkeypatch, "mischief", ROBOTS, entries)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def played(house: HouseUnderTest, entry: str, game: str = "gonnect") -> str:
    """Return what a robot plays first, and what the operator reads if that is not its own."""
    add_robot(house.house, entry, Brain(1, game, entry))
    number = begin_match(house.house, game, entry, "alice")
    thinking = house.house.robots.thinking()
    think_in_processes(thinking)
    house.clock.now += timedelta(hours=1)
    think_in_processes(thinking)
    thinking.close()
    (move,) = log_of(house.house, number)
    mails = (mail for mail in house.deliver() if mail["To"] == "root@example.org")
    told = [" ".join(text_of(mail).split()) for mail in mails]
    return (
        f"level 1: {re.split('[.;] ', told[0])[1]}"
        if told
        else move
        if entry == "first"
        else "moves"
    )


@pytest.mark.parametrize(
    "game", [key for key in GAMES if key not in ("gomoku", "noughts", "darkhex", "einstein")]
)
def test_the_robot_of_the_page_plays_each_game(game: str, house: HouseUnderTest) -> None:
    rules = GAMES[game]
    state = rules.start(rules.info.setup())
    assert played(house, "first", game) == str(next(rules.legal_moves(state, 0)))


MOVES = """
# What a robot prints is not taken for its answer.
prints          -> moves
missing         -> level 1: It raised "LookupError: no installed package has a robot called missing"
broken          -> level 1: It raised "ModuleNotFoundError: No module named 'no_such_module'"
raises          -> level 1: It raised "KeyError: 'gonnect'"
returns_nothing -> level 1: It raised "MoveSyntaxError: "None" is not the name of a point
# Its process ends: the server's own search moves.
exits           -> moves
dies            -> moves
"""


def test_what_a_robot_raises_is_told_and_level_1_moves_for_it(house: HouseUnderTest) -> None:
    assert answers(MOVES, lambda entry: played(house, entry)) == MOVES


def test_the_operator_is_told_once_a_day_and_a_rated_match_is_refused(
    house: HouseUnderTest,
) -> None:
    assert played(house, "raises").startswith("level 1")
    line = "gonnect challenge alice alice-pw raises --rated"
    (refused,) = house.mail("alice@example.org", line)
    assert "raises is a program of others, and plays unrated matches only." in text_of(refused)
    thinking = house.house.robots.thinking()
    for days, mails in ((0, 0), (1, 1)):
        house.clock.now += timedelta(days=days)
        begin_match(house.house, "gonnect", "raises", "alice")
        think_in_processes(thinking)
        told = [mail for mail in house.deliver() if mail["To"] == "root@example.org"]
        assert [mail["Subject"] for mail in told] == ["The program of raises has failed"] * mails
    thinking.close()
