"""The worst mails that anybody can write: long boards of every game, and each command at its limit.

`python -m gallery.worst_mails` plays them and prints the CPU time of each: the tests count units,
because a time differs from machine to machine.
"""

import random
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path

from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.play import Board, chat, live, play
from pbm.engine import AnyGame, any_of
from tests.house import START, HouseUnderTest
from tests.readings import sections
from tests.service.waiting import snapshot_of

ALICE = "alice@example.org"
PLIES, CHATS, BROADEST = 390, 300, {"gonnect": {"size": "19"}}
CHATTY, FIRST = 201, 202
HOUR = timedelta(hours=1)
BOARDS = tuple(range(CHATTY, CHATTY + 6))
WORDS = ("Well played! " * 400)[:3990] + "\u00e4"


def long_boards(folder: Path) -> HouseUnderTest:
    """Return a house with a chatty board, and long ones of the first games, by alice and bob."""
    house = HouseUnderTest(folder)
    house.add("alice", "bob", "carol")
    games = map(house.house.catalogue.get, ("gonnect", "morris", "notwos", "olix", "pow2"))
    with house.house.open_unit() as work:
        boards = [long_board(game, number) for number, game in enumerate(games, FIRST)]
        for board in (chatty(boards[0]), *boards):
            work.matches.add(board.match, snapshot_of(board), board.to_move)
        work.commit()
    return house


def chatty(board: Board) -> Board:
    """Return the same board as number CHATTY, with as much talk as players may write."""
    board = replace(board, match=replace(board.match, number=CHATTY))
    for n in range(CHATS):
        board = chat(board, 1 + n % 2, comment=WORDS, now=START)
    return board


def long_board(game: AnyGame, number: int) -> Board:
    """Return a board after as many plies as chance finds, up to PLIES."""
    longest = _at_random(game, number, random.Random(0))
    for seed in range(1, 4):
        if longest.position.ply < PLIES:
            other = _at_random(game, number, random.Random(seed))
            longest = max(longest, other, key=lambda board: board.position.ply)
    return longest


def _at_random(game: AnyGame, number: int, chance: random.Random) -> Board:
    setup = game.info.setup(BROADEST.get(game.info.key, {}))
    match = Match(
        number, game.info.key, game.info.rules_version, setup, Terms(), (1, 2), (1, 2), START, START
    )
    board = live(match, game)
    while board.position.ply < PLIES:
        further = _one_more(board, chance)
        if further is None:
            break
        board = further
    return board


def _one_more(board: Board, chance: random.Random) -> Board | None:
    """Return the match after a move that does not end it; None if six do not find one."""
    seat = board.to_move[0]
    moves = list(islice(board.game.legal_moves(board.position.state, seat), 300))
    for _ in range(6):
        after = play(
            board, seat, str(chance.choice(moves)), due=None, comment="", now=START, draw=any_of
        )
        if after.to_move:
            return after
    return None


_POINTS = " ".join(f"{column}{row}" for row in range(1, 5) for column in "ABCDEFGHJK")

MAILS = {
    name: mail.strip().replace("POINTS", _POINTS).replace("TALK", WORDS)
    for name, mail in sections(Path(__file__).with_name("worst_mails.txt")).items()
} | {
    "talk alone": "hello\n" * 150_000,
    "talk in short lines": "help\nend\n" + "a\n" * 400_000,
    "commands without end": "move 1 alice alice-pw A1\n" * 40_000,
    "questions without end": f"show {CHATTY}\n" * 80_000,
    "marks without end": "<b>" * 300_000,
    "quotes without end": "> x\n" * 250_000,
    "moves without end": f"preview {CHATTY} " + "A1 " * 300_000,
}
"""Mails by what they ask for, each in the text of a mail of at most a megabyte."""
