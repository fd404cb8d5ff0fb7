"""A day of 15 people and six robots: all games, by mail, and nothing is wrong afterwards."""

import random
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path

import pytest

from pbm.domain.play import live
from pbm.domain.robots import Brain
from pbm.engine import AnyGame
from pbm.operator.upkeep import verify_all
from tests.doors import Observer, ThoughtFate, ThoughtTold
from tests.house import START, HouseUnderTest, text_of
from tests.thinking.conftest import add_robot, begin_match, match_of, waiting

pytestmark = pytest.mark.slow

PEOPLE, ROBOTS = 15, 6
HOURS = 24
GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("gonnect", {"size": "5"}), ("notwos", {}), ("morris", {}), ("olix", {}), ("pow2", {}),
)  # fmt: skip


class Told(Observer):
    """Remembers what became of thoughts."""

    def __init__(self) -> None:
        self.fates: Counter[ThoughtFate] = Counter()

    def thought(self, thought: ThoughtTold) -> None:
        self.fates[thought.fate] += 1


class Day:
    """All boards of the day; what happens follows from the seed."""

    def __init__(self, folder: Path) -> None:
        self.house = HouseUnderTest(folder)
        self.told = Told()
        self.house.house = replace(self.house.house, observer=self.told)
        self.chance = random.Random(15)
        people = [f"person{n:02}" for n in range(PEOPLE)]
        robots = [f"robot-{n:02}" for n in range(ROBOTS)]
        self.house.add(*people, text_alone=True)
        for robot in robots:
            add_robot(self.house.house, robot, Brain(1))
        self.people = {self.begin(n, person, robots): person for n, person in enumerate(people)}

    def begin(self, n: int, person: str, robots: list[str]) -> int:
        """Begin a board of a person with a robot; every second time the robot moves first."""
        game, options = GAMES[n % len(GAMES)]
        pair = [person, robots[n % len(robots)]]
        return begin_match(self.house.house, game, *pair[:: (-1) ** n], rated=False, **options)

    def hour(self) -> None:
        """Let the robots move, and about every second person answer."""
        self.house.think()
        for number, person in self.people.items():
            if self.chance.random() < 0.5:
                self.answer(number, person)
        self.house.clock.now += timedelta(hours=1)

    def answer(self, number: int, person: str) -> None:
        """Let a person move if it is their turn; now and then they do something else."""
        board = live(match_of(self.house.house, number), self.game(number))
        mine = [seat for seat in board.to_move if self.is_at(number, seat, person)]
        if not mine:
            return
        what = self.chance.random()
        if what < 0.03:
            self.write(person, f"resign {number}")
        elif what < 0.08:
            self.write(person, f"draw {number}")
        elif what < 0.12:
            self.write(person, f"undo {number}")
        else:
            moves = list(islice(board.game.legal_moves(board.position.state, mine[0]), 300))
            self.write(person, f"move {number}", str(self.chance.choice(moves)))

    def game(self, number: int) -> AnyGame:
        return self.house.house.catalogue.get(match_of(self.house.house, number).game)

    def is_at(self, number: int, seat: int, person: str) -> bool:
        with self.house.house.open_reading() as work:
            player = work.players.by_userid(person)
        return player is not None and match_of(self.house.house, number).players[seat] == player.id

    def write(self, person: str, line: str, rest: str = "") -> None:
        self.house.mail(f"{person}@example.org", f"{line} {person} {person}-pw {rest}")


def test_a_day_of_people_and_robots_leaves_nothing_undone_and_nothing_wrong(tmp_path: Path) -> None:
    day = Day(tmp_path)
    for _ in range(HOURS):
        day.hour()
    day.house.think()
    house = day.house.house
    assert day.house.clock.now == START + timedelta(hours=HOURS)
    with house.open_reading() as work:
        assert not [found for found in verify_all(work, house.catalogue) if found[1]]
    matches = [match_of(house, number) for number in day.people]
    assert sum(match.over for match in matches) > PEOPLE / 4
    assert sum(len(match.plies) for match in matches) > 10 * PEOPLE
    assert not waiting(house)
    assert set(day.told.fates) == {ThoughtFate.DONE}
    assert_told(day)


def assert_told(day: Day) -> None:
    """Check that each turn was told: nobody but the person at the board reads any mail.

    One mail may tell several turns.
    """
    turns: Counter[int] = Counter()
    for mail in day.house.sent:
        text = " ".join(text_of(mail).split())
        for number in day.people:
            if f" {number}]" in str(mail["Subject"]):
                turns[number] += len(re.findall(r" played |used the pie rule", text))
    for number in day.people:
        assert turns[number] >= len(match_of(day.house.house, number).plies)
