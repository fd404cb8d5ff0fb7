"""Floods by SMTP: a match goes on meanwhile, and the server still ends within five seconds."""

import itertools
import smtplib
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from pbm.config import Settings
from pbm.domain.mail import ReceivedMail
from pbm.server.assembly import App
from tests.e2e.people import ACCOUNTS, PASSWORD, SERVER, Person, begin_match, hand_in, letter
from tests.e2e.server import Server
from tests.processes import PATIENCE, lasting_port
from tests.service.worst_mails import ALICE, MAILS, long_boards
from tests.sink import Arrived, Sink
from tests.torture.people import random_match

FLOOD = 500
CONNECTIONS = 4
GOES_ON = 4  # the part of the flood that comes again while the match is played
SOON = 2.0
SENDER, MESSAGE_ID = "sender@flood.example", "<message@flood.example>"
"""The words in the model of a mail of the flood."""
FEWEST_MOVES = 10
MOST_MOVES = 150

_ids = itertools.count(1)


def flood(server: Server, mails: range) -> None:
    """Send the mails with these numbers over one connection: from a player, and forged ones."""
    model = letter(SENDER, "help reference", message_id=MESSAGE_ID)
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as connection:
        for number in mails:
            for sender in ("mallory@example.com", f"forged{number}@flood.example"):
                # All else of a mail is the same: to compose it takes longer than to send it.
                content = model.replace(SENDER.encode(), sender.encode())
                content = content.replace(MESSAGE_ID.encode(), b"<%d@flood.example>" % next(_ids))
                connection.sendmail(sender, [SERVER], content)


def flooding(pool: ThreadPoolExecutor, server: Server, mails: int) -> list[Future[None]]:
    """Begin to send so many mails of each flood, over several connections at once."""
    return [
        pool.submit(flood, server, range(first, mails, CONNECTIONS)) for first in range(CONNECTIONS)
    ]


def play(first: Person, second: Person, asked: Arrived, sent: list[Future[None]]) -> list[float]:
    """Play while the flood lasts; return how long the answer to each move took."""
    took: list[float] = []
    moves = iter(random_match(1, 19))
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


@pytest.mark.slow
def test_the_moves_of_a_match_are_answered_soon_while_the_server_is_flooded(tmp_path: Path) -> None:
    with Sink() as sink, ThreadPoolExecutor(CONNECTIONS) as pool:
        options = ("--relay", sink.relay, "--log-level", "WARNING")
        accounts = (*ACCOUNTS, ("mallory", PASSWORD))
        with Server(tmp_path, *options, port=lasting_port(), accounts=accounts) as server:
            alice, bob, mallory = (Person(name, server, sink) for name, _ in accounts)
            asked, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=19 -ko=simple")
            assert server.stop() == 0
        with Server(tmp_path, *options, "--roles", "intake", port=server.port) as taking:
            for sending in flooding(pool, taking, FLOOD):
                sending.result()
            assert taking.stop() == 0
        with server:
            mallory.next()  # the flood is being played, and most of it waits
            took = sorted(play(alice, bob, asked, flooding(pool, server, FLOOD // GOES_ON)))
            told = f"{len(took)} moves, median {took[len(took) // 2]:.2f} s, worst {took[-1]:.2f} s"
            assert took[-1] <= SOON, told
            assert server.pbm("verify") == "1 match, 0 with faults\n"
            assert server.pbm("shunt", "list", "--json").strip() == "[]"
            assert server.stop() == 0


STOPS_WITHIN = 5.0
WAITING = 200


def test_sigterm_ends_it_within_five_seconds_while_the_worst_mails_wait(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    long_boards(var).house.close()
    house = App(Settings(SERVER, f"sqlite:///{var}/pbm.db", "null:", var / "key"))
    texts = itertools.islice(itertools.cycle(MAILS.values()), WAITING)
    letters = [letter(ALICE, "many", text[:20_000]) for text in texts]
    house.inbox.put([ReceivedMail(ALICE, (SERVER,), mail, house.clock()) for mail in letters])
    with Server(tmp_path, "--relay", "null:", "--roles", "intake,play") as server:
        hand_in(server, ALICE, letter(ALICE, "many", MAILS["recorded"]))
        began = time.monotonic()
        assert server.stop() == 0
        took = time.monotonic() - began
        assert "Traceback" not in server.log
    assert took < STOPS_WITHIN
    with house.open_reading() as work:
        assert 0 < work.inbox.waiting() <= WAITING
        assert work.shunt.listing() == ()
    house.close()
