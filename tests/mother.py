"""Imported once by the process that each `pbm` of the suite is forked from (processes.py).

It lets two players play a move by mail, so that each server begins with what it would otherwise
import, compile or draw first: the migrations, the games, the grammar, the templates, the list of
bad passwords, the picture of an empty board. Nothing of it stays open. A server looks through all
of its memory for garbage when it begins; what it inherits has none.
"""

import gc
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg  # noqa: F401 - for servers on PostgreSQL

import pbm.cli.remind
import pbm.cli.serve
import pbm.server.process  # noqa: F401
from pbm.config import Settings
from pbm.domain.mail import ReceivedMail
from pbm.operator.administration import Administration
from pbm.server.assembly import App
from pbm.store.migrations import upgrade

SERVER, PASSWORD = "pbm@localhost", "correct-horse"
PLAYERS = ("alice", "bob")

LETTERS = (
    "help",
    f"signup carol {PASSWORD}",
    f"gonnect challenge alice {PASSWORD} bob -size=5",
    f"move 101 alice {PASSWORD} C3",
    f"move 101 bob {PASSWORD} swap",
)


def _play(house: App) -> None:
    now = datetime.now(UTC)
    with house.open_unit() as work:
        operator = Administration(house.services, work, now)
        for name in PLAYERS:
            operator.add_player(name, PASSWORD, [f"{name}@example.com"])
        operator.create_match(house.catalogue.get("gonnect"), PLAYERS, {"size": "5"}, {})
        work.commit()
    for subject in LETTERS:
        author = "bob@example.com" if " bob " in subject else "alice@example.com"
        content = f"From: {author}\r\nSubject: {subject}\r\n\r\n".encode()
        house.inbox.put([ReceivedMail(author, (SERVER,), content, now)])
        while house.play_stage.play_waiting() + house.play_stage.go_on():
            pass
    house.deliver_waiting(house.new_relay())


def _prepare(folder: Path) -> None:
    house = App(Settings(SERVER, f"sqlite:///{folder / 'pbm.db'}", "null:", folder / "key"))
    upgrade(house.settings.database)
    _play(house)
    house.prepare()
    house.close()


with TemporaryDirectory() as _folder:
    _prepare(Path(_folder))
gc.collect()
gc.freeze()
