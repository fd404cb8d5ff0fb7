"""kill -9 at any moment: no acknowledged mail is lost, and none is played twice."""

import json
import re
import smtplib
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.gonnect import game as gonnect
from pbm.engine import Position, advance, begin
from tests.e2e.people import Person, begin_match, hand_in, letter
from tests.e2e.server import Server
from tests.processes import PATIENCE, lasting_port
from tests.sink import Arrived, Sink

KILLS = 8
BOARDS = 3
PASSWORD = "correct-horse"
PAIRS = tuple((f"alice{n}", f"bob{n}") for n in range(BOARDS))
SEED = 20_260_501

_DUE = re.compile(r"\), move (\d+)\.")
_BEFORE_THE_START = ("Waiting for an answer", "An invitation")
_NO_ACKNOWLEDGEMENT = (OSError, smtplib.SMTPException)


def due(mail: Arrived) -> int:
    """Return the number of the move that a board mail asks for."""
    found = _DUE.search(mail.prose)
    assert found, mail.text
    return int(found[1])


def random_game(seed: int) -> Iterator[str]:
    """Yield random moves on the largest board, where it takes long until they connect edges."""
    chance = Random(seed)
    position: Position[Any] = begin(gonnect, gonnect.info.setup({"size": "19"}))
    while True:
        (seat,) = gonnect.to_move(position.state)
        move = chance.choice(list(gonnect.legal_moves(position.state, seat)))
        position, turn = advance(gonnect, position, seat, str(move))
        yield turn.text


@dataclass
class Board:
    """Two players who answer each other's moves and resend what was not acknowledged."""

    first: Person
    second: Person
    seed: int
    up: threading.Event
    enough: threading.Event
    number: str = ""
    acknowledged: list[str] = field(default_factory=list)
    repeats: int = 0

    def play(self, invitation: Arrived) -> None:
        """Play until `enough` is set."""
        self.number = invitation.board
        moves = random_game(self.seed)
        while not self.enough.is_set():
            mover = (self.first, self.second)[len(self.acknowledged) % 2]
            self._send_until_acknowledged(mover, self._told(mover), next(moves))
        for player in (self.first, self.second):
            self._told(player)

    def _told(self, player: Person) -> Arrived:
        """Return the mail that tells `player` of the move that is due next."""
        number = len(self.acknowledged) + 1

        def told(mail: Arrived) -> bool:
            mine = mail.recipient == player.address and mail.board == self.number
            return mine and " move - " in mail.headline and due(mail) == number

        player.sink.wait(lambda mails: any(map(told, mails[::-1])), f"move {number} at {self}")
        return next(filter(told, player.sink.mails[::-1]))

    def _send_until_acknowledged(self, mover: Person, mail: Arrived, move: str) -> None:
        content = letter(mover.address, f"Re: {mail.subject}", move, to=mail.reply_to)
        deadline = time.monotonic() + PATIENCE
        while True:
            assert self.up.wait(PATIENCE)
            try:
                hand_in(mover.server, mover.address, content, mail.reply_to)
            except _NO_ACKNOWLEDGEMENT:
                assert time.monotonic() < deadline, f"nobody takes {move} on board {self.number}"
                self.repeats += 1
                time.sleep(0.02)
            else:
                self.acknowledged.append(move)
                return


def taken(boards: list[Board]) -> int:
    """Return how many moves have been acknowledged on all boards."""
    return sum(len(board.acknowledged) for board in boards)


def kill_and_restart(
    server: Server, sink: Sink, boards: list[Board], up: threading.Event, chance: Random
) -> None:
    """Wait for some moves and for a random moment; kill the server and start it again."""
    enough = taken(boards) + chance.randrange(12)
    sink.wait(lambda _: taken(boards) >= enough, "moves between two kills")
    time.sleep(chance.uniform(0, 0.04))
    server.kill()
    up.clear()
    server.start()
    up.set()


def open_boards(server: Server, sink: Sink) -> list[tuple[Board, Arrived]]:
    up, enough = threading.Event(), threading.Event()
    up.set()
    opened = []
    for n in range(BOARDS):
        first, second = (Person(name, server, sink) for name in PAIRS[n])
        asked, _ = begin_match(first, second, PASSWORD, "gonnect", "-size=19 -ko=simple")
        opened.append((Board(first, second, SEED + n, up, enough), asked))
    return opened


def check_log(server: Server, board: Board) -> None:
    record = json.loads(server.pbm("game", "record", board.number))
    assert [entry["text"] for entry in record["log"]] == board.acknowledged


def check_mails(sink: Sink, board: Board) -> None:
    """Check that every player got one mail for every event, perhaps more than once.

    A refusal would be a second, different mail for the move that is due.
    """
    events: dict[tuple[str, int], set[bytes]] = defaultdict(set)
    for mail in sink.mails:
        if mail.board == board.number and not mail.headline.startswith(_BEFORE_THE_START):
            events[mail.recipient, due(mail)].add(mail.content)
    plies = range(1, len(board.acknowledged) + 2)
    people = (board.first.address, board.second.address)
    assert set(events) == {(person, ply) for person in people for ply in plies}
    assert {event: mails for event, mails in events.items() if len(mails) > 1} == {}


@pytest.mark.slow
def test_matches_go_on_whenever_the_server_is_killed(tmp_path: Path) -> None:
    chance = Random(SEED)
    accounts = tuple((name, PASSWORD) for pair in PAIRS for name in pair)
    with (
        Sink() as sink,
        Server(tmp_path, "--relay", sink.relay, port=lasting_port(), accounts=accounts) as server,
        ThreadPoolExecutor(BOARDS) as pool,
    ):
        opened = open_boards(server, sink)
        boards = [board for board, _ in opened]
        playing = [pool.submit(board.play, asked) for board, asked in opened]
        try:
            for _ in range(KILLS):
                kill_and_restart(server, sink, boards, boards[0].up, chance)
            sink.wait(lambda _: taken(boards) >= 24, "moves after the last kill")
        finally:
            boards[0].enough.set()
        for played in playing:
            played.result()
        assert sum(board.repeats for board in boards) > 0
        for board in boards:
            check_log(server, board)
            check_mails(sink, board)
        assert server.pbm("verify") == f"{BOARDS} matches, 0 with faults\n"
        assert server.pbm("shunt", "list", "--json").strip() == "[]"
        assert server.stop() == 0
