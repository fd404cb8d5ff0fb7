"""A match goes on while the server is flooded by SMTP, its moves answered within two seconds."""

import itertools
import smtplib
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.people import Person, begin_match, letter
from tests.e2e.server import Server
from tests.e2e.test_kill import random_game
from tests.processes import PATIENCE, lasting_port
from tests.sink import Arrived, Sink

PASSWORD = "correct-horse"
PEOPLE = ("alice", "bob", "mallory")
FLOOD = 500
CONNECTIONS = 4
GOES_ON = 4  # the part of the flood that comes again while the match is played
SOON = 2.0
SENDER, MESSAGE_ID = "sender@flood.example", "<message@flood.example>"
"""What stands in the model of a mail of the flood."""
FEWEST_MOVES = 10
MOST_MOVES = 150

_ids = itertools.count(1)


def of_one_sender(number: int) -> str:
    """Return who writes a mail of a flood: a player."""
    del number
    return "mallory@example.com"


def of_many_senders(number: int) -> str:
    """Return who writes a mail of a flood: as many forged senders as there are mails."""
    return f"forged{number}@flood.example"


def flood(server: Server, mails: range) -> None:
    """Send the mails with these numbers of both floods over one connection."""
    model = letter(SENDER, "help reference", message_id=MESSAGE_ID)
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as connection:
        for number in mails:
            for sender in (of_one_sender(number), of_many_senders(number)):
                # All else of a mail is the same: to compose it takes longer than to send it.
                content = model.replace(SENDER.encode(), sender.encode())
                content = content.replace(MESSAGE_ID.encode(), b"<%d@flood.example>" % next(_ids))
                connection.sendmail(sender, ["pbm@localhost"], content)


def play(first: Person, second: Person, asked: Arrived, sent: list[Future[None]]) -> list[float]:
    """Play while the flood lasts; return how long the answer to each move took."""
    took: list[float] = []
    moves = random_game(1)
    mover, other = first, second
    while len(took) < MOST_MOVES:
        if len(took) >= FEWEST_MOVES and all(sending.done() for sending in sent):
            break
        began = time.monotonic()
        mover.answer(asked, next(moves))
        mover.next("to move")
        asked = other.next("your move")
        took.append(time.monotonic() - began)
        mover, other = other, mover
    return took


def flooding(pool: ThreadPoolExecutor, server: Server, mails: int) -> list[Future[None]]:
    """Begin to send so many mails of each flood, over several connections at once."""
    return [
        pool.submit(flood, server, range(first, mails, CONNECTIONS)) for first in range(CONNECTIONS)
    ]


def begin_with(people: list[Person]) -> Arrived:
    """Open a match of the first two of `people`; return what the first is asked."""
    return begin_match(people[0], people[1], PASSWORD, "gonnect", "-size=19 -ko=simple")[0]


@pytest.mark.slow
def test_the_moves_of_a_match_are_answered_soon_while_the_server_is_flooded(tmp_path: Path) -> None:
    with Sink() as sink, ThreadPoolExecutor(CONNECTIONS) as pool:
        options = ("--relay", sink.relay, "--log-level", "WARNING")
        accounts = tuple((name, PASSWORD) for name in PEOPLE)
        with Server(tmp_path, *options, port=lasting_port(), accounts=accounts) as server:
            people = [Person(name, server, sink) for name in PEOPLE]
            asked = begin_with(people)
            assert server.stop() == 0
        with Server(tmp_path, *options, "--roles", "intake", port=server.port) as taking:
            for sending in flooding(pool, taking, FLOOD):
                sending.result()
            assert taking.stop() == 0
        with server:
            people[2].next()  # the flood is being played, and most of it waits
            took = sorted(
                play(people[0], people[1], asked, flooding(pool, server, FLOOD // GOES_ON))
            )
            told = f"{len(took)} moves, median {took[len(took) // 2]:.2f} s, worst {took[-1]:.2f} s"
            assert took[-1] <= SOON, told
            assert server.pbm("verify") == "1 match, 0 with faults\n"
            assert server.pbm("shunt", "list", "--json").strip() == "[]"
            assert server.stop() == 0
