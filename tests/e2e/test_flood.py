"""A match goes on while the server is flooded by SMTP, its moves answered within two seconds."""

import smtplib
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from pbm.service.tokens import TokenMint
from tests.e2e.people import Person, begin_match, letter
from tests.e2e.server import PATIENCE, Server
from tests.e2e.sink import Arrived, Sink
from tests.e2e.test_kill import random_game

PASSWORD = "correct-horse"
MOVES = 24
SECONDS = 60.0
FLOOD = 1000
"""Mails of each kind, at once and then again while the match lasts."""


def flood_mails(kind: str) -> Iterable[tuple[str, bytes]]:
    """Yield envelope sender and mail: `FLOOD` of one sender, or of as many senders at one server."""
    for n in range(FLOOD):
        sender = "flood@flood.example" if kind == "one" else f"{kind}{n}@forged.example"
        yield sender, letter(sender, "help reference", "\n".join(["help reference"] * 10))
