"""Digests through the house: whatever players do, no move stays untold; one mail a day tells."""

import random
from collections import Counter
from datetime import timedelta

import pytest

from tests.house import HouseUnderTest, text_of

HOUR = timedelta(hours=1)
PLAYERS = ("alice", "bob")
BOARDS = (101, 102)
POINTS = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]


def want_digests(house: HouseUnderTest, player: str) -> None:
    house.mail(f"{player}@example.org", f"set {player} {player}-pw digest yes")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice and bob play on two boards, one begun by each."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add(*PLAYERS)
    for inviter, invited in (PLAYERS, PLAYERS[::-1]):
        house.mail(
            f"{inviter}@example.org",
            f"gonnect challenge {inviter} {inviter}-pw {invited} -size=5",
        )
        house.reply(house.last_to(f"{invited}@example.org"), "accept")
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
            (reader,) = set(PLAYERS) - {mover}
            mails = [m for m in house.sent if m["To"] == f"{reader}@example.org"]
            told = f"{mover} played {entry.text}."
            if not any(entry.comment in text_of(m) and told in text_of(m) for m in mails):
                missing.append((number, told, entry.comment))
    return missing


@pytest.mark.parametrize("seed", range(2))
def test_no_move_and_no_comment_is_ever_untold(house: HouseUnderTest, seed: int) -> None:
    chance = random.Random(seed)
    for player in PLAYERS:
        want_digests(house, player)
    for count in range(60):
        act(house, chance, count)
        if chance.random() < 0.3:
            house.clock.now += chance.choice([1, 5, 20]) * HOUR
            house.remind()
    house.clock.now += 24 * HOUR
    house.remind()
    assert untold(house) == []


def moves_in_turn(house: HouseUnderTest, days: int) -> None:
    """Let bob answer and alice move, on both boards, every five hours; remind in between."""
    for step in range(days * 24 // 5):
        for board in BOARDS:
            for player in reversed(PLAYERS):
                point = POINTS[(step * 2 + PLAYERS.index(player)) % len(POINTS)]
                house.mail(f"{player}@example.org", f"move {board} {player} {player}-pw {point}")
        house.clock.now += 5 * HOUR
        house.remind()


def test_nobody_gets_two_digests_in_a_day(house: HouseUnderTest) -> None:
    want_digests(house, "bob")
    moves_in_turn(house, 5)
    told = [m for m in house.sent if m["To"] == "bob@example.org" and m["From"].startswith("Your")]
    days = Counter(str(m["Date"])[:16] for m in told if "played" in text_of(m))
    assert len(days) >= 3
    assert set(days.values()) == {1}


def test_a_digest_comes_once_from_however_many_rounds_and_however_late(
    house: HouseUnderTest,
) -> None:
    want_digests(house, "bob")
    house.mail("alice@example.org", "move 101 alice alice-pw B4", "Hello.")
    house.clock.now += 70 * HOUR
    (digest,) = house.remind()
    assert digest["To"] == "bob@example.org"
    assert "Hello." in text_of(digest)
    house.clock.now += 48 * HOUR
    assert house.remind() == []
