"""Imported once by the process that each `pbm` of the suite is forked from (nursery.py).

It plays a mail, so that each server begins with what it would otherwise import or compile first:
the migrations, the games, the grammar, the templates. Nothing of it stays open. A server looks
through all of its memory for garbage when it begins; what it inherits has none.
"""

import gc
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg  # noqa: F401 - for servers on PostgreSQL

import pbm.cli.remind
import pbm.cli.serve
import pbm.server  # noqa: F401
from pbm.bootstrap import House
from pbm.config import Settings
from pbm.domain.mail import ReceivedMail


def _play_a_mail(folder: Path) -> None:
    house = House(
        Settings("pbm@localhost", f"sqlite:///{folder / 'pbm.db'}", "null:", folder / "key")
    )
    question = b"From: a@example.com\r\nSubject: help\r\n\r\n"
    house.inbox.put(
        [ReceivedMail("a@example.com", ("pbm@localhost",), question, datetime.now(UTC))]
    )
    house.play_stage.play_waiting()
    house.close()


with TemporaryDirectory() as _folder:
    _play_a_mail(Path(_folder))
gc.collect()
gc.freeze()
