"""The worst mails that anybody can write: long boards of every game, and each command at its limit.

`python -m tests.service.worst_mails` plays them and prints the CPU time of each: the tests count
units, because a time differs from machine to machine.
"""

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

from pbm.domain.invitations import Terms
from pbm.domain.mail import ReceivedMail
from pbm.domain.match import Match
from pbm.domain.play import LiveMatch, chat, live, play
from pbm.engine import AnyGame
from pbm.service.boards import Boards, snapshot_of
from pbm.service.matches import MOST_BOARDS
from pbm.worker import PlayStage
from tests.house import ADDRESS, START, HouseUnderTest

ALICE = "alice@example.org"
PLIES, CHATS, BROADEST = 390, 300, {"gonnect": {"size": "19"}}
CHATTY, FIRST = 201, 202
HOUR = timedelta(hours=1)
WORDS = ("Well played! " * 400)[:3990] + "\u00e4"


def long_boards(folder: Path) -> HouseUnderTest:
    """Return a house with a chatty board, and a long one of each game, between alice and bob."""
    house = HouseUnderTest(folder)
    house.add("alice", "bob", "carol")
    games = sorted(house.house.catalogue, key=lambda game: game.info.key)
    with house.house.open_unit() as work:
        boards = [long_board(game, number) for number, game in enumerate(games, FIRST)]
        for board in (chatty(boards[0]), *boards):
            work.matches.add(board.match, snapshot_of(board), board.to_move)
        work.commit()
    return house


def chatty(board: LiveMatch) -> LiveMatch:
    """Return the same board as number CHATTY, with as much talk as players may write."""
    board = replace(board, match=replace(board.match, number=CHATTY))
    for n in range(CHATS):
        board = chat(board, 1 + n % 2, comment=WORDS, now=START)
    return board


def long_board(game: AnyGame, number: int) -> LiveMatch:
    """Return a board after as many plies as chance finds, up to PLIES."""
    longest = _at_random(game, number, random.Random(0))
    for seed in range(1, 4):
        if longest.position.ply < PLIES:
            other = _at_random(game, number, random.Random(seed))
            longest = max(longest, other, key=lambda board: board.position.ply)
    return longest


def _at_random(game: AnyGame, number: int, chance: random.Random) -> LiveMatch:
    setup = game.info.setup(BROADEST.get(game.info.key, {}), 3)
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


def _one_more(board: LiveMatch, chance: random.Random) -> LiveMatch | None:
    """Return the match after a move that does not end it; None if six do not find one."""
    seat = board.to_move[0]
    moves = list(islice(board.game.legal_moves(board.position.state, seat), 300))
    for _ in range(6):
        after = play(board, seat, str(chance.choice(moves)), due=None, comment="", now=START)
        if after.to_move:
            return after
    return None


def _ten(*lines: str) -> str:
    return "\n".join(lines[n % len(lines)] for n in range(10))


BOARDS = tuple(range(CHATTY, CHATTY + 6))
_POINTS = " ".join(f"{column}{row}" for row in range(1, 5) for column in "ABCDEFGHJK")
_EACH = tuple((n, name) for n in BOARDS for name in ("alice", "bob"))

MAILS: dict[str, str] = {
    "shown": _ten(*(f"show {n}" for n in BOARDS)),
    "shown at twenty plies": _ten(
        *(f"show {' '.join(f'{CHATTY}#{370 - 20 * k - n}' for n in range(20))}" for k in range(10))
    ),
    "shown at a ply of every board": _ten(
        *(f"show {' '.join(f'{n}#{180 - k}' for n in BOARDS)}" for k in range(10))
    ),
    "shown by name": _ten("gonnect show alice bob all", "morris show alice bob carol all"),
    "recorded": _ten(*(f"record {n}" for n in BOARDS)),
    "recorded in parts": _ten(*(f"record {CHATTY} {part}" for part in range(1, 11))),
    "previewed": _ten(*(f"preview {n}#{30 * n % 190} {_POINTS}" for n in BOARDS)),
    "previewed anew": _ten(
        *(f"gonnect preview new -size=19 {_POINTS[3 * n :]}" for n in range(10))
    ),
    "helped": _ten(
        "help",
        "help reference",
        "help commands",
        "help gonnect",
        "help tutorial",
        "help move",
        "help nothing-of-that-name",
        "help time",
        "help pow2",
        "help morris",
    ),
    "listed": _ten(
        "list",
        "games all",
        "games alice bob carol all",
        "history",
        "history alice bob carol",
        "standings",
        "gonnect standings",
        "standings bob",
        "gonnect games",
        "gonnect history",
    ),
    "not understood": _ten(*(f"{word} 201" for word in ("moov", "shwo", "quue", "hlep", "resgn"))),
    "queued": _ten(*(f"queue {n} {name} {name}-pw K10" for n, name in _EACH)),
    "queued on a condition": _ten(
        *(f"queue {n} {name} {name}-pw K10 if {_POINTS}" for n, name in _EACH)
    ),
    "queued without proof": _ten(*(f"queue {n} alice wrong{n} K10" for n in BOARDS)),
    "submitted": _ten(*(f"submit {n} {name} {name}-pw A1" for n, name in _EACH)),
    "moved": _ten(*(f"move {n} {name} {name}-pw T19" for n, name in _EACH)),
    "offered": _ten(*(f"draw {n} {name} {name}-pw" for n, name in _EACH)),
    "chatted": _ten(f"chat {CHATTY} alice alice-pw") + "\nend\n" + WORDS,
    "talk alone": "hello\n" * 150_000,
    "talk in short lines": "help\nend\n" + "a\n" * 400_000,
    "commands without end": "move 1 alice alice-pw A1\n" * 40_000,
    "questions without end": f"show {CHATTY}\n" * 80_000,
    "marks without end": "<b>" * 300_000,
    "quotes without end": "> x\n" * 250_000,
    "moves without end": f"preview {CHATTY} " + "A1 " * 300_000,
}
"""Mails by what they ask for, each in the text of a mail of at most a megabyte."""

