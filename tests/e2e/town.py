"""A running server with players, for modules of attacks by SMTP: one server, many small rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.terminal import done
from tests.e2e.people import Person, begin_match, hand_in, letter
from tests.e2e.server import Server
from tests.processes import PATIENCE, until
from tests.sink import Arrived, Sink

ALICE, BOB, CAROL = "alice@example.com", "bob@example.com", "carol@example.com"
EVE = "eve@stranger.example"
"""Somebody without an account."""

_HELD = "SELECT (SELECT count(*) FROM inbox WHERE state != 'done') + \
(SELECT count(*) FROM outbox WHERE state = 'waiting')"


def password_of(name: str) -> str:
    """Return the password that a player of the town has."""
    return f"zq-{name}-pw-1"


@dataclass
class Town:
    """A server, what its sink has got, and people who write to it."""

    server: Server
    sink: Sink

    def players(self, *names: str) -> list[Person]:
        """Return these players with nothing left to read."""
        people = [Person(name, self.server, self.sink) for name in names]
        for person in people:
            person.read = len(person.mails())
        return people

    def match(self, first: str, second: str) -> tuple[Arrived, Arrived]:
        """Begin a small match of two players; return the mails with its first position."""
        one, two = self.players(first, second)
        return begin_match(one, two, password_of(first), "gonnect", "-size=5")

    def attacked(self, author: str, *texts: str, to: str = "pbm@localhost") -> list[Arrived]:
        """Return all the mails that the server sends because of these."""
        return self.provoked(*(letter(author, "", text, to=to) for text in texts), to=to)

    def provoked(
        self, *contents: bytes, to: str = "pbm@localhost", sender: str = EVE
    ) -> list[Arrived]:
        """Return all the mails that the server sends because of these, as they are."""
        before = len(self.sink.mails)
        for content in contents:
            hand_in(self.server, sender, content, to)
        return self.sent_since(before)

    def sent_since(self, before: int) -> list[Arrived]:
        """Return the mails after the first so many, once all that waits is done."""
        until(lambda: self._held() == 0, "an empty inbox and outbox")
        return self.sink.mails[before:]

    def typed(self, *arguments: str) -> str:
        """Return what a command of the operator prints beside the running server."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.server.home)
            patch.setenv("PBM_AS_ROOT", "1")
            return done(*arguments)

    def _held(self) -> int:
        database = self.server.home / "var" / "pbm.db"
        with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
            return int(connection.execute(_HELD).fetchone()[0])


@contextmanager
def open_town(home: Path, *names: str, options: tuple[str, ...] = ()) -> Iterator[Town]:
    """Yield a server with these players; afterwards check that no bug was met."""
    accounts = tuple((name, password_of(name)) for name in names)
    with Sink() as sink, Server(
        home, "--relay", sink.relay, *options, accounts=accounts
    ) as server:  # fmt: skip
        yield Town(server, sink)
        assert "Traceback" not in server.log
        assert "SELECT" not in server.log


def recipients(mails: list[Arrived]) -> list[str]:
    """Return whom mails went to, in alphabetical order."""
    return sorted(mail.recipient for mail in mails)
