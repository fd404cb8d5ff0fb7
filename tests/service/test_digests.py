"""Digests, in which no move is left out, and boards with pictures.

Digests meet everything that players do, which is too much for a conversation (see digest.txt);
pictures and points to tap are in no text.
"""

import random
from collections import Counter
from datetime import timedelta

import pytest

from tests.conversations.conversation import prepare
from tests.house import HouseUnderTest, text_of
from tests.links import links_of, tap
from tests.readings import answers

HOUR = timedelta(hours=1)
PLAYERS, BOARDS = ("alice", "bob"), (101, 102)
ALICE, BOB = "alice@example.org", "bob@example.org"
POINTS = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice and bob play on two boards, one begun by each."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add(*PLAYERS)
    house.begin_match()
    prepare(house, "bob> gonnect challenge bob bob-pw alice -size=5\nalice replies> accept")
    return house


def act(house: HouseUnderTest, chance: random.Random, count: int) -> None:
    """Do one thing at random: mostly a move, each with words that nobody else writes."""
    player, board = chance.choice(PLAYERS), chance.choice(BOARDS)
    other = PLAYERS[player == PLAYERS[0]]
    who = f"{player} {player}-pw"
    move = f"move {board} {who} {chance.choice(POINTS)}"
    lines = [
        *[move] * 12,
        f"chat {board} {who}",
        f"queue {board} {who} {chance.choice(POINTS)}",
        f"undo {board} {who}",
        f"accept {board} {other} {other}-pw",
        f"set {who} digest {chance.choice(['yes', 'yes', 'no'])}",
        f"set {who} echo {chance.choice(['yes', 'no'])}",
    ]
    words = chance.choice(lines)
    author = other if words.startswith("accept") else player
    house.mail(f"{author}@example.org", words, f"words{count:03}")


def untold(house: HouseUnderTest) -> list[tuple[int, str, str]]:
    """Return (board, move, comment) of each move that its opponent has in no mail."""
    missing = []
    for number in BOARDS:
        with house.house.open_reading() as work:
            found = work.matches.get(number)
            assert found is not None
            match = found[0]
            people = work.players.by_ids(match.starters)
            plies = match.plies
        for ply, entry in enumerate(plies):
            assert entry.seat is not None
            mover = people[match.seating(ply)[entry.seat]].userid
            reader = f"{PLAYERS[mover == PLAYERS[0]]}@example.org"
            told = f"{mover} played {entry.text}."
            mails = [text_of(mail) for mail in house.sent if mail["To"] == reader]
            if not any(entry.comment in text and told in text for text in mails):
                missing.append((number, told, entry.comment))
    return missing


@pytest.mark.parametrize("seed", range(2))
def test_no_move_and_no_comment_is_ever_untold(house: HouseUnderTest, seed: int) -> None:
    chance = random.Random(seed)
    prepare(house, "alice> set alice alice-pw digest yes\nbob> set bob bob-pw digest yes")
    for count in range(60):
        act(house, chance, count)
        if chance.random() < 0.3:
            house.clock.now += chance.choice([1, 5, 20]) * HOUR
            house.remind()
    house.clock.now += 24 * HOUR
    house.remind()
    assert untold(house) == []


@pytest.mark.slow
def test_nobody_gets_two_digests_in_a_day(house: HouseUnderTest) -> None:
    """Bob answers and alice moves, on both boards, every five hours."""
    prepare(house, "bob> set bob bob-pw digest yes")
    for step in range(5 * 24 // 5):
        for board in BOARDS:
            for player, n in (("bob", 1), ("alice", 0)):
                point = POINTS[(step * 2 + n) % len(POINTS)]
                prepare(house, f"{player}> move {board} {player} {player}-pw {point}")
        house.clock.now += 5 * HOUR
        house.remind()
    told = [m for m in house.sent if m["To"] == BOB and m["From"].startswith("Your")]
    days = Counter(str(m["Date"])[:16] for m in told if "played" in text_of(m))
    assert len(days) >= 3
    assert set(days.values()) == {1}


DISPLAY = """
# settings, and how many pictures and points that can be tapped a board then has
no change                                                   -> 0, 24
format html                                                 -> 0, 24
format both                                                 -> 0, 24
picture no                                                  -> 0, 24
picture only                                                -> 1, 0
format text                                                 -> 0, 0
picture on                                                  -> 0, 0
format both                                                 -> 0, 24
"""


def shown(house: HouseUnderTest) -> str:
    """Return how many pictures bob's board has, and how many points that can be tapped."""
    (mail,) = house.mail(BOB, "show 101")
    pictures = sum(part.get_content_type() == "image/png" for part in mail.walk())
    return f"{pictures}, {sum(link.on_board for link in links_of(mail))}"


def test_a_board_is_shown_as_its_reader_has_set(house: HouseUnderTest) -> None:
    prepare(house, "alice> move 101 alice alice-pw C3")

    def after(setting: str) -> str:
        house.mail(BOB, f"set bob bob-pw {setting}")
        return shown(house)

    assert answers(DISPLAY, after) == DISPLAY


def test_a_setting_is_changed_and_a_board_shown_by_a_tap(house: HouseUnderTest) -> None:
    (games,) = house.mail(BOB, "games bob")
    number = next(link for link in links_of(games) if link.text == "show 101")
    (board,) = tap(house, number, BOB)
    assert board["Subject"] == "[Gonnect 101] alice - bob"
    (settings,) = house.mail(BOB, "set bob bob-pw")
    offered = {link.text: link for link in links_of(settings)}
    assert {"set format text", "set digest yes", "set style.pow2 small"} <= set(offered)
    assert "set format html" not in offered
    tap(house, offered["set format text"], BOB)
    assert shown(house) == "0, 0"
