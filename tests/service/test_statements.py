"""Speed by counting: the number of statements does not grow with what the database holds."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbm.domain.ratings import Rating
from pbm.engine import begin
from pbm.operator.administration import Administration
from tests.house import HouseUnderTest, text_of
from tests.service.crowd import Board
from tests.statements import Count, counting

SMALL, LARGE = 10, 120
SHORT, LONG = 10, 60

QUESTIONS = (
    "gonnect standings", "standings", "gonnect games", "gonnect games all", "games next", "games",
    "games bob all", "games alice", "history", "list", "show 101", "show 101#3", "preview 101",
    "record 101",
)  # fmt: skip


def crowded(folder: Path, size: int, moves: int) -> HouseUnderTest:
    """Return a house with `size` rated players and boards, and `moves` moves on board 101."""
    folder.mkdir()
    house = HouseUnderTest(folder)
    house.add("alice", "bob", text_alone=True)  # forms of mails take no statements
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        gonnect = house.house.catalogue.get("gonnect")
        admin.create_match(gonnect, ["alice", "bob"], {}, {})
        for n in range(size):
            address = f"player{n}@example.org"
            player = work.players.add(f"player{n}", "", [address], house.clock())
            work.players.set_setting(player.id, "format", "text")
            rating = Rating(1500 + n, 80, won=n + 1, updated_at=house.clock())
            work.ratings.save("gonnect", player.id, None, rating)
            admin.create_match(gonnect, ["alice", player.userid], {}, {})
        work.commit()
    board = Board(gonnect, ["alice", "bob"], begin(gonnect, gonnect.info.setup()))
    chance, play = random.Random(8), mover_of(house, board)
    house.play()
    for _ in range(moves):
        play(chance.choice(sorted(set(board.moves()) - {"swap"})))
    return house


def mover_of(house: HouseUnderTest, board: Board) -> Callable[[str], None]:
    """Return a function that plays a move on board 101 by a reply of the player to move."""

    def play(text: str) -> None:
        mover = board.mover
        board.play(text)
        mail = next(
            mail
            for mail in reversed(house.sent)
            if mail["To"] == f"{mover}@example.org" and " 101]" in mail["Subject"]
        )
        sent = house.reply(mail, text)
        assert len(sent) == 2, text_of(sent[0])

    return play


Houses = tuple[HouseUnderTest, HouseUnderTest, Count]
"""A small one, a large one, and the count of what both ask."""


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    folder = tmp_path_factory.mktemp("houses")
    with counting() as count:
        yield (
            crowded(folder / "small", SMALL, SHORT),
            crowded(folder / "large", LARGE, LONG),
            count,
        )


def statements(house: HouseUnderTest, count: Count, line: str) -> int:
    """Return how many statements one mail from alice takes, from the inbox to the outbox."""
    before = count.statements
    sent = house.mail("alice@example.org", line)
    taken = count.statements - before
    assert sent
    assert not any("Not done" in mail["From"] for mail in sent), text_of(sent[0])
    return taken


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_takes_as_many_statements_of_a_large_house_as_of_a_small_one(
    question: str, houses: Houses
) -> None:
    small, large, count = houses
    assert statements(small, count, question) == statements(large, count, question)


def test_a_move_takes_as_many_statements_after_many_moves_as_after_few(
    houses: Houses,
) -> None:
    *both, count = houses
    taken = []
    for house in both:
        (shown,) = house.mail("alice@example.org", "show 101")
        line = text_of(shown).partition("Reply with a move, for example ")[2].split()[0]
        taken.append(statements(house, count, f"move 101 alice alice-pw {line}"))
    small, large = taken
    assert small == large
    assert small <= 54
