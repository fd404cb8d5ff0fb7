"""Other processes at the database of a test: each reports that it is ready, and then goes on.

They have a module of their own so that a forked process need not import the tests.
"""

import signal
from multiprocessing.connection import Connection

from tests.doors import UnitOfWork, create_engine, open_batch, open_lifeline
from tests.store.samples import NOW, add_players, an_answer


def writes_without_end(told: Connection, url: str) -> None:
    """Add a player and a mail again and again, and tell their number after each commit."""
    engine = create_engine(url)
    while True:
        with UnitOfWork(engine) as unit:
            number = unit.next_number()
            add_players(unit, f"player{number}")
            unit.outbox.add([an_answer(word=str(number))], NOW)
            unit.commit()
        told.send(number)


def stops_halfway(told: Connection, url: str) -> None:
    """Add a player, and never commit."""
    with UnitOfWork(create_engine(url)) as unit:
        add_players(unit, "alice")
        told.send("halfway")
        signal.pause()


def holds_mails(told: Connection, url: str, many: int) -> None:
    """Claim so many mails, tell which, and keep them."""
    engine = create_engine(url)
    with open_batch(engine) as batch:
        told.send([mail.id for mail in batch.claim(many)])
        signal.pause()


def holds_lifeline(told: Connection, url: str, owner: str) -> None:
    """Hold the lifeline of `owner`."""
    lifeline = open_lifeline(create_engine(url))
    lifeline.hold(owner)
    told.send("held")
    signal.pause()