OF_MANY: dict[str, str] = {
    "moved before a crowd": f"move {CHATTY} {{mover}} {{mover}}-pw {{move}}",
    "chatted before a crowd": f"chat {CHATTY} alice alice-pw\nend\n{WORDS}",
    "broadcast": f"broadcast alice alice-pw\nend\n{WORDS}",
    "vacation begun": "vacation alice alice-pw 9 days",
    "vacation ended": "vacation alice alice-pw off",
    "signoff": "signoff alice alice-pw",
    "signoff confirmed": "yes",
}
"""Mails of a player whom a crowd follows and hears, and who plays against all of them."""


def add_crowd(house: HouseUnderTest, size: int, boards: int = MOST_BOARDS) -> None:
    """Let `size` players follow CHATTY and hear broadcasts, and the first play against alice."""
    games = sorted(house.house.catalogue, key=lambda game: game.info.key)
    longest = {game.info.key: long_board(game, 0) for game in games}
    with house.house.open_unit() as work:
        for n in range(size):
            address = f"fan{n}@example.org"
            fan = work.players.add(f"fan{n}", "", [address], START)
            work.players.set_setting(fan.id, "broadcast", "yes")
            work.followers.follow(fan.id, CHATTY)
            if n < boards - len(BOARDS):
                board = longest[games[n % len(games)].info.key]
                seats = 1, fan.id
                match = replace(board.match, number=1000 + n, starters=seats, players=seats)
                board = replace(board, match=match)
                work.matches.add(board.match, snapshot_of(board), board.to_move)
        work.commit()


def of_many(house: HouseUnderTest, name: str) -> tuple[str, str]:
    """Return the author of such a mail and its text as things stand."""
    with house.house.open_reading() as work:
        board = Boards(work, house.house.catalogue, START).get(CHATTY)
    seat = board.to_move[0]
    move = next(iter(board.game.legal_moves(board.position.state, seat)))
    mover = ("alice", "bob")[board.match.players[seat] - 1]
    text = OF_MANY[name].format(mover=mover, move=move)
    return f"{mover}@example.org" if "{mover}" in OF_MANY[name] else ALICE, text


def measured(house: HouseUnderTest) -> Iterator[tuple[str, float, int, int]]:
    """Yield the name of each mail, its CPU seconds, and how many answers of how many octets."""
    for name, text in MAILS.items():
        house.clock.now += HOUR
        began = time.process_time()
        sent = house.mail(ALICE, "many", text)
        took = time.process_time() - began
        yield name, took, len(sent), sum(len(mail.as_bytes()) for mail in sent)


def measured_of_many(house: HouseUnderTest) -> Iterator[tuple[str, float, float, int]]:
    """Yield the name of each mail, its CPU seconds, those of its dearest part, and all mails."""
    for name in OF_MANY:
        house.clock.now += HOUR
        author, text = of_many(house, name)
        to = str(house.last_to(ALICE)["Reply-To"]) if name.endswith("confirmed") else ADDRESS
        house.house.inbox.put([ReceivedMail(author, (to,), letter(author, text, to), START)])
        parts = list(_timed(house.house.play_stage))
        sent = sum(len(list(house.deliver())) for _ in range(3))
        yield name, parts[0], max(parts[1:], default=0), sent


def _timed(stage: PlayStage) -> Iterator[float]:
    for step in (stage.play_waiting, stage.go_on):
        while True:
            began = time.process_time()
            done = step()
            yield time.process_time() - began
            if not done:
                break


def letter(author: str, text: str, to: str) -> bytes:
    return f"From: {author}\r\nTo: {to}\r\nSubject: many\r\n\r\n{text}".encode()


if __name__ == "__main__":
    played = long_boards(Path(mkdtemp()))
    played.mail(ALICE, "help reference")  # templates are compiled at first use
    for row in sorted(measured(played), key=lambda row: -row[1]):
        sys.stdout.write(
            "{:<32} {:6.1f} ms CPU, {:>2} answers, {:>6} octets\n".format(
                row[0], 1000 * row[1], *row[2:]
            )
        )
    crowded = long_boards(Path(mkdtemp()))
    add_crowd(crowded, 500)
    for name, took, part, sent in measured_of_many(crowded):
        sys.stdout.write(
            f"{name:<32} {1000 * took:6.1f} ms CPU, then parts of {1000 * part:6.1f} ms at most, "
            f"{sent} mails\n"
        )
