"""The costs of the worst mails: `python -m gallery.worst_mails` plays them and prints CPU times."""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from pbm.core.boards import LoadedBoards, snapshot_of
from pbm.core.open_boards import MOST_BOARDS
from pbm.domain.mail import ReceivedMail
from pbm.server.play_stage import PlayStage
from tests.house import ADDRESS, START, HouseUnderTest
from tests.service.worst_mails import (
    ALICE,
    BOARDS,
    CHATTY,
    HOUR,
    MAILS,
    WORDS,
    long_board,
    long_boards,
)

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
        board = LoadedBoards(work, house.house.catalogue, START).get(CHATTY)
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
